/** An account's clicks, orders and commission as server-sent events, while they happen. */
import type { Session } from '../contract/caller.ts'
import type { HttpReply, HttpRequest } from '../contract/http.ts'
import type { Services } from '../services.ts'
import { followAccount, readPlaces, type LiveEvent } from './live-feed.ts'
import { createRoom } from './room.ts'

/** What a browser waits before it comes back. */
const RETRY_MS = 1000

export function createLive(
  { ledger, sessions, earnings: { mode } }: Pick<Services, 'ledger' | 'sessions' | 'earnings'>,
) {
  const room = createRoom({
    policy: 'console-live', hint: 'Close other windows of the console, or come back in a moment.',
    eachMax: 10, totalMax: 500,
  })

  async function* stream(
    { id, account }: Session, from: string | undefined, signal: AbortSignal,
  ): AsyncGenerator<string> {
    yield `retry: ${RETRY_MS}\n\n`
    const places = from === undefined ? undefined : readPlaces(from)
    // Who has signed out hears nothing more, also in a window that was left open.
    const mayGoOn = async (): Promise<boolean> => await sessions.find(id) !== undefined
    for await (const events of followAccount({
      ledger, account, mode, places, signal, mayGoOn,
    })) {
      // Something has to be written now and then, or the connection counts as idle.
      yield events.length === 0 ? ':\n\n' : events.map(textOf).join('')
    }
  }

  return (request: HttpRequest, session: Session): HttpReply => ({
    status: 200,
    headers: [
      ['Content-Type', 'text/event-stream; charset=utf-8'],
      ['Cache-Control', 'no-store'],
      // Proxies that gather answers would keep everything back.
      ['X-Accel-Buffering', 'no'],
    ],
    stream: room.hold(request, session.account,
      stream(session, request.header('last-event-id'), request.signal)),
    isEndless: true,
  })
}

const textOf = ({ type, id, data }: LiveEvent): string =>
  `event: ${type}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`
