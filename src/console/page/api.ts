/** The console's API from the page: calls, hooks that load and act, and the live events. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { forgetEverything, session } from './session.ts'
import type { EntryData } from './types.ts'

const API = '/console/api'
const DEADLINE_MS = 15_000

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface FieldProblem {
  readonly path: string
  readonly problem: string
}

/** `error` is a name of the error table, or `offline` without an answer in time. */
export class Problem extends Error {
  readonly error: string
  readonly fields: readonly FieldProblem[]
  readonly facts: Readonly<Record<string, unknown>>

  constructor(msg: string, data: Readonly<Record<string, unknown>>) {
    super(msg)
    this.error = String(data['error'] ?? 'internal')
    this.fields = (data['fields'] ?? []) as FieldProblem[]
    this.facts = data
  }
}

export const asProblem = (error: unknown): Problem =>
  (error instanceof Problem ? error : new Problem('', { error: 'internal' }))

export interface CallOptions {
  /** A UUID, the same for every repetition of one attempt. */
  readonly idempotencyKey?: string
}

export async function call<T>(
  method: Method, path: string, body?: object, { idempotencyKey }: CallOptions = {},
): Promise<T> {
  const answer = await answerOf(path, {
    method,
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(session.value && { 'X-CSRF-Token': session.value.csrf_token }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (answer.code === 0) return answer.data as T
  if (answer.data['error'] === 'sign_in_required') forgetEverything('ended')
  // A GET has no fields that a person fills in: the address is wrong.
  const isAddress = method === 'GET' && answer.data['error'] === 'invalid_request'
  throw new Problem(answer.msg, isAddress ? { error: 'not_found' } : answer.data)
}

interface Envelope {
  readonly code: number
  readonly msg: string
  readonly data: Readonly<Record<string, unknown>>
}

async function answerOf(path: string, request: RequestInit): Promise<Envelope> {
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS)
    return await (await fetch(API + path, { ...request, signal })).json() as Envelope
  } catch {
    throw new Problem('', { error: 'offline' })
  }
}

export interface Loaded<T> {
  /** Undefined until the first answer; kept during a reload. */
  readonly data: T | undefined
  readonly problem: Problem | undefined
  reload(): Promise<void>
}

interface LoadOptions {
  /** Keeps the data until the next answer, also after `about` changed. */
  readonly isKept?: boolean
}

/** Reads at once and whenever `about` changes; drops late answers of an earlier `about`. */
export function useLoad<T>(
  read: () => Promise<T>, about: readonly unknown[] = [], { isKept = false }: LoadOptions = {},
): Loaded<T> {
  const [state, setState] = useState<Pick<Loaded<T>, 'data' | 'problem'>>(NOTHING)
  const turn = useRef(0)
  const reload = useCallback(async () => {
    const mine = turn.current += 1
    try {
      const data = await read()
      if (mine === turn.current) setState({ data, problem: undefined })
    } catch (error) {
      if (mine === turn.current) setState(({ data }) => ({ data, problem: asProblem(error) }))
    }
  }, about)
  useEffect(() => {
    if (!isKept) setState(NOTHING)
    void reload()
    return () => { turn.current += 1 }
  }, [reload])
  return { ...state, reload }
}

const NOTHING = { data: undefined, problem: undefined }

export interface Action<A extends unknown[]> {
  readonly isBusy: boolean
  readonly problem: Problem | undefined
  /** True once it succeeded. A call while another runs does nothing. */
  run(...given: A): Promise<boolean>
}

export function useAction<A extends unknown[]>(
  work: (...given: A) => Promise<unknown>,
): Action<A> {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const running = useRef(false)
  async function run(...given: A): Promise<boolean> {
    if (running.current) return false
    running.current = true
    setBusy(true)
    setProblem(undefined)
    try {
      await work(...given)
      return true
    } catch (error) {
      setProblem(asProblem(error))
      return false
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return { isBusy, problem, run }
}

const SETTLE_MS = 400

/** Debounces: the returned function runs `work` soon, once for all calls until then. */
export function useSoon(work: () => unknown): () => void {
  const latest = useRef(work)
  latest.current = work
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  // A running timer is kept, so that the work is done even while calls keep coming.
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void latest.current()
    }, SETTLE_MS)
  }
}

/** Calls the latest `work` again and again while somebody sees the page. */
export function useEvery(everyMs: number, work: () => unknown): void {
  const latest = useRef(work)
  latest.current = work
  useEffect(() => {
    const timer = setInterval(() => { if (!document.hidden) void latest.current() }, everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}

const ADDRESS = '/console/api/live'
/** Before a reconnect, where the browser does not reconnect itself. */
const RETRY_MS = 5000

interface OrderData {
  readonly at: string
  readonly agent: string
  readonly order_no: string
  readonly event: string
  readonly aftersale_status?: string
}

interface ClickData {
  readonly at: string
  readonly agent: string
  readonly source: string
  readonly item: string | null
}

/** A purchase at a platform, in one of its statuses. */
interface MallOrderData {
  readonly at: string
  readonly agent: string
  readonly source: string
  readonly mall_order_no: string
  readonly status: string
  readonly amount: number
}

export type LiveEvent =
  | { readonly type: 'order', readonly data: OrderData }
  | { readonly type: 'click', readonly data: ClickData }
  | { readonly type: 'mall_order', readonly data: MallOrderData }
  | { readonly type: 'commission' | 'withdrawal', readonly data: EntryData }
  | { readonly type: 'ready' | 'reset', readonly data: object }

const TYPES = [
  'order', 'click', 'mall_order', 'commission', 'withdrawal', 'ready', 'reset',
] as const

export type LiveState = 'connecting' | 'live' | 'away'

/** Calls the latest `onEvent` for each event while the component is mounted. */
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
        // The feed was refused: reading the session shows whether it has ended.
        call('GET', '/session').catch(() => {})
        timer = setTimeout(reopen, RETRY_MS)
      })
    }
    /** Starts anew: only the browser's own reconnect sends the last position. */
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

/** Works without https, too, unlike crypto.randomUUID. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
