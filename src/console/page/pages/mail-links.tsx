/** Pages that the links of mails lead to, and the one that asks for such a mail. */
import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { t } from '../i18n/text.ts'
import { problemOf, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { go } from '../router.ts'
import { service, session } from '../session.ts'
import type { Session } from '../types.ts'
import { useAction } from '../use-load.ts'
import { EMAIL, EnterLayout, PASSWORD_LENGTH_MIN } from './enter.tsx'

/** What stands behind # in the link. It leaves the address bar at once. */
function takeToken(): string {
  const token = location.hash.slice(1)
  history.replaceState(null, '', location.pathname)
  return token
}

const ToConsole = () => (
  <p><a class="button primary" href="/console">{t('mail.go_on')}</a></p>
)

/** Where a mail is when no mail server sends it, and what helps who cannot get at it. */
const MailsAreKept = () => (service.value?.mails === 'kept' ? (
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
    <EnterLayout>
      <Page title={t('forgot.title')} lead={t('forgot.lead')}>
        <div role="status">
          {isDone && <Notice><div><p>{t('forgot.done')}</p><MailsAreKept /></div></Notice>}
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
    </EnterLayout>
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
    <EnterLayout>
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
    </EnterLayout>
  )
}

/** A press confirms it: programs that look into mails open every link. */
export function VerifyPage() {
  const [token] = useState(takeToken)
  const [isDone, setDone] = useState(false)
  const action = useAction(async () => {
    await call('POST', '/email/verified', { token })
    if (session.value) session.value = await call<Session>('GET', '/session')
  })
  return (
    <EnterLayout>
      <Page title={t('verify.title')} lead={isDone ? t('verify.done') : t('verify.lead')}>
        {isDone ? <ToConsole />
          : <Form action={action} submit={t('verify.submit')} onDone={() => setDone(true)}>{' '}
            </Form>}
      </Page>
    </EnterLayout>
  )
}

/** Says that the address is not confirmed, and sends the mail again. */
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
