/** Coming in: with an account, or by making one. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { asProblem, call } from '../api.ts'
import { t } from '../i18n/text.ts'
import { problemOf, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { go, path } from '../router.ts'
import { farewell, session } from '../session.ts'
import { Brand, Preferences, SandboxBadge } from '../shell.tsx'
import type { Session } from '../types.ts'
import { useAction } from '../use-load.ts'

export const PASSWORD_LENGTH_MIN = 10
export const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const REGISTER = '/register'
const SIGN_IN = '/sign-in'

/** Around pages that need nobody to be signed in. */
export const EnterLayout = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="enter">
    <header class="top"><Brand /><SandboxBadge /><Preferences /></header>
    <main id="main" tabIndex={-1}><div class="card">{children}</div></main>
  </div>
)

export function EnterPage() {
  const isNew = path.value === REGISTER
  return (
    <EnterLayout>
      <Page title={t(isNew ? 'register.title' : 'sign_in.title')}
        lead={t(isNew ? 'register.lead' : 'sign_in.lead')}>
        <Farewell />
        <EnterForm key={String(isNew)} isNew={isNew} />
        <p class="soft">
          {t(isNew ? 'register.have' : 'sign_in.new')}{' '}
          <a href={`/console${isNew ? SIGN_IN : REGISTER}`}>
            {t(isNew ? 'sign_in.title' : 'register.title')}</a>
        </p>
        {!isNew && <p class="soft"><a href="/console/forgot">{t('forgot.title')}</a></p>}
      </Page>
    </EnterLayout>
  )
}

/** Why somebody who was signed in is here. */
const Farewell = () => (
  <div role="status">
    {farewell.value && <Notice><p>{t(`farewell.${farewell.value}`)}</p></Notice>}
  </div>
)

/** The address has an account, and the password is another one than its. */
const KnownAddress = () => (
  <Notice>
    <div>
      <p><strong>{t('register.known')}</strong></p>
      <p>{t('register.known.lead')}</p>
      <p class="links">
        <a href={`/console${SIGN_IN}`}>{t('sign_in.title')}</a>
        <a href="/console/forgot">{t('forgot.link')}</a>
      </p>
    </div>
  </Notice>
)

function EnterForm({ isNew }: { readonly isNew: boolean }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isChecked, setChecked] = useState(false)
  const [isKnown, setKnown] = useState(false)
  const action = useAction(async () => {
    setKnown(false)
    if (isNew) await call('POST', '/register', { email, password })
    try {
      session.value = await call<Session>('POST', '/session', { email, password })
    } catch (error) {
      // The address has an account already, which its owner has just been mailed.
      if (!isNew || asProblem(error).error !== 'sign_in_refused') throw error
      setKnown(true)
      return
    }
    farewell.value = undefined
    if (path.value === REGISTER || path.value === SIGN_IN) go('/', { replace: true })
  })
  const wrongEmail = EMAIL.test(email) ? undefined : t('email.wrong')
  const wrongPassword = password.length >= (isNew ? PASSWORD_LENGTH_MIN : 1) ? undefined
    : t(isNew ? 'password.short' : 'password.missing', { n: PASSWORD_LENGTH_MIN })
  return (
    <Form action={action} submit={t(isNew ? 'register.submit' : 'sign_in.title')}
      fields={['email', 'password']}
      check={() => {
        setChecked(true)
        return !wrongEmail && !wrongPassword
      }}>
      <TextField label={t('email')} name="email" type="email" autoComplete="username"
        value={email} onChange={setEmail}
        problem={(isChecked && wrongEmail) || problemOf(action.problem, 'email')} />
      <TextField label={t('password')} name="password" type="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        value={password} onChange={setPassword}
        hint={isNew && t('password.rule', { n: PASSWORD_LENGTH_MIN })}
        problem={(isChecked && wrongPassword) || problemOf(action.problem, 'password')} />
      <div role="status">{isKnown && <KnownAddress />}</div>
    </Form>
  )
}
