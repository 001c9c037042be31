/** The time that one call has: its own deadline, and its caller's patience. */
import { SourceError } from './failure.ts'

export interface Scope {
  /** Aborted with the SourceError that the call ends with. */
  readonly signal: AbortSignal
  /** The result, or the end of the scope if that comes first. */
  race<T>(work: Promise<T>): Promise<T>
  close(): void
}

export function openScope(source: string, ms: number, outer: AbortSignal | undefined): Scope {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new SourceError(source, 'timeout')), ms)
  const onOuter = (): void => {
    // A caller that gave up because its own time was over has seen a slow source.
    const late = (outer?.reason as { name?: unknown } | undefined)?.name === 'TimeoutError'
    controller.abort(new SourceError(source, late ? 'timeout' : 'aborted'))
  }
  if (outer?.aborted) onOuter()
  else outer?.addEventListener('abort', onOuter, { once: true })
  const { signal } = controller
  return {
    signal,
    race: (work) => race(signal, work),
    close() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', onOuter)
    },
  }
}

async function race<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let onAbort!: () => void
  const ended = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as SourceError)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([work, ended])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
