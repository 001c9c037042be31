/** Servers of ours that end by themselves are started again, ever more slowly while they fail. */
import { monotonicMs, sleepUnless } from '../contract/time.ts'
import type { Logger } from '../log.ts'

export interface KeptServers<Role extends string> {
  readonly roles: readonly Role[]
  isRunning(role: Role): boolean
  /** On the same address, with the same data; rejects with the reason why not. */
  restart(role: Role): Promise<void>
  /** Called after each restart. */
  onRestarted?: ((role: Role) => Promise<void>) | undefined
  readonly log: Logger
}

const LOOK_MS = 500
const DELAY_MS_MIN = 500
const DELAY_MS_MAX = 30_000
/** One that ran for so long is started again without delay. */
const STEADY_MS = 60_000

/** Resolves after `stop` when no restart is under way any more. */
export function keepRunning<Role extends string>(
  { roles, isRunning, restart, onRestarted, log }: KeptServers<Role>,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping

  async function keep(role: Role): Promise<void> {
    let delayMs = DELAY_MS_MIN
    let startedMs = -Infinity
    for (;;) {
      await sleepUnless(signal, LOOK_MS)
      if (signal.aborted) return
      if (isRunning(role)) continue
      if (monotonicMs() - startedMs > STEADY_MS) delayMs = DELAY_MS_MIN
      log.error({ role }, `The Redis of the ${role} ended: it is started again.`)
      delayMs = await untilStarted(role, delayMs)
      startedMs = monotonicMs()
    }
  }

  /** Resolves with the delay before the next try. */
  async function untilStarted(role: Role, firstDelayMs: number): Promise<number> {
    let said = ''
    for (let delayMs = firstDelayMs; ; delayMs = Math.min(2 * delayMs, DELAY_MS_MAX)) {
      await sleepUnless(signal, delayMs)
      if (signal.aborted) return delayMs
      try {
        await restart(role)
        log.warn({ role }, `The Redis of the ${role} is running again.`)
        await onRestarted?.(role)
        return Math.min(2 * delayMs, DELAY_MS_MAX)
      } catch (error) {
        const [reason = ''] = (error as Error).message.split('\n')
        if (reason !== said) log.error({ role }, `The Redis of the ${role} is still off: ${reason}`)
        said = reason
      }
    }
  }

  const keeping = Promise.all(roles.map(keep))
  return {
    async stop() {
      stopping.abort()
      await keeping
    },
  }
}
