/**
 * Whether a node should get traffic: it is not stopping, its ledger takes writes and is not for
 * newer code, and some shelf is there with its search complete.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { monotonicMs, withDeadline } from '../contract/time.ts'
import type { RedisClient } from '../redis/connect.ts'
import { unreadable } from '../redis/format.ts'
import { ledger as keys } from '../redis/keys.ts'
import type { Services } from '../services.ts'

const ASKED_MS_MAX = 1000
/** Anybody may ask, and each look writes: those who ask within this time get the same answer. */
const KEPT_MS = 500
/** Their slots lie far apart: three masters that share the slots evenly have one each. */
const PROBED = [171, 141, 121] as const
const PROBE_TTL_MS = 10_000

/** The reason why not; undefined when it should. */
export function createReadiness(
  { ledger, goods }: Pick<Services, 'ledger' | 'goods'>, isStopping: () => boolean,
  missing: () => string | undefined = () => undefined,
): () => Promise<string | undefined> {
  let looked: { readonly at: number, readonly reason: Promise<string | undefined> } | undefined

  async function look(): Promise<string | undefined> {
    const [isLedgerUp, isSearchUp, isEmptied, refusal] = await Promise.all([
      succeeds(takesWrites(ledger)), isTrue(goods.isReady()),
      goods.isEmptied().catch(() => false), fenceOf(ledger),
    ])
    if (refusal !== undefined) return refusal
    if (!isLedgerUp) return 'the ledger takes no writes'
    if (isEmptied) return 'the shelf is empty: its goods are being rebuilt from the ledger'
    return isSearchUp ? undefined : 'the goods index is not there or not complete'
  }

  return async () => {
    if (isStopping()) return 'the node is stopping'
    const lost = missing()
    if (lost !== undefined) return lost
    if (!looked || monotonicMs() - looked.at > KEPT_MS) {
      looked = { at: monotonicMs(), reason: look() }
    }
    return await looked.reason
  }
}

/** An embedded Redis goes on in files that nobody finds again when its folder was removed. */
export const missingData = (dataDir: string | undefined): string | undefined =>
  (dataDir === undefined || existsSync(join(dataDir, 'ledger')) ? undefined
    : `the data folder ${dataDir} was removed or moved: put it back, or stop the service`)

/**
 * One master that takes writes is enough: orders of the others' partitions wait for a failover on
 * every node alike, and sending callers elsewhere would help none of them.
 */
const takesWrites = (ledger: RedisClient): Promise<unknown> => Promise.any(PROBED.map(
  (partition) => ledger.set(keys.readiness(partition), '1', 'PX', PROBE_TTL_MS)))

/** A ledger that does not answer is no reason of its own: others cover it. */
const fenceOf = (ledger: RedisClient): Promise<string | undefined> =>
  withDeadline(unreadable(ledger), ASKED_MS_MAX, () => new Error('late')).catch(() => undefined)

const isTrue = (question: Promise<boolean>): Promise<boolean> =>
  withDeadline(question, ASKED_MS_MAX, () => new Error('late')).catch(() => false)

const succeeds = (question: Promise<unknown>): Promise<boolean> =>
  isTrue(question.then(() => true))
