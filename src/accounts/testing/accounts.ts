/** Accounts as a node has them, for tests over the run's Redis. Two of them are two nodes. */
import { randomBytes, randomUUID } from 'node:crypto'
import { inject, vi } from 'vitest'
import { createSecrets } from '../../secrets/derive.ts'
import { createLogger } from '../../log.ts'
import type { Mail } from '../../mail/mailer.ts'
import { openRedis, untilReady, type RedisClient as Client } from '../../redis/connect.ts'
import { createDurable, type Durable } from '../../redis/durable.ts'
import { ApiKeys } from '../api-keys.ts'
import { createAccountServices, type AccountServicesOptions } from '../services.ts'
import { verify } from '@node-rs/argon2'

const secrets = createSecrets('a-secret-for-tests-of-accounts-0001')
const log = createLogger('silent')

export const newEmail = (): string => `u${randomBytes(8).toString('hex')}@mail.example`
export const newAccountId = (): string => `ac_${randomUUID()}`
export const PASSWORD = 'correct horse battery'
export const ADDRESS = '192.0.2.1'

/** Does the work right before the script runs, once. */
export const before = (script: string, work: () => Promise<unknown>) =>
  (durable: Durable): Durable => {
    let isDone = false
    return {
      ...durable,
      async run(named, ...rest) {
        if (named.name === script && !isDone) {
          isDone = true
          await work()
        }
        return await durable.run(named, ...rest)
      },
    }
  }

type Given = Partial<AccountServicesOptions> & { wrap?: (durable: Durable) => Durable }

export async function openAccounts({ wrap, ...given }: Given = {}) {
  const { ledgerUrl, countersUrl, shelfUrl } = inject('redis')
  // Patient: that a machine of tests stands still for a second is no trouble of its Redis.
  const clients = [ledgerUrl, ledgerUrl, countersUrl, shelfUrl]
    .map((url) => openRedis(url, log, 'bulk'))
  const [ledger, writes, counters, shelf] = clients as [Client, Client, Client, Client]
  await Promise.all(clients.map((client) => untilReady(client, 'test')))
  const lanes = createDurable({ client: writes, replicas: 0, log })
  const durable = wrap?.(lanes) ?? lanes
  const apiKeys = new ApiKeys({
    ledger, durable, secrets, log, takeTrial: async () => undefined,
  })
  const parts = {
    ledger, counters, shelf, shelfUrl, durable, secrets, log, apiKeys, mode: 'sandbox' as const,
  }
  const mails: Mail[] = []
  const services = createAccountServices({
    ...parts, config: { publicUrl: 'https://mall.test', payeeHoldMs: 86_400_000 },
    mailer: { send: (mail) => { mails.push(mail) } }, throttle: { take: async () => {} },
    earnings: { merge: async () => {} }, ...given,
  })
  return {
    ...parts,
    ...services,
    /** What was sent, oldest first. */
    mails,
    async close() {
      lanes.close()
      await services.views.close()
      for (const client of clients) client.disconnect()
    },
  }
}

/**
 * Of each time since the last call, all that its duration depends on: parameters of the hash, the
 * lengths of salt and hash, the password's length. The test file mocks `@node-rs/argon2` with
 * `{ spy: true }`.
 */
export function verifications(): unknown[] {
  const { calls } = vi.mocked(verify).mock
  return calls.splice(0).map(([hashed, password, options]) => {
    const [, algorithm, version, costs, salt, hash] = String(hashed).split('$')
    return {
      algorithm, version, costs, salt: salt?.length, hash: hash?.length,
      password: password.length, options,
    }
  })
}
