/** One order with its timeline, or one purchase at a mall. */
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { call, useAction, useLive, useLoad, useSoon } from '../api.ts'
import { moment, momentExact, yuan } from '../format.ts'
import { t, term } from '../i18n/text.ts'
import { Icon } from '../parts/icon.tsx'
import { ProblemNotice, Show } from '../parts/notice.tsx'
import { type Fact, Facts, Page, Section, Status } from '../parts/page.tsx'
import { href } from '../router.ts'
import { service } from '../session.ts'
import type { CommissionInfo, Order, Purchase, SandboxMove } from '../types.ts'
import { OrderAttempts } from './attempts.tsx'

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
          <>
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
            <OrderAttempts orderNo={orderNo} steps={data.events.length} />
          </>
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

/** The carrier's traces, newest first. */
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

type OrderStatus = Order['status']

/** The statuses that allow a move; the service checks it again. */
const FROM: Readonly<Record<SandboxMove, readonly OrderStatus[]>> = {
  pay: ['pending_payment'],
  accept: ['paid'],
  ship: ['merchant_accepted'],
  deliver: ['shipped'],
  complete: ['delivered'],
  delay: ['paid', 'merchant_accepted', 'shipped', 'delivered', 'refunding'],
  refund: ['paid', 'merchant_accepted', 'shipped', 'delivered'],
  restore_quota: ['delivered', 'completed', 'refunding', 'refunded'],
}
const MOVES = Object.keys(FROM) as SandboxMove[]
/** Moves that need the order's after-sale to be over. */
const WITHOUT_AFTERSALE: readonly SandboxMove[] = ['complete', 'refund']

function isPossible(move: SandboxMove, { status, upcoming }: Order): boolean {
  if (move === 'delay' && !upcoming.some(({ at }) => at !== undefined)) return false
  const hasOpen = upcoming.some(({ aftersale_status }) => aftersale_status !== undefined)
  return FROM[move].includes(status) && !(hasOpen && WITHOUT_AFTERSALE.includes(move))
}

function SandboxControls({ order, onMoved }: {
  readonly order: Order
  onMoved(): Promise<void>
}) {
  const [done, setDone] = useState<SandboxMove>()
  const action = useAction(async (move: SandboxMove) => {
    setDone(undefined)
    try {
      await call('POST', `/orders/${order.order_no}/moves`, { move })
      setDone(move)
    } finally {
      // After a refusal, too: then the page shows an outdated status.
      await onMoved()
    }
  })
  return (
    <Section title={t('sandbox.title')} lead={t('sandbox.lead')}>
      <div class="moves">
        {MOVES.map((move) => (
          <button key={move} type="button"
            class={move === 'refund' ? 'button danger' : 'button'}
            disabled={!isPossible(move, order)} aria-disabled={action.isBusy}
            onClick={() => void action.run(move)}>{t(`sandbox.${move}`)}</button>
        ))}
      </div>
      <div class="soft moved" role="status">
        {done && <p>{t('sandbox.done', { move: t(`sandbox.${done}`) })}</p>}
        {order.upcoming.filter(({ at }) => at !== undefined).map((step) => (
          <p key={stepName(step)}>{t('sandbox.next', {
            step: stepName(step), time: stepTime(step.at ?? ''),
          })}</p>
        ))}
      </div>
      <ProblemNotice problem={action.problem} />
    </Section>
  )
}

/** After-sale statuses for which the order has an event of its own. */
const SHOWN_BY_ORDER: readonly string[] = ['requested', 'refunded']

interface Step {
  readonly name: string
  readonly at: string
  readonly about: string
}

/** Past steps of the order and its after-sales, and the next ones if all goes well. */
function Timeline({ order }: { readonly order: Order }) {
  const steps = stepsOf(order)
  return (
    <ol class="timeline">
      {steps.map(({ name, at, about }, place) => (
        <li key={`${name} ${at}`} class={place === steps.length - 1 ? 'done last' : 'done'}>
          <p><strong>{name}</strong></p>
          <p class="soft"><time dateTime={at}>{stepTime(at)}</time></p>
          {about !== '' && <p class="soft">{about}</p>}
        </li>
      ))}
      {order.upcoming.map((step) => (
        <li key={stepName(step)} class="ahead">
          <p>{stepName(step)} <span class="hidden">{t('order.ahead')}</span></p>
          {step.at && <p class="soft">{t('order.next')} <time dateTime={step.at}>
            {stepTime(step.at)}</time></p>}
        </li>
      ))}
    </ol>
  )
}

