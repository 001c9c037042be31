import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { ago, moment, yuan } from '../format.ts'
import { t } from '../i18n/text.ts'
import { useLive } from '../live.ts'
import { SelectField } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { Show } from '../parts/loaded.tsx'
import { Empty } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { Status } from '../parts/status.tsx'
import { Table } from '../parts/table.tsx'
import type { Agent, OrderPage, OrderRow } from '../types.ts'
import { useLoad, useSoon } from '../use-load.ts'
import { OrderLink } from './live/event-list.tsx'

const PAGE_SIZE = 20

export function OrdersPage() {
  const agents = useLoad(() => call<{ agents: Agent[] }>('GET', '/agents'))
  const [agent, setAgent] = useState('')
  /** Where each page that was seen begins; the first has no cursor. */
  const [cursors, setCursors] = useState<readonly string[]>([''])
  const cursor = cursors.at(-1) ?? ''
  const orders = useLoad(() => call<OrderPage>('GET', `/orders?${new URLSearchParams({
    limit: String(PAGE_SIZE), ...(agent && { agent }), ...(cursor && { cursor }),
  })}`), [agent, cursor])
  const readAgain = useSoon(orders.reload)
  useLive(({ type }) => { if (type === 'order' || type === 'reset') readAgain() })
  const list = agents.data?.agents ?? []
  const names = new Map(list.map((one) => [one.agent, one.label]))
  return (
    <Page title={t('page.orders')} lead={t('orders.lead')}>
      {list.length > 1 && (
        <div class="filter">
          <SelectField label={t('agent')} value={agent}
            options={[['', t('orders.all')], ...list.map((one) => [one.agent, one.label] as const)]}
            onChange={(next) => {
              setAgent(next)
              setCursors([''])
            }} />
        </div>
      )}
      <Show from={orders}>
        {({ items, next_cursor: next }) => items.length === 0 && cursors.length === 1
          ? (
            <Empty title={t('orders.none')}>
              <Icon name="orders" />
              <p>{t('orders.none.lead')}</p>
              <a class="button primary" href="/console">{t('orders.none.go')}</a>
            </Empty>
          )
          : (
            <>
              <Orders items={items} names={names} />
              <Paging page={cursors.length} hasNext={next !== undefined}
                onBack={() => setCursors((all) => all.slice(0, -1))}
                onNext={() => setCursors((all) => [...all, next ?? ''])} />
            </>
          )}
      </Show>
    </Page>
  )
}

const Orders = ({ items, names }: {
  readonly items: readonly OrderRow[]
  readonly names: ReadonlyMap<string, string>
}) => (
  <Table caption={t('page.orders')} numbers={[4]} head={[
    t('order'), t('item'), t('agent'), t('status'), t('amount'), t('created'),
  ]} rows={items.map((order) => ({
    key: order.order_no,
    cells: [
      <OrderLink orderNo={order.order_no} />,
      <span class="title">{order.items.map(({ title, qty }) =>
        `${title}${qty > 1 ? ` × ${qty}` : ''}`).join(', ')}</span>,
      names.get(order.agent) ?? order.agent,
      <Status group="order" word={order.status} />,
      yuan(order.amount),
      <time dateTime={order.created_at} title={moment(order.created_at)}>
        {ago(order.created_at)}</time>,
    ],
  }))} />
)

function Paging({ page, hasNext, onBack, onNext }: {
  readonly page: number
  readonly hasNext: boolean
  onBack(): void
  onNext(): void
}) {
  if (page === 1 && !hasNext) return null
  return (
    <nav class="paging" aria-label={t('paging')}>
      <button type="button" class="button small" disabled={page === 1} onClick={onBack}>
        <Icon name="left" />{t('paging.newer')}</button>
      <span class="soft numbers">{t('paging.page', { n: page })}</span>
      <button type="button" class="button small" disabled={!hasNext} onClick={onNext}>
        {t('paging.older')}<Icon name="right" /></button>
    </nav>
  )
}
