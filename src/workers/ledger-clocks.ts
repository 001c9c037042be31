/**
 * Whether the clocks of the ledger's masters can be acted upon. Orders expire and complete by them,
 * and that cannot be undone: a master whose clock moved by more than a minute against this node's
 * monotonic one, between two looks, is not acted upon until it has run evenly for ten minutes. So a
 * wrong step that is put right meanwhile has no effect, and a machine that was suspended heals by
 * itself.
 */
import type { Redis } from 'ioredis'
import { monotonicMs } from '../contract/time.ts'
import type { Logger } from '../log.ts'
import { measures } from '../measures.ts'
import type { RedisClient } from '../redis/connect.ts'
import { timeMsOf } from '../redis/replies.ts'
import { addressOf, masterAddress, mastersOf } from '../redis/send.ts'

export interface LedgerClocks {
  /** Asks every master; then the time (ms) of the one that holds a key, where it can be trusted. */
  look(): Promise<(key: string) => number | undefined>
}

interface Clock {
  /** Of the master's time and this node's monotonic one, ms. */
  offset: number
  /** Until when (monotonic) it must run evenly. */
  heldUntil: number
}

const JUMP_MS = 60_000
const HELD_MS = 600_000

interface Options {
  readonly ledger: RedisClient
  readonly log: Logger
  readonly heldMs?: number
  readonly readTime?: (master: Redis) => Promise<number>
}

/** The first look of a process takes clocks as they are: a restart is an operator's word. */
export function createLedgerClocks({
  ledger, log, heldMs = HELD_MS, readTime = async (master) => timeMsOf(await master.time()),
}: Options): LedgerClocks {
  const clocks = new Map<string, Clock>()

  async function lookAt(master: Redis, times: Map<string, number>): Promise<void> {
    const address = addressOf(ledger, master)
    const [before, time] = [monotonicMs(), await readTime(master)]
    const after = monotonicMs()
    const offset = time - (before + after) / 2
    // One that appears later, as after a failover, is compared with the others.
    const clock = clocks.get(address) ?? [...clocks.values()].find(({ heldUntil }) =>
      heldUntil < after) ?? { offset, heldUntil: 0 }
    const jumpMs = offset - clock.offset
    const hasJumped = Math.abs(jumpMs) > JUMP_MS + (after - before)
    const heldUntil = hasJumped ? after + heldMs : clock.heldUntil
    if (hasJumped) {
      log.error({ master: address, jumpMs: Math.round(jumpMs), heldMs },
        'the clock of a ledger master jumped: nothing is closed or completed by it for now')
    } else if (clock.heldUntil > 0 && clock.heldUntil <= after) {
      log.warn({ master: address }, 'the clock of a ledger master has run evenly: acting by it')
    }
    clocks.set(address, { offset, heldUntil: heldUntil <= after ? 0 : heldUntil })
    if (heldUntil <= after) times.set(address, time)
  }

  return {
    async look() {
      const times = new Map<string, number>()
      // One that does not answer has no time: its partitions wait.
      await Promise.allSettled(mastersOf(ledger).map((master) => lookAt(master, times)))
      measures.clocksHeld = [...clocks.values()].filter(({ heldUntil }) => heldUntil > 0).length
      return (key) => times.get(masterAddress(ledger, key))
    },
  }
}
