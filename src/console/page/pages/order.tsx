import type { ComponentChildren } from 'preact'
import { call } from '../api.ts'
import { moment, yuan } from '../format.ts'
import { t, term } from '../i18n/text.ts'
import { useLive } from '../live.ts'
import { Icon } from '../parts/icon.tsx'
import { Show } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { Status } from '../parts/status.tsx'
import { service } from '../session.ts'
import type { Order } from '../types.ts'
import { useLoad, useSoon } from '../use-load.ts'
import { SandboxControls } from './orders/sandbox-controls.tsx'
import { Timeline } from './orders/timeline.tsx'

export function OrderPage({ orderNo }: { readonly orderNo: string }) {
  const order = useLoad(() => call<Order>('GET', `/orders/${encodeURIComponent(orderNo)}`))
  const readAgain = useSoon(order.reload)
  useLive(({ type, data }) => {
    if (type === 'reset' || (type === 'order' && data.order_no === orderNo)) readAgain()
  })
  return (
    <Page title={t('order.title')} lead={<code>{orderNo}</code>}
      actions={<a class="button" href="/console/orders"><Icon name="left" />{t('order.back')}</a>}>
      <Show from={order}>
        {(data) => (
          <div class="order-columns">
            <div>
              <Facts order={data} />
              {service.value?.sandbox
                && <SandboxControls order={data} onMoved={order.reload} />}
            </div>
            <section class="card">
              <h2>{t('order.timeline')}</h2>
              <Timeline order={data} />
            </section>
          </div>
        )}
      </Show>
    </Page>
  )
}

type Row = [name: string, value: ComponentChildren]

function Facts({ order }: { readonly order: Order }) {
  const { status, amount, freight, items, receiver_masked: receiver, pay_url, aftersale } = order
  const rows: Row[] = [
    ...items.map((item): Row => [t('item'),
      <>{item.title}<span class="soft"> × {item.qty} · {yuan(item.unit_price)}</span></>]),
    [t('order.freight'), yuan(freight)],
    [t('agent'), <code>{order.agent}</code>],
    ...(order.user_ref
      ? [[t('order.user_ref'), <code>{order.user_ref}</code>] satisfies Row] : []),
    [t('order.receiver'), `${receiver.name} · ${receiver.phone} · ${receiver.province}`
      + `${receiver.city}${receiver.district} ${receiver.address}`],
    [t('created'), moment(order.created_at)],
    ...(aftersale ? [[t('order.aftersale'), `${term('aftersale', aftersale.status)} · `
      + yuan(aftersale.refund_amount)] satisfies Row] : []),
  ]
  return (
    <div class="card facts">
      <header>
        <p class="amount">{yuan(amount)}</p>
        <Status group="order" word={status} />
      </header>
      <dl>{rows.map(([name, value]) => (
        <div key={name}><dt>{name}</dt><dd>{value}</dd></div>
      ))}</dl>
      {pay_url && (
        <p class="actions">
          <a class="button" href={pay_url} target="_blank" rel="noopener">
            {t('order.cashier')}<Icon name="external" /></a>
          {order.pay_expires_at && <span class="soft">
            {t('order.pay_until', { time: moment(order.pay_expires_at) })}</span>}
        </p>
      )}
    </div>
  )
}
