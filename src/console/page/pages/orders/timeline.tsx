import { moment, momentExact } from '../../format.ts'
import { t, term } from '../../i18n/text.ts'
import { service } from '../../session.ts'
import type { Order } from '../../types.ts'

/** The order's own events say these of an after-sale, too. */
const SAID_BY_ORDER: readonly string[] = ['requested', 'refunded']

interface Step {
  readonly name: string
  readonly at: string
  readonly about: string
}

/** What has happened to the order and its after-sales, and what comes next if all goes well. */
export function Timeline({ order }: { readonly order: Order }) {
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

/** In the sandbox much happens in a minute. */
export const stepTime = (iso: string): string =>
  (service.value?.sandbox ? momentExact : moment)(iso)

export const stepName = (step: Order['upcoming'][number]): string => (step.aftersale_status
  ? aftersaleStep(step.aftersale_status) : term('order', step.event ?? ''))

export const aftersaleStep = (status: string): string =>
  t('event.aftersale', { step: term('aftersale', status) })

function stepsOf({ events, aftersales }: Order): Step[] {
  const own = events.map(({ event, at, detail }): Step => ({
    name: event === 'aftersale_requested' ? aftersaleStep('requested') : term('order', event), at,
    about: [detail?.express_co, detail?.waybill_no, detail?.reason].filter(Boolean).join(' · '),
  }))
  const after = aftersales.flatMap(({ events, why, pickup_waybill_no: pickup }) =>
    events.filter(({ status }) => !SAID_BY_ORDER.includes(status)).map(({ status, at }): Step => ({
      name: aftersaleStep(status), at,
      about: (status === 'rejected' ? why : status === 'pickup_booked' ? pickup : '') ?? '',
    })))
  return [...own, ...after].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
}
