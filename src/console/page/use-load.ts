/** Reading and doing, with what a page shows meanwhile and afterwards. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { asProblem, type Problem } from './api.ts'

export interface Loaded<T> {
  /** Undefined until the first answer; kept while it is read again. */
  readonly data: T | undefined
  readonly problem: Problem | undefined
  reload(): Promise<void>
}

interface LoadOptions {
  /** Whether the answer before is shown until the next one comes, also after `about` changed. */
  readonly isKept?: boolean
}

/** Reads at first and whenever `about` changes; late answers about something else are dropped. */
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
  /** True when it was done. A second call while one runs does nothing. */
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

/** Does the work a moment after it was asked for, once for everything asked in that moment. */
export function useSoon(work: () => unknown): () => void {
  const latest = useRef(work)
  latest.current = work
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  // A timer that runs is left alone: while news keep coming, the work is still done now and then.
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void latest.current()
    }, SETTLE_MS)
  }
}
