/** Consumers' places beyond the end of their outbox: what a lost tail or a restore may leave. */
import type { RedisClient } from '../redis/connect.ts'
import { everyPartition } from '../redis/doorbell.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'

const outboxReset = defineScript('outbox-reset', ['outbox', 'progress'], [],
  (moved: number) => moved)

/** Sets them to the end; how many there were. Events with smaller ids would be skipped. */
export async function resetProgress(ledger: RedisClient): Promise<number> {
  const moved = await Promise.all(everyPartition().map((partition) => outboxReset.run(ledger, {
    outbox: keys.outbox(partition), progress: keys.progress(partition),
  }, {})))
  return moved.reduce((sum, count) => sum + count, 0)
}
