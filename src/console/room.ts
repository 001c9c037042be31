/** How many answers that last may go to an account, and from this node, at once. */
import { Refusal } from '../contract/errors.ts'
import type { HttpRequest } from '../contract/http.ts'

export interface RoomOptions {
  /** Names the limit to whoever is refused. */
  readonly policy: string
  readonly hint: string
  readonly eachMax: number
  readonly totalMax: number
}

export interface Room {
  /** Holds a place until the pieces end or the client goes; refuses with rate_limited. */
  hold(request: HttpRequest, account: string, pieces: AsyncIterable<string>): AsyncIterable<string>
}

const RETRY_S = 5

export function createRoom({ policy, hint, eachMax, totalMax }: RoomOptions): Room {
  const held = new Map<string, number>()
  let total = 0

  function take(account: string): () => void {
    const own = held.get(account) ?? 0
    if (total >= totalMax || own >= eachMax) {
      throw new Refusal('rate_limited', { hint, policy, retry_after_s: RETRY_S })
    }
    total += 1
    held.set(account, own + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      total -= 1
      const left = (held.get(account) ?? 1) - 1
      if (left > 0) held.set(account, left)
      else held.delete(account)
    }
  }

  async function* until(pieces: AsyncIterable<string>, leave: () => void): AsyncGenerator<string> {
    try {
      yield* pieces
    } finally {
      leave()
    }
  }

  return {
    hold(request, account, pieces) {
      // Nobody goes through the pieces of a HEAD request, or where the client has gone.
      if (request.isHead || request.signal.aborted) return pieces
      const leave = take(account)
      // Also where the client has gone before the first piece is asked for.
      request.signal.addEventListener('abort', leave, { once: true })
      return until(pieces, leave)
    },
  }
}
