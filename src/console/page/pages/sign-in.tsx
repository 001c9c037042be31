/** Pages without a session: sign-in, registration, and those that links of mails lead to. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { asProblem, call, useAction } from '../api.ts'
import { t } from '../i18n/text.ts'
import { Form, problemOf, TextField } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { go, path } from '../router.ts'
import { farewell, service, session } from '../session.ts'
import { Brand, Preferences, SandboxBadge } from '../shell.tsx'
import type { Session } from '../types.ts'

export const PASSWORD_LENGTH_MIN = 10
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const REGISTER = '/register'
const SIGN_IN = '/sign-in'

/** The frame of pages without a session. */
const SignedOutLayout = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="enter">
    <header class="top"><Brand /><SandboxBadge /><Preferences /></header>
    <main id="main" tabIndex={-1}><div class="card">{children}</div></main>
  </div>
)

export function SignInPage() {
  const isNew = path.value === REGISTER
  return (
    <SignedOutLayout>
      <Page title={t(isNew ? 'register.title' : 'sign_in.title')}
        lead={t(isNew ? 'register.lead' : 'sign_in.lead')}>
        <Farewell />
        <SignInForm key={String(isNew)} isNew={isNew} />
        <p class="soft">
          {t(isNew ? 'register.have' : 'sign_in.new')}{' '}
          <a href={`/console${isNew ? SIGN_IN : REGISTER}`}>
            {t(isNew ? 'sign_in.title' : 'register.title')}</a>
        </p>
        {!isNew && <p class="soft"><a href="/console/forgot">{t('forgot.title')}</a></p>}
      </Page>
    </SignedOutLayout>
  )
}

/** Why the session before ended. */
const Farewell = () => (
  <div role="status">
    {farewell.value && <Notice><p>{t(`farewell.${farewell.value}`)}</p></Notice>}
  </div>
)

/** The address has an account with another password. */
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

function SignInForm({ isNew }: { readonly isNew: boolean }) {
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
      // The address has an account already; the service has mailed its owner.
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

/** The token behind # in the link. The address bar loses it at once. */
function takeToken(): string {
  const token = location.hash.slice(1)
  history.replaceState(null, '', location.pathname)
  return token
}

const ConsoleLink = () => (
  <p><a class="button primary" href="/console">{t('mail.go_on')}</a></p>
)

/** Where mails are kept without a mail server, and the operator's command. */
const KeptMails = () => (service.value?.mails === 'kept' ? (
  <>
    <p>{t('mail.kept')}</p>
    <p>{t('mail.operator')} <code>npm run agentmall -- account reset-link --email …</code></p>
  </>
) : null)

export function ForgotPage() {
  const [email, setEmail] = useState('')
  const [isChecked, setChecked] = useState(false)
  const [isDone, setDone] = useState(false)
  const action = useAction(() => call('POST', '/password-reset', { email }))
  const isWrong = !EMAIL.test(email)
  return (
    <SignedOutLayout>
      <Page title={t('forgot.title')} lead={t('forgot.lead')}>
        <div role="status">
          {isDone && <Notice><div><p>{t('forgot.done')}</p><KeptMails /></div></Notice>}
        </div>
        <Form action={action} submit={t('forgot.submit')} fields={['email']}
          onDone={() => setDone(true)}
          check={() => {
            setChecked(true)
            return !isWrong
          }}>
          <TextField label={t('email')} name="email" type="email" autoComplete="username"
            value={email} onChange={setEmail}
            problem={(isChecked && isWrong && t('email.wrong'))
              || problemOf(action.problem, 'email')} />
        </Form>
        <p class="soft"><a href="/console/sign-in">{t('sign_in.title')}</a></p>
      </Page>
    </SignedOutLayout>
  )
}

export function ResetPage() {
  const [token] = useState(takeToken)
  const [next, setNext] = useState('')
  const [isChecked, setChecked] = useState(false)
  const action = useAction(async () => {
    session.value = await call<Session>('PUT', '/password-reset', { token, new_password: next })
    go('/', { replace: true })
  })
  const isShort = next.length < PASSWORD_LENGTH_MIN
  return (
    <SignedOutLayout>
      <Page title={t('reset.title')} lead={t('reset.lead')}>
        <Form action={action} submit={t('reset.submit')} fields={['new_password']}
          check={() => {
            setChecked(true)
            return !isShort
          }}>
          <TextField label={t('account.password.next')} name="password" type="password"
            autoComplete="new-password" value={next} onChange={setNext}
            hint={t('password.rule', { n: PASSWORD_LENGTH_MIN })}
            problem={(isChecked && isShort && t('password.short', { n: PASSWORD_LENGTH_MIN }))
              || problemOf(action.problem, 'new_password')} />
        </Form>
        <p class="soft"><a href="/console/forgot">{t('mail.again')}</a></p>
      </Page>
    </SignedOutLayout>
  )
}

/** A button confirms the address, since programs that scan mails open every link. */
export function VerifyPage() {
  const [token] = useState(takeToken)
  const [isDone, setDone] = useState(false)
  const action = useAction(async () => {
    await call('POST', '/email/verified', { token })
    if (session.value) session.value = await call<Session>('GET', '/session')
  })
  return (
    <SignedOutLayout>
      <Page title={t('verify.title')} lead={isDone ? t('verify.done') : t('verify.lead')}>
        {isDone ? <ConsoleLink />
          : <Form action={action} submit={t('verify.submit')} onDone={() => setDone(true)}>{' '}
            </Form>}
      </Page>
    </SignedOutLayout>
  )
}

/** A notice that the address is not confirmed, with a button that sends the mail again. */
export function UnverifiedNotice() {
  const [isSent, setSent] = useState(false)
  const action = useAction(() => call('POST', '/email/verification'))
  if (!session.value || session.value.email_verified) return null
  return (
    <Notice><div>
      <p>{t('unverified.lead', { email: session.value.email })}</p>
      {service.value?.mails === 'kept' && <p>{t('mail.kept')}</p>}
      <div role="status">{isSent && <p>{t('unverified.sent')}</p>}</div>
      <Form action={action} submit={t('unverified.again')} onDone={() => setSent(true)}>{' '}</Form>
    </div></Notice>
  )
}
