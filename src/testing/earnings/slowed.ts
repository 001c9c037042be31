/** Writes before which time passes, counted in round trips to the ledger: others get in between. */
import type { RedisClient } from '../../redis/connect.ts'
import type { Durable } from '../../redis/durable.ts'

export async function roundTrips(ledger: RedisClient, count: number): Promise<void> {
  for (let trip = 0; trip < count; trip += 1) await ledger.ping()
}

export const slowed = (durable: Durable, ledger: RedisClient, count: number): Durable => ({
  async run(script, names, args) {
    await roundTrips(ledger, count)
    return await durable.run(script, names, args)
  },
  async send(...command) {
    await roundTrips(ledger, count)
    return await durable.send(...command)
  },
  read: (...command) => durable.read(...command),
  close: () => durable.close(),
})
