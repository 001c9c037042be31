/** Balances, withdrawals and monthly statements. */
import { useRef, useState } from 'preact/hooks'
import { type Action, call, newUuid, Problem, useAction, useLoad } from '../api.ts'
import { fenOf, moment, monthName, settlementDate, yuan, yuanInput } from '../format.ts'
import { t, term } from '../i18n/text.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Choice, Form, problemOf, TextField } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Empty, ProblemNotice, Show } from '../parts/notice.tsx'
import { Page, Section, Status } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import type { Earnings, MonthEnd, Withdrawal, WithdrawalMove } from '../types.ts'

const BPS = 100

export function EarningsPage() {
  const earnings = useLoad(() => call<Earnings>('GET', '/earnings'))
  const withdrawals = useLoad(() =>
    call<{ withdrawals: Withdrawal[] }>('GET', '/withdrawals'))
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  const readAgain = async (): Promise<void> => {
    await Promise.all([earnings.reload(), withdrawals.reload()])
  }
  return (
    <Page title={t('page.earnings')} lead={earnings.data && t('earnings.lead', {
      rate: earnings.data.rate_bps / BPS, date: settlementDate(earnings.data.settles_at),
    })}>
      <Show from={earnings}>
        {(data) => {
          const { balances: { withdrawable, reserved }, withdrawal_minimum: minimum } = data
          const why = reserved > 0 ? t('withdraw.open')
            : withdrawable < minimum ? t('withdraw.minimum', { amount: yuan(minimum) }) : undefined
          return (
            <>
              <Balances balances={data.balances} settlesAt={data.settles_at} />
              {data.mode === 'sandbox'
                && <SandboxMonth confirmed={data.balances.confirmed} onDone={readAgain} />}
              <Section title={t('withdrawals.title')} lead={why ?? t('withdrawals.lead')}
                actions={(
                  <button type="button" class="button primary" disabled={why !== undefined}
                    onClick={() => setOpen(true)}>{t('withdraw.title')}</button>
                )}>
                <Show from={withdrawals}>
                  {({ withdrawals: list }) => <Withdrawals list={list} onMoved={readAgain} />}
                </Show>
              </Section>
              <Section title={t('statements.title')} lead={t('statements.lead')}>
                <Statements until={data.settles_at} since={data.since} />
              </Section>
              {isOpen && (
                <Withdraw withdrawable={withdrawable} minimum={minimum} onClose={close}
                  onDone={() => {
                    close()
                    void readAgain()
                  }} />
              )}
            </>
          )
        }}
      </Show>
    </Page>
  )
}

/** In the order in which money passes through them. */
const BOOKS = ['pending', 'confirmed', 'withdrawable', 'reserved', 'paid'] as const

const Balances = ({ balances, settlesAt }: {
  readonly balances: Earnings['balances']
  readonly settlesAt: string
}) => (
  <ol class="balances">
    {BOOKS.map((book) => (
      <li key={book} class={book}>
        <h2>{t(`book.${book}`)}</h2>
        <p class="amount" data-testid={`balance-${book}`}>{yuan(balances[book])}</p>
        <p class="soft">{t(book === 'withdrawable' && balances[book] < 0
          ? 'book.withdrawable.debt' : `book.${book}.lead`,
        { date: settlementDate(settlesAt) })}</p>
      </li>
    ))}
  </ol>
)

/** A button that ends the month, in the sandbox. */

function SandboxMonth({ confirmed, onDone }: {
  readonly confirmed: Earnings['balances']['confirmed']
  onDone(): Promise<void>
}) {
  const [settled, setSettled] = useState<number>()
  const action = useAction(async () => {
    const { fen } = await call<MonthEnd>('POST', '/earnings/month-end', {})
    setSettled(fen)
    await onDone()
  })
  return (
    <Section title={t('sandbox.title')} lead={t('sandbox.money')} actions={(
      <button type="button" class="button" disabled={confirmed === 0}
        aria-disabled={action.isBusy} onClick={() => void action.run()}>
        {t('sandbox.month')}</button>
    )}>
      <p class="soft moved" role="status">
        {settled !== undefined && t('sandbox.month.done', { amount: yuan(settled) })}</p>
      <ProblemNotice problem={action.problem} />
    </Section>
  )
}

