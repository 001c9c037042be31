/** What happens to the account, as it happens; the connection comes back by itself. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from './api.ts'
import type { EntryData } from './types.ts'

const ADDRESS = '/console/api/live'
/** Until it is tried again where the browser has given up. */
const RETRY_MS = 5000

export interface OrderData {
  readonly at: string
  readonly agent: string
  readonly order_no: string
  readonly event: string
  readonly aftersale_status?: string
}

export interface ClickData {
  readonly at: string
  readonly agent: string
  readonly source: string
  readonly item: string | null
}

export type LiveEvent =
  | { readonly type: 'order', readonly data: OrderData }
  | { readonly type: 'click', readonly data: ClickData }
  | { readonly type: 'commission' | 'withdrawal', readonly data: EntryData }
  | { readonly type: 'ready' | 'reset', readonly data: object }

const TYPES = ['order', 'click', 'commission', 'withdrawal', 'ready', 'reset'] as const

export type LiveState = 'connecting' | 'live' | 'away'

/** Calls `onEvent`, as it is then, for each event while the component is there. */
export function useLive(onEvent: (event: LiveEvent) => void): LiveState {
  const [state, setState] = useState<LiveState>('connecting')
  const latest = useRef(onEvent)
  latest.current = onEvent
  useEffect(() => {
    let source: EventSource
    let timer: ReturnType<typeof setTimeout> | undefined
    const open = (): void => {
      source = new EventSource(ADDRESS)
      for (const type of TYPES) {
        source.addEventListener(type, ({ data }: MessageEvent<string>) => {
          setState('live')
          latest.current({ type, data: JSON.parse(data) } as LiveEvent)
        })
      }
      source.addEventListener('open', () => setState('live'))
      source.addEventListener('error', () => {
        setState('away')
        if (source.readyState !== EventSource.CLOSED) return
        // It was refused: perhaps the session has ended, which the page then shows.
        call('GET', '/session').catch(() => {})
        timer = setTimeout(reopen, RETRY_MS)
      })
    }
    /** From the beginning: only the browser's own return knows where it was. */
    const reopen = (): void => {
      latest.current({ type: 'reset', data: {} })
      open()
    }
    open()
    return () => {
      clearTimeout(timer)
      source.close()
    }
  }, [])
  return state
}
