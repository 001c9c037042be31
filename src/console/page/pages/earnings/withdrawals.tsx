import { call } from '../../api.ts'
import { moment, monthName, yuan } from '../../format.ts'
import { t, term } from '../../i18n/text.ts'
import { Empty, ProblemNotice } from '../../parts/notice.tsx'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import type { Withdrawal, WithdrawalMove } from '../../types.ts'
import { useAction, type Action } from '../../use-load.ts'

interface WithdrawalsProps {
  readonly list: readonly Withdrawal[]
  onMoved(): Promise<void>
}

export function Withdrawals({ list, onMoved }: WithdrawalsProps) {
  const action = useAction(async (id: string, move: WithdrawalMove) => {
    try {
      await call('POST', `/withdrawals/${encodeURIComponent(id)}/moves`, { move })
    } finally {
      // Also after a refusal: then it is not where the page thought.
      await onMoved()
    }
  })
  if (list.length === 0) {
    return <Empty title={t('withdrawals.none')}><p>{t('withdrawals.none.lead')}</p></Empty>
  }
  const isPretended = list.some(({ mode }) => mode === 'sandbox')
  return (
    <>
    <Table caption={t('withdrawals.title')} numbers={[1]} head={[
      t('withdrawal'), t('amount'), t('status'), t('withdraw.payee'), t('withdraw.month'),
      ...isPretended ? [''] : [],
    ]} rows={list.map((one) => ({
      key: one.withdrawal_id,
      cells: [
        <span>{moment(one.requested_at)}</span>,
        yuan(one.amount),
        <Status group="withdrawal" word={one.status} />,
        payeeOf(one),
        one.payout_month === null ? <span class="soft">–</span> : monthName(one.payout_month),
        ...isPretended ? [movesOf(one, action)] : [],
      ],
    }))} />
    <ProblemNotice problem={action.problem} />
    </>
  )
}

/** What the operator and a bank would do, while it is undecided. */
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
