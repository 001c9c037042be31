import { call } from '../api.ts'
import { moment, yuan } from '../format.ts'
import { t, term } from '../i18n/text.ts'
import { useLive } from '../live.ts'
import { Facts, type Fact } from '../parts/facts.tsx'
import { Icon } from '../parts/icon.tsx'
import { Show } from '../parts/loaded.tsx'
import { Page, Section } from '../parts/page.tsx'
import { Status } from '../parts/status.tsx'
import { href } from '../router.ts'
import { service } from '../session.ts'
import type { Order } from '../types.ts'
import { useLoad, useSoon } from '../use-load.ts'
import { listAddress } from './orders/address.ts'
import { commissionText } from './orders/rows.tsx'
import { SandboxControls } from './orders/sandbox-controls.tsx'
import { stepTime, Timeline } from './orders/timeline.tsx'

export function OrderPage({ orderNo }: { readonly orderNo: string }) {
  const order = useLoad(() => call<Order>('GET', `/orders/${encodeURIComponent(orderNo)}`))
  const readAgain = useSoon(order.reload)
  useLive(({ type, data }) => {
    if (type === 'reset' || (type === 'order' && data.order_no === orderNo)
      || (type === 'commission' && data.about === orderNo)) readAgain()
  })
  return (
    <Page title={t('order.title')} lead={<code>{orderNo}</code>} actions={
      <a class="button" href={href(listAddress.value)}>
        <Icon name="left" />{t('order.back')}</a>}>
      <Show from={order}>
        {(data) => (
          <div class="order-columns">
            <div>
              <OrderFacts order={data} />
              {service.value?.sandbox
                && <SandboxControls order={data} onMoved={order.reload} />}
              {data.logistics && <Parcel logistics={data.logistics} />}
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

function OrderFacts({ order }: { readonly order: Order }) {
  const { status, amount, freight, items, receiver_masked: receiver, pay_url, aftersale } = order
  const facts: Fact[] = [
    ...items.map((item): Fact => [t('item'),
      <>{item.title}<span class="soft"> × {item.qty} · {yuan(item.unit_price)}</span></>]),
    [t('order.freight'), yuan(freight)],
    [t('agent'), order.agent_label || <code>{order.agent}</code>],
    [t('commission'), order.commission && commissionText(order.commission)],
    [t('order.user_ref'), order.user_ref && <code>{order.user_ref}</code>],
    [t('order.receiver'), `${receiver.name} · ${receiver.phone} · ${receiver.province}`
      + `${receiver.city}${receiver.district} ${receiver.address}`],
    [t('created'), stepTime(order.created_at)],
    [t('order.aftersale'), aftersale && `${term('aftersale', aftersale.status)} · `
      + yuan(aftersale.refund_amount)],
  ]
  return (
    <Facts amount={amount} facts={facts} status={<Status group="order" word={status} />}>
      {pay_url && (
        <p class="actions">
          <a class="button" href={pay_url} target="_blank" rel="noopener">
            {t('order.cashier')}<Icon name="external" /></a>
          {order.pay_expires_at && <span class="soft">
            {t('order.pay_until', { time: moment(order.pay_expires_at) })}</span>}
        </p>
      )}
    </Facts>
  )
}

/** What the carrier says, the newest first. */
const Parcel = ({ logistics: { express_co, waybill_no, traces } }: {
  readonly logistics: NonNullable<Order['logistics']>
}) => (
  <Section title={t('order.parcel')}
    lead={<>{express_co} <code>{waybill_no}</code></>}>
    <ol class="traces card">
      {traces.toReversed().map(({ time, context }) => (
        <li key={`${time} ${context}`}>
          <time class="soft" dateTime={time}>{stepTime(time)}</time>
          <span lang="zh-CN">{context}</span>
        </li>
      ))}
    </ol>
  </Section>
)
