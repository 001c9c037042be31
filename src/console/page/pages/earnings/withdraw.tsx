import { useRef, useState } from 'preact/hooks'
import { call, Problem } from '../../api.ts'
import { fenOf, yuan, yuanInput } from '../../format.ts'
import { t } from '../../i18n/text.ts'
import { Choice } from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { problemOf, TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { useAction } from '../../use-load.ts'
import { newUuid } from '../start/schema.ts'

interface WithdrawProps {
  readonly withdrawable: number
  readonly minimum: number
  onDone(): void
  onClose(): void
}

type Kind = 'payment_app' | 'bank_card'

export function Withdraw({ withdrawable, minimum, onDone, onClose }: WithdrawProps) {
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

/** Of two forms of a payee the API may name the payee as a whole. */
const payeeProblem = (problem: Problem | undefined, path: string) =>
  problemOf(problem, `payee.${path}`) ?? problemOf(problem, 'payee')
