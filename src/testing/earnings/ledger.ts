/** A ledger for random histories: it need not outlive them, so it syncs nothing. */
import type { Logger } from '../../log.ts'
import { openRedis, untilReady } from '../../redis/connect.ts'
import { createDurable } from '../../redis/durable.ts'
import { startLedger } from '../ledger.ts'
import type { Ledger } from './world.ts'

export async function openLedger(log: Logger): Promise<Ledger & { close(): Promise<void> }> {
  const own = await startLedger({ settings: 'appendonly no\nappendfsync no' })
  // Patient ones: on a busy machine a late answer is no fault of the books.
  const [ledger, writes] = [openRedis(own.url, log, 'bulk'), openRedis(own.url, log, 'bulk')]
  await Promise.all([ledger, writes].map((client) => untilReady(client, 'ledger')))
  const durable = createDurable({ client: writes, replicas: 0, log })
  return {
    ledger,
    durable,
    async close() {
      ledger.disconnect()
      durable.close()
      await own.stop()
    },
  }
}