interface WithdrawalsProps {
  readonly list: readonly Withdrawal[]
  onMoved(): Promise<void>
}

function Withdrawals({ list, onMoved }: WithdrawalsProps) {
  const action = useAction(async (id: string, move: WithdrawalMove) => {
    try {
      await call('POST', `/withdrawals/${encodeURIComponent(id)}/moves`, { move })
    } finally {
      // After a refusal, too: then the page shows an outdated status.
      await onMoved()
    }
  })
  if (list.length === 0) {
    return <Empty title={t('withdrawals.none')}><p>{t('withdrawals.none.lead')}</p></Empty>
  }
  const isSimulated = list.some(({ mode }) => mode === 'sandbox')
  return (
    <>
    <Table caption={t('withdrawals.title')} numbers={[1]} head={[
      t('withdrawal'), t('amount'), t('status'), t('withdraw.payee'), t('withdraw.month'),
      ...isSimulated ? [''] : [],
    ]} rows={list.map((one) => ({
      key: one.withdrawal_id,
      cells: [
        <span>{moment(one.requested_at)}</span>,
        yuan(one.amount),
        <Status group="withdrawal" word={one.status} />,
        payeeOf(one),
        one.payout_month === null ? <span class="soft">–</span> : monthName(one.payout_month),
        ...isSimulated ? [movesOf(one, action)] : [],
      ],
    }))} />
    <ProblemNotice problem={action.problem} />
    </>
  )
}

/** The moves of operator and bank, while the withdrawal is open. */
function movesOf(
  { withdrawal_id: id, status }: Withdrawal, action: Action<[string, WithdrawalMove]>,
) {
  if (status !== 'requested' && status !== 'exported') return ''
  return (
    <span class="actions">
      {(['pay', 'fail'] as const).map((move) => (
        <button key={move} type="button"
          class={move === 'fail' ? 'button small danger' : 'button small'}
          aria-disabled={action.isBusy} onClick={() => void action.run(id, move)}>
          {t(move === 'pay' ? 'sandbox.payout' : 'sandbox.fail')}</button>
      ))}
    </span>
  )
}

function payeeOf({ payee_masked: { kind = '', ...rest } }: Withdrawal) {
  return <>{term('payee', kind)} <span class="soft">{Object.values(rest).join(' · ')}</span></>
}

interface WithdrawProps {
  readonly withdrawable: number
  readonly minimum: number
  onDone(): void
  onClose(): void
}

type Kind = 'payment_app' | 'bank_card'

