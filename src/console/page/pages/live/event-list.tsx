import { ago, clockTime, yuan } from '../../format.ts'
import { t, term } from '../../i18n/text.ts'
import type { LiveEvent } from '../../live.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { href } from '../../router.ts'
import type { EntryData } from '../../types.ts'
import { purchaseAddress } from '../orders/address.ts'

export type ShownEvent = Exclude<LiveEvent, { type: 'ready' | 'reset' }>

export interface Shown {
  readonly id: number
  readonly event: ShownEvent
}

export const isShown = (event: LiveEvent): event is ShownEvent =>
  event.type !== 'ready' && event.type !== 'reset'

export const EVENT_KINDS = ['click', 'order', 'aftersale', 'commission', 'withdrawal'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

export const kindOf = (event: ShownEvent): EventKind =>
  (aftersaleStatusOf(event) === undefined ? event.type : 'aftersale')

/** Of an event of an order that is about its after-sale. */
function aftersaleStatusOf(event: ShownEvent): string | undefined {
  if (event.type !== 'order') return undefined
  const { event: name, aftersale_status: status } = event.data
  return name === 'aftersale_requested' ? 'requested' : status
}

type Names = ReadonlyMap<string, string>

const ICONS = {
  click: 'click', order: 'orders', aftersale: 'back', commission: 'earnings',
  withdrawal: 'download',
} as const satisfies Record<EventKind, IconName>

export const EventList = ({ events, names }: {
  readonly events: readonly Shown[]
  readonly names: Names
}) => (
  <ol class="events card" aria-live="polite" aria-relevant="additions">
    {events.map(({ id, event }) => (
      <li key={id} class={kindOf(event)} data-event={kindOf(event)}>
        <span class="event-icon"><Icon name={ICONS[kindOf(event)]} /></span>
        <div>
          <p><strong>{titleOf(event)}</strong> <Amounts event={event} /></p>
          <p class="soft"><About event={event} names={names} /></p>
        </div>
        <time dateTime={event.data.at} title={ago(event.data.at)}>{clockTime(event.data.at)}</time>
      </li>
    ))}
  </ol>
)

function titleOf(event: ShownEvent): string {
  const aftersale = aftersaleStatusOf(event)
  if (aftersale !== undefined) {
    return t('event.aftersale', { step: term('aftersale', aftersale) })
  }
  switch (event.type) {
    case 'click': return t('event.click', { source: term('source', event.data.source) })
    case 'order': return t('event.order', { event: term('order', event.data.event) })
    case 'commission': return t('event.commission', { kind: term('entry', event.data.kind) })
    case 'withdrawal': return t('event.withdrawal', { kind: term('entry', event.data.kind) })
  }
}

function Amounts({ event }: { readonly event: ShownEvent }) {
  if (event.type !== 'commission' && event.type !== 'withdrawal') return null
  return <>{changesOf(event.data).map(([book, fen]) => (
    <span key={book} class={`change ${fen < 0 ? 'less' : 'more'}`}>
      {fen > 0 ? '+' : ''}{yuan(fen)}</span>
  ))}</>
}

/** Where money came to; where it came from only if it went nowhere. */
function changesOf({ changes }: EntryData): [book: string, fen: number][] {
  const all = Object.entries(changes).filter(([, fen]) => fen !== 0)
  const gains = all.filter(([, fen]) => fen > 0)
  return gains.length > 0 ? gains : all
}

function About({ event, names }: { readonly event: ShownEvent, readonly names: Names }) {
  if (event.type === 'click') {
    const { agent, item } = event.data
    return <><span>{nameOf(agent, names)}</span>{item && <code>{item}</code>}</>
  }
  if (event.type === 'order') {
    const { agent, order_no } = event.data
    return <><span>{nameOf(agent, names)}</span><OrderLink orderNo={order_no} /></>
  }
  const { about, source } = event.data
  if (source === 'own') return <OrderLink orderNo={about} />
  return source === undefined ? <code>{about}</code>
    : <a href={href(purchaseAddress(about))}><code>{about}</code></a>
}

const nameOf = (agent: string, names: Names): string => names.get(agent) ?? agent

export const OrderLink = ({ orderNo }: { readonly orderNo: string }) => (
  <a href={href(`/orders/${orderNo}`)}><code>{orderNo}</code></a>
)
