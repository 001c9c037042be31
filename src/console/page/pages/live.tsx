/** Events of the account as they happen, and charts of its clicks, orders and commission. */
import { useRef, useState } from 'preact/hooks'
import { call, type LiveEvent, type LiveState, useLive, useLoad, useSoon } from '../api.ts'
import { ago, clockTime, count, dayName, yuan, yuanBrief } from '../format.ts'
import { t, term } from '../i18n/text.ts'
import { Chart } from '../parts/chart.tsx'
import { Choice } from '../parts/form.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { Empty, Show } from '../parts/notice.tsx'
import { Page, Section } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { changeQuery, href, query } from '../router.ts'
import type { Activity, ActivityRow, Agent, EntryData } from '../types.ts'
import { OrderLink, purchaseAddress } from './order.tsx'

/** Of each kind, so that many events of one leave the others in the list. */
const EVENTS_KEPT = 50

export function LivePage() {
  const agents = useLoad(() => call<{ agents: Agent[] }>('GET', '/agents'))
  const activity = useLoad(() => call<Activity>('GET', '/activity'))
  const [events, setEvents] = useState<readonly Shown[]>([])
  const counter = useRef(0)
  const readTotals = useSoon(activity.reload)

  const state = useLive((event: LiveEvent) => {
    if (event.type === 'reset') setEvents([])
    if (isShown(event)) {
      counter.current += 1
      const shown: Shown = { id: counter.current, event }
      setEvents((others) => [shown, ...others].filter(isRecent))
    }
    readTotals()
  })

  const kind = EVENT_KINDS.find((one) => one === new URLSearchParams(query.value).get('kind'))
  const chosen = events.filter(({ event }) => kind === undefined || kindOf(event) === kind)
    .slice(0, EVENTS_KEPT)
  const names = new Map(agents.data?.agents.map(({ agent, label }) => [agent, label]))
  return (
    <Page title={t('page.live')} lead={t('live.lead')} actions={<Connection state={state} />}>
      <Show from={activity}>
        {(data) => (
          <>
            <Totals activity={data} />
            <div class="live-columns">
              <Section title={t('live.charts')}>
                {data.rows.length === 0
                  ? <p class="soft card">{t('live.charts.none')}</p>
                  : <Charts activity={data} names={names} />}
              </Section>
              <Section title={t('live.events')}>
                {events.length === 0
                  ? (
                    <Empty title={t('live.none')}>
                      <p>{t('live.none.lead')}</p>
                      <a class="button" href="/console">{t('live.none.go')}</a>
                    </Empty>
                  )
                  : (
                    <>
                      <Choice label={t('live.kind')} value={kind ?? 'all'}
                        onChange={(next) => changeQuery({ kind: next === 'all' ? '' : next })}
                        options={(['all', ...EVENT_KINDS] as const).map((name) =>
                          [name, t(`live.kind.${name}`)] as const)} />
                      {chosen.length > 0 ? <EventList events={chosen} names={names} />
                        : <p class="soft card">{t('live.kind.none')}</p>}
                    </>
                  )}
              </Section>
            </div>
          </>
        )}
      </Show>
    </Page>
  )
}

/** Whether an event is among the last of its kind; the list has the newest first. */
function isRecent({ event }: Shown, place: number, all: readonly Shown[]): boolean {
  return all.slice(0, place).filter((one) => kindOf(one.event) === kindOf(event)).length
    < EVENTS_KEPT
}

const Connection = ({ state }: { readonly state: LiveState }) => (
  <p class={`connection ${state}`} role="status">{t(`live.${state}`)}</p>
)

const NUMBERS = ['clicks', 'orders', 'amount', 'commission'] as const

const sum = (rows: readonly ActivityRow[], name: (typeof NUMBERS)[number]): number =>
  rows.reduce((total, row) =>
    total + row[name] - (name === 'commission' ? row.reversed : 0), 0)

/** Totals of today, beside those of the whole span. */
function Totals({ activity: { to, rows } }: { readonly activity: Activity }) {
  const today = rows.filter(({ day }) => day === to)
  const text = (name: (typeof NUMBERS)[number], some: readonly ActivityRow[]): string =>
    (name === 'amount' || name === 'commission' ? yuan : count)(sum(some, name))
  return (
    <dl class="totals">
      {NUMBERS.map((name) => (
        <div key={name}>
          <dt>{t(`live.today.${name}`)}</dt>
          <dd data-testid={`today-${name}`}>{text(name, today)}</dd>
          <dd class="soft">{t('live.span', { value: text(name, rows) })}</dd>
        </div>
      ))}
    </dl>
  )
}

interface ChartsProps {
  readonly activity: Activity
  readonly names: ReadonlyMap<string, string>
}