/** With seconds in the sandbox, where a minute has several steps. */
const stepTime = (iso: string): string =>
  (service.value?.sandbox ? momentExact : moment)(iso)

const stepName = (step: Order['upcoming'][number]): string => (step.aftersale_status
  ? aftersaleStep(step.aftersale_status) : term('order', step.event ?? ''))

const aftersaleStep = (status: string): string =>
  t('event.aftersale', { step: term('aftersale', status) })

function stepsOf({ events, aftersales }: Order): Step[] {
  const own = events.map(({ event, at, detail }): Step => ({
    name: event === 'aftersale_requested' ? aftersaleStep('requested') : term('order', event), at,
    about: [detail?.express_co, detail?.waybill_no, detail?.reason].filter(Boolean).join(' · '),
  }))
  const after = aftersales.flatMap(({ events, why, pickup_waybill_no: pickup }) =>
    events.filter(({ status }) => !SHOWN_BY_ORDER.includes(status)).map(({ status, at }): Step => ({
      name: aftersaleStep(status), at,
      about: (status === 'rejected' ? why : status === 'pickup_booked' ? pickup : '') ?? '',
    })))
  return [...own, ...after].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}

/** A user's purchase at a platform, as the platform reported it last. */
export function PurchasePage({ id }: { readonly id: string }) {
  const purchase = useLoad(() => call<Purchase>('GET', `/purchases/${encodeURIComponent(id)}`))
  const readAgain = useSoon(purchase.reload)
  useLive(({ type, data }) => {
    if (type === 'reset' || (type === 'commission' && data.about === id)) readAgain()
  })
  const back = listAddress.value.includes('kind=malls') ? listAddress.value : '/orders?kind=malls'
  return (
    <Page title={t('purchase.title')} lead={<code>{id}</code>} actions={
      <a class="button" href={href(back)}><Icon name="left" />{t('purchase.back')}</a>}>
      <Show from={purchase}>
        {(data) => (
          <div class="narrow-card">
            <Facts amount={data.amount} facts={factsOf(data)}
              status={<Status group="mall" word={data.status} />} />
          </div>
        )}
      </Show>
    </Page>
  )
}

const factsOf = (one: Purchase): Fact[] => [
  [t('item'), <>{one.title}{one.qty > 1 && <span class="soft"> × {one.qty}</span>}</>],
  [t('source'), term('source', one.source)],
  [t('purchase.number'), <code>{one.mall_order_no}</code>],
  [t('purchase.item'), one.item_id && <code>{one.item_id}</code>],
  [t('agent'), one.agent_label || <code>{one.agent}</code>],
  [t('commission'), one.commission && commissionText(one.commission)],
  [t('purchase.ordered'), one.ordered_at && moment(one.ordered_at)],
  [t('purchase.paid'), one.paid_at && moment(one.paid_at)],
  [t('changed'), moment(one.updated_at)],
  [t('purchase.unit'), one.qty > 1 && yuan(Math.round(one.amount / one.qty))],
]

/** The list's last address, to which "all orders" leads back. */
export const listAddress = signal('/orders')

export const OrderLink = ({ orderNo }: { readonly orderNo: string }) => (
  <a href={href(`/orders/${orderNo}`)}><code>{orderNo}</code></a>
)

/** The address of a purchase's page. */
export const purchaseAddress = (id: string): string =>
  `/purchases/${encodeURIComponent(id).replaceAll('%3A', ':')}`

/** "¥6.17 · 5 % · pending" */
export const commissionText = ({ state, amount, bps }: CommissionInfo): string =>
  `${yuan(amount)} · ${bps / 100} % · ${term('entry', state)}`
