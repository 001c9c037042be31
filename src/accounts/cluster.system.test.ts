/** Every script of accounts keeps to one slot: the same life on a cluster of several masters. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createSecrets } from '../secrets/derive.ts'
import { createLogger } from '../log.ts'
import { openRedis, untilReady, type RedisClient } from '../redis/connect.ts'
import { createDurable, type Durable } from '../redis/durable.ts'
import { startOwnCluster, type OwnCluster } from '../testing/cluster.ts'
import { attemptAt, openShop, supplyProduct, type Shop } from '../testing/products.ts'
import { Accounts } from './accounts.ts'
import { Agents } from './agents.ts'
import { setTerms } from '../earnings/records.ts'
import { showAccount } from './views.ts'
import { ApiKeys } from './api-keys.ts'
import { createSessions } from './sessions.ts'
import { ADDRESS, newEmail, PASSWORD } from './testing/accounts.ts'

const log = createLogger('silent')
const PUBLIC_URL = 'https://mall.test'
const secrets = createSecrets('a-secret-for-accounts-on-a-cluster')
let cluster: OwnCluster
let shop: Shop
let ledger: RedisClient
let counters: RedisClient
let durable: Durable

beforeAll(async () => {
  cluster = await startOwnCluster({ replicasPerMaster: 0 })
  shop = await openShop({}, { url: cluster.url })
  ledger = openRedis(cluster.url, log)
  counters = openRedis(inject('redis').countersUrl, log)
  const writes = openRedis(cluster.url, log)
  durable = createDurable({ client: writes, replicas: 0, log })
  await Promise.all([ledger, writes].map((client) => untilReady(client, 'ledger')))
})
afterAll(async () => {
  shop.close()
  durable.close()
  ledger.disconnect()
  counters.disconnect()
  await cluster.remove()
})

test('register, sign in, bind, limit, order, rotate and delete', async () => {
  const throttle = { take: async () => {} }
  const apiKeys = new ApiKeys({
    ledger, durable, secrets, log, takeTrial: async () => undefined,
  })
  const agents = new Agents({ ledger, durable, apiKeys })
  const accounts = new Accounts({
    mode: 'sandbox',
    ledger, durable, secrets, apiKeys, throttle, earnings: { merge: async () => {} },
    mailer: { send: () => {} }, config: { publicUrl: PUBLIC_URL, payeeHoldMs: 0 },
  })
  const sessions = createSessions({ counters, ledger, secrets, publicUrl: PUBLIC_URL })
  const email = newEmail()
  await accounts.register(email, PASSWORD, ADDRESS)
  const who = await accounts.signIn(email, PASSWORD, ADDRESS)
  const account = who?.account ?? ''
  const session = await sessions.start(who ?? { account, epoch: 0 })
  expect(await sessions.find(session.id)).toMatchObject({ account })

  const trial = await apiKeys.createTrialKey(ADDRESS)
  expect(await accounts.joinTrial(account, trial.bindingCode, ADDRESS)).toEqual([trial.agent])
  const { agent, apiKey } = await agents.create(account, 'second')
  await agents.setLimits(account, agent, { day_amount_max: 1990, user_ref_day_amount_max: 1990 })
  await agents.setTier(agent, 't2')
  await setTerms(durable, account, 700)
  const buyer = await apiKeys.lookup(apiKey)
  expect(buyer).toMatchObject({ account, tier: 't2', limits: { day_amount_max: 1990 } })

  const product = await supplyProduct(shop.ledger, { freight: 0 })
  const place = () => shop.orders.place(attemptAt(product), buyer ?? { agent, account })
  expect(await place()).toMatchObject({ amount: 1990 })
  await expect(place()).rejects.toMatchObject({ error: 'owner_limit' })

  const { apiKey: fresh } = await agents.rotate(account, agent, 0)
  expect(await apiKeys.lookup(apiKey)).toBeUndefined()
  expect(await apiKeys.lookup(fresh)).toMatchObject({ agent })
  expect(await showAccount({ ledger, secrets, agents }, account))
    .toMatchObject({ bps: 700, agents: [{}, {}] })

  await accounts.changePassword(account, PASSWORD, `${PASSWORD}!`, ADDRESS)
  expect(await accounts.deleteAccount(account, `${PASSWORD}!`, ADDRESS)).toBe(true)
  expect(await apiKeys.lookup(fresh)).toBeUndefined()
})
