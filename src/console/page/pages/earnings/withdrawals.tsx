import { moment, monthName, yuan } from '../../format.ts'
import { t, term } from '../../i18n/text.ts'
import { Empty } from '../../parts/notice.tsx'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import type { Withdrawal } from '../../types.ts'

export function Withdrawals({ list }: { readonly list: readonly Withdrawal[] }) {
  if (list.length === 0) {
    return <Empty title={t('withdrawals.none')}><p>{t('withdrawals.none.lead')}</p></Empty>
  }
  return (
    <Table caption={t('withdrawals.title')} numbers={[1]} head={[
      t('withdrawal'), t('amount'), t('status'), t('withdraw.payee'), t('withdraw.month'),
    ]} rows={list.map((one) => ({
      key: one.withdrawal_id,
      cells: [
        <span>{moment(one.requested_at)}</span>,
        yuan(one.amount),
        <Status group="withdrawal" word={one.status} />,
        payeeOf(one),
        one.payout_month === null ? <span class="soft">–</span> : monthName(one.payout_month),
      ],
    }))} />
  )
}

function payeeOf({ payee_masked: { kind = '', ...rest } }: Withdrawal) {
  return <>{term('payee', kind)} <span class="soft">{Object.values(rest).join(' · ')}</span></>
}
