/** Keys for a run: made on the ledger of a service that runs here, and revoked after it. */
import type { Accounts } from '../../src/accounts/keys.ts'
import { takeOfDay } from '../../src/limits/day.ts'
import { readTiers } from '../../src/limits/tiers.ts'
import { ledger as keys } from '../../src/redis/keys.ts'
import type { Durable } from '../../src/redis/durable.ts'
import type { Profile } from './profiles.ts'

export interface RunKeys {
  readonly keys: readonly string[]
  readonly otherKeys: readonly string[]
  revoke(): Promise<void>
}

export async function makeKeys(
  { accounts, durable }: { accounts: Accounts, durable: Durable },
  { tier = 't2', others = 0, quotaLeft }: Profile,
): Promise<RunKeys> {
  const make = (of: string) => accounts.createKey({ tier: of, label: 'load test' })
  const first = await make(tier)
  const beside = await Promise.all(Array.from({ length: others }, () => make('t1')))
  if (quotaLeft !== undefined) await spendDay(durable, first.agent, tier, quotaLeft)
  return {
    keys: [first.apiKey],
    otherKeys: beside.map(({ apiKey }) => apiKey),
    async revoke() {
      for (const { apiKey } of [first, ...beside]) await accounts.revoke(apiKey)
    },
  }
}

/** As calls would: by the script that counts them. */
async function spendDay(
  durable: Durable, agent: string, tier: string, left: number,
): Promise<void> {
  const { daily_quota = 0 } = readTiers()[tier] ?? {}
  await takeOfDay((script, names, args) => durable.run(script, names, args),
    (day) => keys.quota(agent, day), daily_quota, daily_quota - left)
}