function Withdraw({ withdrawable, minimum, onDone, onClose }: WithdrawProps) {
  const [amount, setAmount] = useState(yuanInput(withdrawable))
  const [kind, setKind] = useState<Kind>('payment_app')
  const [account, setAccount] = useState('')
  const [holder, setHolder] = useState('')
  const [password, setPassword] = useState('')
  const [isChecked, setChecked] = useState(false)
  const attempt = useRef({ key: newUuid(), body: '' })
  const fen = fenOf(amount)
  const wrongAmount = fen === undefined ? t('amount.wrong')
    : fen < minimum ? t('withdraw.minimum', { amount: yuan(minimum) })
      : fen > withdrawable ? t('withdraw.maximum', { amount: yuan(withdrawable) }) : undefined
  const accountPath = kind === 'payment_app' ? 'account' : 'card'
  const action = useAction(async () => {
    const body = { amount: fen, payee: { kind, [accountPath]: account.trim(), holder } }
    const text = JSON.stringify(body)
    const proof = password === '' ? {} : { password }
    // The same request keeps its key, so that sending it again after a lost answer is harmless.
    if (attempt.current.body !== '' && attempt.current.body !== text) {
      attempt.current.key = newUuid()
    }
    attempt.current.body = text
    await call('POST', '/withdrawals', { ...body, ...proof },
      { idempotencyKey: attempt.current.key })
  })
  const missing = (text: string): string | undefined =>
    (isChecked && text.trim().length < 2 ? t('missing') : undefined)
  return (
    <Dialog title={t('withdraw.title')} onClose={onClose}>
      <Form action={action} submit={t('withdraw.submit', { amount: fen ? yuan(fen) : '' })}
        fields={['amount', 'payee', `payee.${accountPath}`, 'payee.holder']}
        check={() => {
          setChecked(true)
          return !wrongAmount && account.trim().length >= 2 && holder.trim().length >= 2
        }}
        onDone={onDone} onCancel={onClose}>
        <TextField label={t('amount')} value={amount} inputMode="decimal" suffix="CNY"
          hint={t('withdraw.available', { amount: yuan(withdrawable) })} onChange={setAmount}
          problem={(isChecked && wrongAmount) || problemOf(action.problem, 'amount')} />
        <Choice label={t('withdraw.payee')} value={kind} onChange={setKind} options={[
          ['payment_app', t('payee.payment_app')], ['bank_card', t('payee.bank_card')],
        ]} />
        <TextField label={t(`withdraw.${accountPath}`)} value={account} onChange={setAccount}
          maxLength={64} inputMode={kind === 'bank_card' ? 'numeric' : 'text'}
          problem={missing(account) ?? payeeProblem(action.problem, accountPath)} />
        <TextField label={t('withdraw.holder')} value={holder} onChange={setHolder} maxLength={40}
          autoComplete="name"
          problem={missing(holder) ?? problemOf(action.problem, 'payee.holder')} />
        <TextField label={t('password')} type="password" value={password} onChange={setPassword}
          autoComplete="current-password" hint={t('withdraw.password')} />
      </Form>
    </Dialog>
  )
}

/** The API may name the payee as a whole, since it has two forms. */
const payeeProblem = (problem: Problem | undefined, path: string) =>
  problemOf(problem, `payee.${path}`) ?? problemOf(problem, 'payee')

/** Earlier months are folded away. */
const SHOWN = 6
/** For an account without a date of its registration. */
const UNKNOWN_SHOWN = 12
/** Months are those of China, which has one time zone and no summer time. */
const CHINA_MS = 8 * 3_600_000

/** "2026-11" as a number of months. */
const placeOf = (iso: string): number => {
  const at = new Date(Date.parse(iso) + CHINA_MS)
  return at.getUTCFullYear() * 12 + at.getUTCMonth()
}

const monthAt = (place: number): string =>
  `${Math.floor(place / 12)}-${String(place % 12 + 1).padStart(2, '0')}`

/** From the running month back to the one of the registration. */
function monthsOf(end: string, since: string | null): string[] {
  const last = placeOf(end) - 1
  const count = since === null ? UNKNOWN_SHOWN : last - placeOf(since) + 1
  return Array.from({ length: Math.max(1, count) }, (_, back) => monthAt(last - back))
}

function Statements({ until, since }: {
  readonly until: string
  readonly since: Earnings['since']
}) {
  const months = monthsOf(until, since)
  const earlier = months.slice(SHOWN)
  return (
    <>
      <Months months={months.slice(0, SHOWN)} running={months[0]} />
      {earlier.length > 0 && (
        <details>
          <summary>{t('statements.earlier')}</summary>
          <Months months={earlier} />
        </details>
      )}
    </>
  )
}

const Months = ({ months, running }: {
  readonly months: readonly string[]
  readonly running?: string | undefined
}) => (
  <ul class="statements card">
    {months.map((month) => (
      <li key={month}>
        <span>
          {monthName(month)}
          {month === running && <span class="soft"> {t('statements.now')}</span>}
        </span>
        <a class="button small" href={`/console/api/statements/${month}`}
          download aria-label={`${t('statements.get')}: ${month}`}>
          <Icon name="download" />{t('statements.get')}</a>
      </li>
    ))}
  </ul>
)
