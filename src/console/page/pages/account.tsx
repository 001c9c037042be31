import { useState } from 'preact/hooks'
import { call, useAction, useLoad } from '../api.ts'
import { yuan } from '../format.ts'
import { t } from '../i18n/text.ts'
import { Confirm } from '../parts/dialog.tsx'
import { Form, problemOf, TextField } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page, Section } from '../parts/page.tsx'
import { forgetEverything, session } from '../session.ts'
import type { Earnings, Session } from '../types.ts'
import { PASSWORD_LENGTH_MIN, UnverifiedNotice } from './sign-in.tsx'

export function AccountPage() {
  return (
    <Page title={t('page.account')}
      lead={<>{session.value?.email} · <code>{session.value?.account}</code></>}
      actions={<SignOut />}>
      <UnverifiedNotice />
      <Password />
      <Sessions />
      <Closing />
    </Page>
  )
}

function SignOut() {
  const action = useAction(async () => {
    await call('DELETE', '/session')
    forgetEverything('signed_out')
  })
  return (
    <button type="button" class="button" onClick={() => void action.run()}>{t('sign_out')}</button>
  )
}

function Password() {
  const [password, setPassword] = useState('')
  const [next, setNext] = useState('')
  const [isChecked, setChecked] = useState(false)
  const [isDone, setDone] = useState(false)
  const action = useAction(async () => {
    session.value = await call<Session>('PUT', '/password', { password, new_password: next })
    setPassword('')
    setNext('')
    setChecked(false)
  })
  const isShort = next.length < PASSWORD_LENGTH_MIN
  return (
    <Section title={t('account.password')} lead={t('account.password.lead')}>
      <div class="narrow">
        <Form action={action} submit={t('account.password')} onDone={() => setDone(true)}
          fields={['password', 'new_password']} texts={{ sign_in_refused: t('password.wrong') }}
          check={() => {
            setDone(false)
            setChecked(true)
            return password !== '' && !isShort
          }}>
          <TextField label={t('account.password.now')} type="password" value={password}
            autoComplete="current-password" onChange={setPassword}
            problem={(isChecked && password === '' && t('password.missing'))
              || problemOf(action.problem, 'password')} />
          <TextField label={t('account.password.next')} type="password" value={next}
            autoComplete="new-password" onChange={setNext}
            hint={t('password.rule', { n: PASSWORD_LENGTH_MIN })}
            problem={(isChecked && isShort && t('password.short', { n: PASSWORD_LENGTH_MIN }))
              || problemOf(action.problem, 'new_password')} />
        </Form>
        <div role="status">{isDone && <Notice>{t('account.password.done')}</Notice>}</div>
      </div>
    </Section>
  )
}

function Sessions() {
  const [isAsked, setAsked] = useState(false)
  return (
    <Section title={t('account.everywhere')} lead={t('account.everywhere.lead')}>
      <button type="button" class="button" onClick={() => setAsked(true)}>
        {t('account.everywhere')}</button>
      {isAsked && (
        <Confirm title={t('account.everywhere')} submit={t('account.everywhere')}
          work={() => call('DELETE', '/sessions')} onDone={() => forgetEverything('everywhere')}
          onClose={() => setAsked(false)}>
          <p>{t('account.everywhere.lead')}</p>
        </Confirm>
      )}
    </Section>
  )
}

function Closing() {
  const [isAsked, setAsked] = useState(false)
  return (
    <Section title={t('account.close')} lead={t('account.close.lead')}>
      <button type="button" class="button danger" onClick={() => setAsked(true)}>
        {t('account.close')}</button>
      {isAsked && <CloseAccount onClose={() => setAsked(false)} />}
    </Section>
  )
}

const MONEY = ['pending', 'confirmed', 'withdrawable'] as const

/** In fen; undefined until it is loaded. A debt counts as nothing to forfeit. */
const sumOf = (books: Readonly<Record<string, unknown>> | undefined): number | undefined =>
  books && MONEY.reduce((sum, name) => sum + Math.max(0, Number(books[name] ?? 0)), 0)

/** Names the money that would be lost, and deletes the account once its owner forfeits it. */
function CloseAccount({ onClose }: { onClose(): void }) {
  const [password, setPassword] = useState('')
  const [forfeit, setForfeit] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const { data: earnings } = useLoad(() => call<Earnings>('GET', '/earnings'))
  return (
    <Confirm title={t('account.close.sure')} submit={t('account.close')} fields={['password']}
      texts={{ sign_in_refused: t('password.wrong') }}
      check={() => {
        setChecked(true)
        return password !== ''
      }}
      work={() => call('DELETE', '/account', { password, forfeit })}
      onDone={() => forgetEverything('deleted')} onClose={onClose}>
      {(problem) => {
        // The refusal's sums are newer than the loaded ones.
        const left = problem?.facts['why'] === 'money_left' ? sumOf(problem.facts)
          : sumOf(earnings?.balances)
        return (
          <>
            <p>{t('account.close.lead')}</p>
            <TextField label={t('account.password.now')} type="password" value={password}
              autoComplete="current-password" onChange={setPassword}
              problem={(isChecked && password === '' && t('password.missing'))
                || problemOf(problem, 'password')} />
            {left !== undefined && left > 0 && (
              <label class="check">
                <input type="checkbox" checked={forfeit}
                  onChange={(event) => setForfeit(event.currentTarget.checked)} />
                <span>{t('account.close.forfeit', { amount: yuan(left) })}</span>
              </label>
            )}
          </>
        )
      }}
    </Confirm>
  )
}