/** One metric by day, in total or by source or agent, as a chart and as a table. */
function Charts({ activity, names }: ChartsProps) {
  const [metric, setMetric] = useState<Metric>('commission')
  const [group, setGroup] = useState<Group>('all')
  const { days, lines } = seriesOf(activity, metric, group)
  const format = metric === 'commission' ? yuan : count
  const nameOf = (name: string): string => (group === 'agent' ? names.get(name) ?? name
    : group === 'source' ? term('source', name) : t(`metric.${metric}`))
  const shown = lines.map((line) => ({ ...line, name: nameOf(line.name) }))
  const rows = days.map((day, place) => ({ day, values: lines.map(({ values }) => values[place]) }))
    .filter(({ values }) => values.some((value) => value !== 0)).toReversed()
  return (
    <div class="card">
      <div class="chart-choices">
        <Choice label={t('chart.metric')} value={metric} onChange={setMetric}
          options={METRICS.map((name) => [name, t(`metric.${name}`)] as const)} />
        <Choice label={t('chart.group')} value={group} onChange={setGroup}
          options={GROUPS.map((name) => [name, t(`group.${name}`)] as const)} />
      </div>
      <Chart label={t('chart.label', { metric: t(`metric.${metric}`) })}
        days={days} lines={shown} format={format}
        formatBrief={metric === 'commission' ? yuanBrief : count} />
      <ul class="legend">
        {shown.map((line, at) => (
          <li key={line.name}><span class={`swatch line-${at}`} />{line.name}
            <strong class="numbers">{format(totalOf(line))}</strong></li>
        ))}
      </ul>
      <details>
        <summary>{t('chart.table')}</summary>
        <Table caption={t('chart.table')} head={[t('day'), ...shown.map(({ name }) => name)]}
          numbers={shown.map((_, at) => at + 1)}
          rows={rows.map(({ day, values }) => ({
            key: day, cells: [dayName(day), ...values.map((value) => format(value ?? 0))],
          }))} />
      </details>
    </div>
  )
}

const METRICS = ['commission', 'orders', 'clicks'] as const
type Metric = (typeof METRICS)[number]
const GROUPS = ['all', 'source', 'agent'] as const
type Group = (typeof GROUPS)[number]

interface Line {
  readonly name: string
  /** One for each day. */
  readonly values: readonly number[]
}

interface Series {
  /** "2026-11-21", oldest first, without gaps. */
  readonly days: readonly string[]
  readonly lines: readonly Line[]
}

const DAY_MS = 86_400_000
/** More lines cannot be distinguished. */
const LINES_MAX = 6

function seriesOf({ from, to, rows }: Activity, metric: Metric, group: Group): Series {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    days.push(new Date(at).toISOString().slice(0, 10))
  }
  const places = new Map(days.map((day, place) => [day, place]))
  const lines = new Map<string, number[]>()
  for (const row of rows) {
    const name = group === 'all' ? 'all' : row[group]
    const values = lines.get(name) ?? days.map(() => 0)
    const place = places.get(row.day)
    if (place !== undefined) values[place] = (values[place] ?? 0) + valueOf(row, metric)
    lines.set(name, values)
  }
  return {
    days,
    lines: [...lines].map(([name, values]) => ({ name, values }))
      .toSorted((one, other) => totalOf(other) - totalOf(one)).slice(0, LINES_MAX),
  }
}

const valueOf = (row: ActivityRow, metric: Metric): number =>
  (metric === 'commission' ? row.commission - row.reversed : row[metric])

const totalOf = ({ values }: Line): number =>
  values.reduce((sum, value) => sum + value, 0)

type ShownEvent = Exclude<LiveEvent, { type: 'ready' | 'reset' }>

interface Shown {
  readonly id: number
  readonly event: ShownEvent
}

const isShown = (event: LiveEvent): event is ShownEvent =>
  event.type !== 'ready' && event.type !== 'reset'

const EVENT_KINDS = [
  'click', 'order', 'aftersale', 'mall_order', 'commission', 'withdrawal',
] as const
type EventKind = (typeof EVENT_KINDS)[number]

const kindOf = (event: ShownEvent): EventKind =>
  (aftersaleStatusOf(event) === undefined ? event.type : 'aftersale')

/** The after-sale's status in an event of its order; undefined for other events. */
function aftersaleStatusOf(event: ShownEvent): string | undefined {
  if (event.type !== 'order') return undefined
  const { event: name, aftersale_status: status } = event.data
  return name === 'aftersale_requested' ? 'requested' : status
}

type Names = ReadonlyMap<string, string>

const ICONS = {
  click: 'click', order: 'orders', aftersale: 'back', mall_order: 'orders',
  commission: 'earnings', withdrawal: 'download',
} as const satisfies Record<EventKind, IconName>

const EventList = ({ events, names }: {
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
    case 'mall_order': return t('event.mall_order', {
      source: term('source', event.data.source), status: term('mall', event.data.status),
    })
    case 'commission': return t('event.commission', { kind: term('entry', event.data.kind) })
    case 'withdrawal': return t('event.withdrawal', { kind: term('entry', event.data.kind) })
  }
}

function Amounts({ event }: { readonly event: ShownEvent }) {
  if (event.type === 'mall_order') return <span class="change">{yuan(event.data.amount)}</span>
  if (event.type !== 'commission' && event.type !== 'withdrawal') return null
  return <>{changesOf(event.data).map(([book, fen]) => (
    <span key={book} class={`change ${fen < 0 ? 'less' : 'more'}`}>
      {fen > 0 ? '+' : ''}{yuan(fen)}</span>
  ))}</>
}

/** The books that gained; those that lost only where none gained. */
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
  if (event.type === 'mall_order') {
    const { agent, source, mall_order_no } = event.data
    return <><span>{nameOf(agent, names)}</span>
      <a href={href(`/orders?${new URLSearchParams({ kind: 'malls', source, q: mall_order_no })}`)}>
        <code>{mall_order_no}</code></a></>
  }
  const { about, source } = event.data
  if (source === 'own') return <OrderLink orderNo={about} />
  return source === undefined ? <code>{about}</code>
    : <a href={href(purchaseAddress(about))}><code>{about}</code></a>
}

const nameOf = (agent: string, names: Names): string => names.get(agent) ?? agent
