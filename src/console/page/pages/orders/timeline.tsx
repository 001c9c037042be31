import { moment } from '../../format.ts'
import { t, term } from '../../i18n/text.ts'
import type { Order } from '../../types.ts'

/** The way of an order that nothing gets into. */
const WAY = ['created', 'paid', 'merchant_accepted', 'shipped', 'delivered', 'completed'] as const
const ENDED = ['closed', 'refunding', 'refunded']

/** What has happened, and what comes next if all goes well. */
export function Timeline({ order: { events, status } }: { readonly order: Order }) {
  const happened = new Set<string>(events.map(({ event }) => event))
  const ahead = ENDED.includes(status) ? [] : WAY.filter((event) => !happened.has(event))
  return (
    <ol class="timeline">
      {events.map(({ event, at, detail }, place) => (
        <li key={`${event} ${at}`} class={place === events.length - 1 ? 'done last' : 'done'}>
          <p><strong>{term('order', event)}</strong></p>
          <p class="soft"><time dateTime={at}>{moment(at)}</time></p>
          {detail && <p class="soft">{[detail.express_co, detail.waybill_no, detail.reason]
            .filter(Boolean).join(' · ')}</p>}
        </li>
      ))}
      {ahead.map((event) => (
        <li key={event} class="ahead">
          <p>{term('order', event)} <span class="hidden">{t('order.ahead')}</span></p>
        </li>
      ))}
    </ol>
  )
}
