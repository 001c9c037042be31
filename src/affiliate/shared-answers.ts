/**
 * Answers of platforms that all nodes share for a short time. Of equal questions at the same time
 * one is asked, whichever nodes they come to; the others wait for its answer.
 */
import { createHash } from 'node:crypto'
import { SourceError } from '../../adapters/index.ts'
import { monotonicMs, sleep } from '../contract/time.ts'
import { canonicalJson } from '../contract/json.ts'
import { countHit } from '../measures.ts'
import { Away, type Counters } from '../redis/counters.ts'
import { counters as keys } from '../redis/keys.ts'

export interface SharedAnswers {
  /**
   * The answer to a question that is the same for everybody. `make` asks for it; what it throws
   * is thrown here and kept for nobody. `name` is the source's, for the failure of who waits
   * longer than `patienceMs`. Callers of one `tier` wait for each other; whose calls to platforms
   * go first does not wait for who may be refused one.
   */
  get<T>(
    name: string, tier: string, question: unknown, patienceMs: number, make: () => Promise<T>,
  ): Promise<T>
}

interface Options {
  readonly counters: Counters
  readonly ttlMs?: number
}

const TTL_MS = 60_000
/** Longer than any question is asked: what a node that died holds up is over by then. */
const FLIGHT_MS = 10_000
const LOOK_MS = 20
const ANSWER_BYTES_MAX = 512 * 1024

export function createSharedAnswers({ counters, ttlMs = TTL_MS }: Options): SharedAnswers {
  const { client } = counters
  const flights = new Map<string, Map<string, Promise<unknown>>>()

  /** What this node asks for callers of a tier just now. */
  function hereOf(tier: string): Map<string, Promise<unknown>> {
    let here = flights.get(tier)
    if (!here) flights.set(tier, here = new Map())
    return here
  }

  const known = async (hash: string): Promise<{ value: unknown } | undefined> => {
    const text = await counters.ask(() => client.get(keys.upstream(hash)))
    return text === null ? undefined : { value: JSON.parse(text) }
  }

  async function askFor(hash: string, make: () => Promise<unknown>): Promise<unknown> {
    const value = await make()
    const text = JSON.stringify(value)
    if (text.length <= ANSWER_BYTES_MAX) {
      await counters.ask(() => client.set(keys.upstream(hash), text, 'PX', ttlMs)).catch(() => {
        // It was asked for all the same.
      })
    }
    return value
  }

  async function find(
    name: string, tier: string, hash: string, patienceMs: number, make: () => Promise<unknown>,
  ): Promise<unknown> {
    const end = monotonicMs() + patienceMs
    const flight = keys.upstreamFlight(hash, tier)
    try {
      for (;;) {
        const found = await known(hash)
        if (found) {
          countHit('shared_answers', true)
          return found.value
        }
        const isMine = await counters.ask(() => client.set(flight, '1', 'PX', FLIGHT_MS, 'NX'))
        if (isMine) {
          countHit('shared_answers', false)
          break
        }
        if (monotonicMs() + LOOK_MS > end) throw new SourceError(name, 'timeout')
        await sleep(LOOK_MS)
      }
    } catch (error) {
      if (!(error instanceof Away)) throw error
      // Each node asks by itself.
      return await make()
    }
    try {
      return await askFor(hash, make)
    } finally {
      counters.ask(() => client.del(flight)).catch(() => { /* It ends by itself. */ })
    }
  }

  return {
    async get<T>(
      name: string, tier: string, question: unknown, patienceMs: number, make: () => Promise<T>,
    ) {
      const hash = createHash('sha256').update(canonicalJson([name, question])).digest('base64url')
      const here = hereOf(tier)
      for (let flying = here.get(hash); flying; flying = here.get(hash)) {
        try {
          return await flying as T
        } catch (error) {
          // What befell its asker, such as a quota that was used up, is not ours.
          if (error instanceof SourceError) throw error
        }
      }
      const flight = find(name, tier, hash, patienceMs, make)
      here.set(hash, flight)
      try {
        return await flight as T
      } finally {
        here.delete(hash)
      }
    },
  }
}
