import { useRef, useState } from 'preact/hooks'
import { call } from '../api.ts'
import { t } from '../i18n/text.ts'
import { useLive, type LiveEvent, type LiveState } from '../live.ts'
import { Show } from '../parts/loaded.tsx'
import { Empty } from '../parts/notice.tsx'
import { Page, Section } from '../parts/page.tsx'
import type { Activity, Agent } from '../types.ts'
import { useLoad, useSoon } from '../use-load.ts'
import { Charts } from './live/charts.tsx'
import { EventList, isShown, type Shown } from './live/event-list.tsx'
import { Totals } from './live/totals.tsx'

const EVENTS_SHOWN = 50

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
      setEvents((others) => [shown, ...others].slice(0, EVENTS_SHOWN))
    }
    readTotals()
  })

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
                  : <EventList events={events} names={names} />}
              </Section>
            </div>
          </>
        )}
      </Show>
    </Page>
  )
}

const Connection = ({ state }: { readonly state: LiveState }) => (
  <p class={`connection ${state}`} role="status">{t(`live.${state}`)}</p>
)
