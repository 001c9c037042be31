/** How many streamed answers an account, and all accounts of a node, may have at once. */
import { Refusal } from '../contract/errors.ts'
import type { HttpRequest } from '../contract/http.ts'

export interface ConcurrencyLimitOptions {
  /** The limit's name in a refusal. */
  readonly policy: string
  readonly hint: string
  readonly eachMax: number
  readonly totalMax: number
}

export interface ConcurrencyLimit {
  /** Counts one until the result is called; refuses with rate_limited. */
  take(account: string): () => void
  /** Counts a stream until its chunks end or the client disconnects; refuses with rate_limited. */
  hold(request: HttpRequest, account: string, chunks: AsyncIterable<string>): AsyncIterable<string>
}

const RETRY_S = 5

export function createConcurrencyLimit(
  { policy, hint, eachMax, totalMax }: ConcurrencyLimitOptions,
): ConcurrencyLimit {
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

  async function* releasing(
    chunks: AsyncIterable<string>, release: () => void,
  ): AsyncGenerator<string> {
    try {
      yield* chunks
    } finally {
      release()
    }
  }

  return {
    take,
    hold(request, account, chunks) {
      // Nothing reads the chunks of a HEAD request, or after the client has disconnected.
      if (request.isHead || request.signal.aborted) return chunks
      const release = take(account)
      // Also where the client disconnects before the first chunk is read.
      request.signal.addEventListener('abort', release, { once: true })
      return releasing(chunks, release)
    },
  }
}
