/**
 * Answers of platforms that all nodes share for a short time. Of equal queries at the same time one
 * is sent, whichever nodes they come to; the others wait for its answer.
 */
import { createHash } from 'node:crypto'
import { SourceError } from '../../adapters/index.ts'
import { monotonicMs, sleep } from '../contract/time.ts'
import { canonicalJson } from '../contract/json.ts'
import { countHit } from '../measures.ts'
import { CountersUnavailable, type Counters } from '../redis/counters.ts'
import { counters as keys } from '../redis/keys.ts'

export interface SharedAnswers {
  /**
   * The answer to a query that is the same for every caller. `make` fetches it; its errors are
   * thrown here and never shared. `name` is the source's, for the failure of a caller who waits
   * longer than `patienceMs`. Callers of one `tier` wait for each other, and not for callers of
   * another tier, whose calls a platform's budget may refuse.
   */
  get<T>(
    name: string, tier: string, query: unknown, patienceMs: number, make: () => Promise<T>,
  ): Promise<T>
}

interface Options {
  readonly counters: Counters
  readonly ttlMs?: number
}

const TTL_MS = 60_000
/** Longer than any query takes: the lock of a node that died ends by then. */
const FLIGHT_MS = 10_000
const POLL_MS = 20
const ANSWER_BYTES_MAX = 512 * 1024

export const createSharedAnswers = (options: Options): SharedAnswers =>
  new NodesAnswers(options)

class NodesAnswers implements SharedAnswers {
  readonly #counters: Counters
  readonly #ttlMs: number
  /** What this node fetches just now, by tier and hash. */
  readonly #flights = new Map<string, Map<string, Promise<unknown>>>()

  constructor({ counters, ttlMs = TTL_MS }: Options) {
    this.#counters = counters
    this.#ttlMs = ttlMs
  }

  async get<T>(
    name: string, tier: string, query: unknown, patienceMs: number, make: () => Promise<T>,
  ): Promise<T> {
    const hash = createHash('sha256').update(canonicalJson([name, query])).digest('base64url')
    const flights = this.#flightsOf(tier)
    for (let flying = flights.get(hash); flying; flying = flights.get(hash)) {
      try {
        return await flying as T
      } catch (error) {
        // An error of the other caller, such as its exhausted quota, is not this caller's.
        if (error instanceof SourceError) throw error
      }
    }
    const flight = this.#find(name, tier, hash, patienceMs, make)
    flights.set(hash, flight)
    try {
      return await flight as T
    } finally {
      flights.delete(hash)
    }
  }

  #flightsOf(tier: string): Map<string, Promise<unknown>> {
    let flights = this.#flights.get(tier)
    if (!flights) this.#flights.set(tier, flights = new Map())
    return flights
  }

  /** The shared answer, or the one that this node fetches for all nodes. */
  async #find(
    name: string, tier: string, hash: string, patienceMs: number, make: () => Promise<unknown>,
  ): Promise<unknown> {
    const end = monotonicMs() + patienceMs
    const { client } = this.#counters
    const flight = keys.upstreamFlight(hash, tier)
    try {
      for (;;) {
        const found = await this.#read(hash)
        if (found) {
          countHit('shared_answers', true)
          return found.value
        }
        const isMine = await this.#counters.ask(() =>
          client.set(flight, '1', 'PX', FLIGHT_MS, 'NX'))
        if (isMine) {
          countHit('shared_answers', false)
          break
        }
        if (monotonicMs() + POLL_MS > end) throw new SourceError(name, 'timeout')
        await sleep(POLL_MS)
      }
    } catch (error) {
      if (!(error instanceof CountersUnavailable)) throw error
      // Each node fetches by itself.
      return await make()
    }
    try {
      return await this.#makeAndShare(hash, make)
    } finally {
      this.#counters.ask(() => client.del(flight)).catch(() => { /* The key expires. */ })
    }
  }

  async #read(hash: string): Promise<{ value: unknown } | undefined> {
    const { client } = this.#counters
    const text = await this.#counters.ask(() => client.get(keys.upstream(hash)))
    return text === null ? undefined : { value: JSON.parse(text) }
  }

  async #makeAndShare(hash: string, make: () => Promise<unknown>): Promise<unknown> {
    const value = await make()
    const text = JSON.stringify(value)
    if (text.length <= ANSWER_BYTES_MAX) {
      const { client } = this.#counters
      await this.#counters.ask(() =>
        client.set(keys.upstream(hash), text, 'PX', this.#ttlMs)).catch(() => {
        // The caller gets the answer all the same.
      })
    }
    return value
  }
}
