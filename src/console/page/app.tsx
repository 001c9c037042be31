/** The page chosen by the address. Style sheets come first: later ones override them. */
import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import './styles/theme.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/parts.css'
import './styles/forms.css'
import './styles/pages.css'
import './styles/orders.css'
import './styles/webhooks.css'
import { asProblem, call, useLoad } from './api.ts'
import { t } from './i18n/text.ts'
import { AccountPage } from './pages/account.tsx'
import { AgentsPage } from './pages/agents.tsx'
import { EarningsPage } from './pages/earnings.tsx'
import { LivePage } from './pages/live.tsx'
import { OrderPage, PurchasePage } from './pages/order.tsx'
import { OrdersPage } from './pages/orders.tsx'
import { SignInPage, ForgotPage, ResetPage, VerifyPage } from './pages/sign-in.tsx'
import { StartPage } from './pages/start.tsx'
import { WebhookPage, WebhooksPage } from './pages/webhooks.tsx'
import { Loading, ProblemNotice } from './parts/notice.tsx'
import { Page } from './parts/page.tsx'
import { startPreferences } from './preferences.ts'
import { path, startRouter } from './router.ts'
import { isKeyOnScreen, service, session } from './session.ts'
import { Shell } from './shell.tsx'
import type { Service, Session } from './types.ts'

function App() {
  const loaded = useLoad(loadAll)
  useEffect(() => { if (loaded.data) service.value = loaded.data }, [loaded.data])
  if (!service.value || session.value === undefined) {
    return (
      <main id="main" class="enter">
        <ProblemNotice problem={loaded.problem} retry={loaded.reload} />
        {!loaded.problem && <Loading />}
      </main>
    )
  }
  switch (path.value) {
    case '/forgot': return <ForgotPage />
    case '/reset': return <ResetPage />
    case '/verify': return <VerifyPage />
  }
  if (session.value === null && !isKeyOnScreen.value) return <SignInPage />
  return <Shell>{pageAt(path.value)}</Shell>
}

async function loadAll(): Promise<Service> {
  const [, known] = await Promise.all([loadSession(), call<Service>('GET', '/operations')])
  return known
}

/** Having no session is no error. */
async function loadSession(): Promise<void> {
  try {
    session.value = await call<Session>('GET', '/session')
  } catch (error) {
    if (asProblem(error).error !== 'sign_in_required') throw error
  }
}

function pageAt(at: string) {
  const [, name = '', id = ''] = at.split('/')
  if (name === 'orders' && id !== '') return <OrderPage key={id} orderNo={id} />
  if (name === 'webhooks' && id !== '') return <WebhookPage key={id} id={id} />
  if (name === 'purchases' && id !== '') return <PurchasePage key={id} id={decoded(id)} />
  if (id === '') {
    switch (name) {
      case '': return <StartPage />
      case 'agents': return <AgentsPage />
      case 'live': return <LivePage />
      case 'orders': return <OrdersPage />
      case 'webhooks': return <WebhooksPage />
      case 'earnings': return <EarningsPage />
      case 'account': return <AccountPage />
    }
  }
  return (
    <Page title={t('nowhere.title')} lead={t('nowhere.lead')}>
      <p><a class="button primary" href="/console">{t('nowhere.back')}</a></p>
    </Page>
  )
}

/** The text itself where it is not URL-encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

startPreferences()
startRouter()
const root = document.getElementById('app')
if (root) render(<App />, root)
