/** A few things to remember for a while: the oldest is forgotten when there is no place left. */
import type { Clock } from '../time.ts'

export interface Memory<T> {
  get(key: string): T | null
  set(key: string, value: T): void
}

export function createMemory<T>(clock: Clock, places: number, keepMs: number): Memory<T> {
  const held = new Map<string, { value: T, until: number }>()
  return {
    get(key) {
      const found = held.get(key)
      return found && found.until > clock.now() ? found.value : null
    },
    set(key, value) {
      held.delete(key)
      held.set(key, { value, until: clock.now() + keepMs })
      const oldest = held.size > places ? held.keys().next().value : undefined
      if (oldest !== undefined) held.delete(oldest)
    },
  }
}
