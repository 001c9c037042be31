/** Calls of a running service, repeated where it is busy. */
import { setTimeout as pause } from 'node:timers/promises'

const DEADLINE_MS = 20_000
const LONGEST_PAUSE_S = 30

export interface CallerOptions {
  readonly url: string
  readonly key?: string | undefined
  readonly attempts: number
  /** Whether an answer of 500 or more is repeated as well; 429 always is. */
  readonly repeatsFailures?: boolean
}

/** Sends a body by POST, and nothing by GET; the result is the `data` of the envelope. */
export type Call = <T>(path: string, body?: unknown) => Promise<T>

export const createCall = (
  { url, key, attempts, repeatsFailures = false }: CallerOptions,
): Call => async <T>(path: string, body?: unknown): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(new URL(`/v1${path}`, url), {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...key && { authorization: `Bearer ${key}` },
        ...body !== undefined && { 'content-type': 'application/json' },
      },
      ...body !== undefined && { body: JSON.stringify(body) },
      signal: AbortSignal.timeout(DEADLINE_MS),
    })
    const answer = await response.json() as { msg: string, data: T }
    if (response.ok) return answer.data
    const isBusy = response.status === 429 || (repeatsFailures && response.status >= 500)
    if (!isBusy || attempt === attempts) {
      throw new Error(`${path} answered ${response.status}: ${answer.msg}`)
    }
    const seconds = Number(response.headers.get('retry-after') ?? 1)
    await pause(Math.min(seconds || 1, LONGEST_PAUSE_S) * 1000)
  }
}
