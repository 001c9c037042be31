import { ago, moment, yuan } from '../../format.ts'
import { t, term } from '../../i18n/text.ts'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { href } from '../../router.ts'
import type { CommissionInfo, OrderRow, Purchase } from '../../types.ts'
import { OrderLink } from '../live/event-list.tsx'
import { purchaseAddress } from './address.ts'

/** Cells in one order for both lists: the style sheet places them on a phone. */
const AMOUNT = 4

export const OrderRows = ({ items }: { readonly items: readonly OrderRow[] }) => (
  <Table caption={t('page.orders')} isBrief numbers={[AMOUNT]} head={[
    t('order'), t('item'), t('agent'), t('status'), t('amount'), t('created'),
  ]} rows={items.map((order) => ({
    key: order.order_no,
    cells: [
      <OrderLink orderNo={order.order_no} />,
      <span class="title">{order.items.map(({ title, qty }) => times(title, qty)).join(', ')}
      </span>,
      order.agent_label || order.agent,
      <Status group="order" word={order.status} />,
      <Amount amount={order.amount} commission={order.commission} />,
      <When at={order.created_at} />,
    ],
  }))} />
)

export const PurchaseRows = ({ items }: { readonly items: readonly Purchase[] }) => (
  <Table caption={t('orders.malls')} isBrief numbers={[AMOUNT]} head={[
    t('order'), t('item'), t('agent'), t('status'), t('amount'), t('changed'),
  ]} rows={items.map((one) => ({
    key: one.purchase,
    cells: [
      <a href={href(purchaseAddress(one.purchase))}>
        <span class="source">{term('source', one.source)}</span> <code>{one.mall_order_no}</code>
      </a>,
      <span class="title">{times(one.title, one.qty)}</span>,
      one.agent_label || one.agent,
      <Status group="mall" word={one.status} />,
      <Amount amount={one.amount} commission={one.commission} />,
      <When at={one.updated_at} />,
    ],
  }))} />
)

const times = (title: string, qty: number): string => (qty > 1 ? `${title} × ${qty}` : title)

const Amount = ({ amount, commission }: {
  readonly amount: number
  readonly commission: CommissionInfo | undefined
}) => (
  <>
    {yuan(amount)}
    {commission && (
      <small class={`brought ${commission.state}`} title={commissionText(commission)}>
        +{yuan(commission.amount)}</small>
    )}
  </>
)

/** "¥6.17 · 5 % · pending" */
export const commissionText = ({ state, amount, bps }: CommissionInfo): string =>
  `${yuan(amount)} · ${bps / 100} % · ${term('entry', state)}`

const When = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={moment(at)}>{ago(at)}</time>
)
