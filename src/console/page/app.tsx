import { useEffect } from 'preact/hooks'
import { asProblem, call } from './api.ts'
import { t } from './i18n/text.ts'
import { Loading, ProblemNotice } from './parts/notice.tsx'
import { Page } from './parts/page.tsx'
import { AccountPage } from './pages/account.tsx'
import { AgentsPage } from './pages/agents.tsx'
import { EarningsPage } from './pages/earnings.tsx'
import { LivePage } from './pages/live.tsx'
import { ForgotPage, ResetPage, VerifyPage } from './pages/mail-links.tsx'
import { OrderPage } from './pages/order.tsx'
import { OrdersPage } from './pages/orders.tsx'
import { PurchasePage } from './pages/purchase.tsx'
import { EnterPage } from './pages/enter.tsx'
import { StartPage } from './pages/start.tsx'
import { path } from './router.ts'
import { isKeyOnScreen, service, session } from './session.ts'
import { Shell } from './shell.tsx'
import type { Service, Session } from './types.ts'
import { useLoad } from './use-load.ts'

export function App() {
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
  if (session.value === null && !isKeyOnScreen.value) return <EnterPage />
  return <Shell>{pageAt(path.value)}</Shell>
}

async function loadAll(): Promise<Service> {
  const [, known] = await Promise.all([loadSession(), call<Service>('GET', '/operations')])
  return known
}

/** Nobody being signed in is an answer, too. */
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
  if (name === 'purchases' && id !== '') return <PurchasePage key={id} id={decoded(id)} />
  if (id === '') {
    switch (name) {
      case '': return <StartPage />
      case 'agents': return <AgentsPage />
      case 'live': return <LivePage />
      case 'orders': return <OrdersPage />
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

/** As it stands where it is no encoding: then there is no such page's thing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
