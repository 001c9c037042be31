/** An account's clicks, orders and commission as server-sent events, while they happen. */
import { Refusal } from '../errors.ts'
import type { HttpReply, HttpRequest } from '../http/types.ts'
import type { Services } from '../services.ts'
import { followAccount, readPlaces, type LiveEvent } from './live-feed.ts'

/** Followers of a node, and of one account at it. */
const FOLLOWERS_MAX = 500
const ACCOUNT_FOLLOWERS_MAX = 10
/** What a browser waits before it comes back. */
const RETRY_MS = 1000

export function createLive({ ledger }: Pick<Services, 'ledger'>) {
  const followers = new Map<string, number>()
  let total = 0

  function assertRoom(account: string): void {
    if (total < FOLLOWERS_MAX && (followers.get(account) ?? 0) < ACCOUNT_FOLLOWERS_MAX) return
    throw new Refusal('rate_limited', {
      hint: 'Close other windows of the console, or come back in a moment.',
      policy: 'console-live', retry_after_s: 5,
    })
  }

  function take(account: string): void {
    total += 1
    followers.set(account, (followers.get(account) ?? 0) + 1)
  }

  function leave(account: string): void {
    total -= 1
    const left = (followers.get(account) ?? 1) - 1
    if (left > 0) followers.set(account, left)
    else followers.delete(account)
  }

  async function* stream(
    account: string, from: string | undefined, signal: AbortSignal,
  ): AsyncGenerator<string> {
    take(account)
    try {
      yield `retry: ${RETRY_MS}\n\n`
      const places = from === undefined ? undefined : readPlaces(from)
      for await (const events of followAccount({ ledger, account, places, signal })) {
        // Something has to be written now and then, or the connection counts as idle.
        yield events.length === 0 ? ':\n\n' : events.map(textOf).join('')
      }
    } finally {
      leave(account)
    }
  }

  return (request: HttpRequest, account: string): HttpReply => {
    assertRoom(account)
    return {
      status: 200,
      headers: [
        ['Content-Type', 'text/event-stream; charset=utf-8'],
        ['Cache-Control', 'no-store'],
        // Proxies that gather answers would keep everything back.
        ['X-Accel-Buffering', 'no'],
      ],
      stream: stream(account, request.header('last-event-id'), request.signal),
    }
  }
}

const textOf = ({ type, id, data }: LiveEvent): string =>
  `event: ${type}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
