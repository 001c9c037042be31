import { useRef, useState } from 'preact/hooks'
import { call } from '../api.ts'
import { t } from '../i18n/text.ts'
import { useLive, type LiveEvent, type LiveState } from '../live.ts'
import { Choice } from '../parts/choice.tsx'
import { Show } from '../parts/loaded.tsx'
import { Empty } from '../parts/notice.tsx'
import { Page, Section } from '../parts/page.tsx'
import { changeQuery, query } from '../router.ts'
import type { Activity, Agent } from '../types.ts'
import { useLoad, useSoon } from '../use-load.ts'
import { Charts } from './live/charts.tsx'
import {
  EVENT_KINDS, EventList, isShown, kindOf, type Shown,
} from './live/event-list.tsx'
import { Totals } from './live/totals.tsx'

/** Of each kind, so that many of one leave room for the others. */
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

/** Whether it is among the last of its kind; the newest stand first. */
function isRecent({ event }: Shown, place: number, all: readonly Shown[]): boolean {
  return all.slice(0, place).filter((one) => kindOf(one.event) === kindOf(event)).length
    < EVENTS_KEPT
}

const Connection = ({ state }: { readonly state: LiveState }) => (
  <p class={`connection ${state}`} role="status">{t(`live.${state}`)}</p>
)
