import { ago, clockTime, yuan } from '../../format.ts'
import { t, term } from '../../i18n/text.ts'
import type { LiveEvent } from '../../live.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { href } from '../../router.ts'
import type { EntryData } from '../../types.ts'

export type ShownEvent = Exclude<LiveEvent, { type: 'ready' | 'reset' }>

export interface Shown {
  readonly id: number
  readonly event: ShownEvent
}

export const isShown = (event: LiveEvent): event is ShownEvent =>
  event.type !== 'ready' && event.type !== 'reset'

type Names = ReadonlyMap<string, string>

const ICONS = {
  click: 'click', order: 'orders', commission: 'earnings', withdrawal: 'download',
} as const satisfies Record<ShownEvent['type'], IconName>

export const EventList = ({ events, names }: {
  readonly events: readonly Shown[]
  readonly names: Names
}) => (
  <ol class="events card" aria-live="polite" aria-relevant="additions">
    {events.map(({ id, event }) => (
      <li key={id} class={event.type} data-event={event.type}>
        <span class="event-icon"><Icon name={ICONS[event.type]} /></span>
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
  switch (event.type) {
    case 'click': return t('event.click', { source: term('source', event.data.source) })
    case 'order': return t('event.order', {
      event: event.data.aftersale_status
        ? term('aftersale', event.data.aftersale_status) : term('order', event.data.event),
    })
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
    return <>{nameOf(event.data.agent, names)}{event.data.item && <> · <code>
      {event.data.item}</code></>}</>
  }
  if (event.type === 'order') {
    return <>{nameOf(event.data.agent, names)} · <OrderLink orderNo={event.data.order_no} /></>
  }
  const { about, source } = event.data
  return source === 'own' ? <OrderLink orderNo={about} /> : <code>{about}</code>
}

const nameOf = (agent: string, names: Names): string => names.get(agent) ?? agent

export const OrderLink = ({ orderNo }: { readonly orderNo: string }) => (
  <a href={href(`/orders/${orderNo}`)}><code>{orderNo}</code></a>
)
