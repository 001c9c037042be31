/** Coming in: with an account, or by making one. */
import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { t } from '../i18n/text.ts'
import { problemOf, TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { Page } from '../parts/page.tsx'
import { go, path } from '../router.ts'
import { session } from '../session.ts'
import { Brand, Preferences } from '../shell.tsx'
import type { Session } from '../types.ts'
import { useAction } from '../use-load.ts'

export const PASSWORD_LENGTH_MIN = 10
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const REGISTER = '/register'
const SIGN_IN = '/sign-in'

export function EnterPage() {
  const isNew = path.value === REGISTER
  return (
    <div class="enter">
      <header class="top"><Brand /><Preferences /></header>
      <main id="main" tabIndex={-1}>
        <div class="card">
          <Page title={t(isNew ? 'register.title' : 'sign_in.title')}
            lead={t(isNew ? 'register.lead' : 'sign_in.lead')}>
            <EnterForm key={String(isNew)} isNew={isNew} />
            <p class="soft">
              {t(isNew ? 'register.have' : 'sign_in.new')}{' '}
              <a href={`/console${isNew ? SIGN_IN : REGISTER}`}>
                {t(isNew ? 'sign_in.title' : 'register.title')}</a>
            </p>
          </Page>
        </div>
      </main>
    </div>
  )
}

function EnterForm({ isNew }: { readonly isNew: boolean }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isChecked, setChecked] = useState(false)
  const action = useAction(async () => {
    if (isNew) await call('POST', '/register', { email, password })
    session.value = await call<Session>('POST', '/session', { email, password })
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
    </Form>
  )
}
