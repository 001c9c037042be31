/** Every script of accounts keeps to one slot: the same life on a cluster of several masters. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createSecrets } from '../secrets/derive.ts'
import { createLogger } from '../log.ts'
import { openRedis, untilReady, type RedisClient } from '../redis/connect.ts'
import { createDurable, type Durable } from '../redis/durable.ts'
import { startOwnCluster, type OwnCluster } from '../testing/cluster.ts'
import { attemptAt, openShop, supplyProduct, type Shop } from '../testing/products.ts'
import { createOwners } from './accounts.ts'
import { createAgents } from './agents.ts'
import { createBinding } from './binding.ts'
import { createAccounts } from './keys.ts'
import { createAccountOperator } from './operator.ts'
import { createPasswords } from './passwords.ts'
import { createSessions } from './sessions.ts'
import { ADDRESS, newEmail, PASSWORD } from './testing/accounts.ts'

const log = createLogger('silent')
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
  const accounts = createAccounts({
    ledger, durable, secrets, log, takeTrial: async () => undefined,
  })
  const agents = createAgents({ ledger, durable, accounts })
  const owners = createOwners({
    mode: 'sandbox',
    ledger, durable, secrets, accounts, throttle,
    passwords: createPasswords(secrets.passwordPepper),
  })
  const sessions = createSessions({ counters, ledger, secrets, publicUrl: 'https://mall.test' })
  const bind = createBinding({
    ledger, durable, secrets, accounts, throttle, earnings: { merge: async () => {} },
  })
  const email = newEmail()
  await owners.register(email, PASSWORD, ADDRESS)
  const who = await owners.signIn(email, PASSWORD, ADDRESS)
  const account = who?.account ?? ''
  const session = await sessions.start(who ?? { account, epoch: 0 })
  expect(await sessions.find(session.id)).toMatchObject({ account })

  const trial = await accounts.createTrialKey(ADDRESS)
  expect(await bind(account, trial.bindingCode, ADDRESS)).toEqual([trial.agent])
  const { agent, apiKey } = await agents.create(account, 'second')
  await agents.setLimits(account, agent, { day_amount_max: 1990, user_ref_day_amount_max: 1990 })
  const operator = createAccountOperator({ ledger, durable, secrets, accounts })
  await operator.setTier(agent, 't2')
  await operator.setTerms(account, 700)
  const buyer = await accounts.lookup(apiKey)
  expect(buyer).toMatchObject({ account, tier: 't2', limits: { day_amount_max: 1990 } })

  const product = await supplyProduct(shop.ledger, { freight: 0 })
  const place = () => shop.orders.place(attemptAt(product), buyer ?? { agent, account })
  expect(await place()).toMatchObject({ amount: 1990 })
  await expect(place()).rejects.toMatchObject({ error: 'owner_limit' })

  const { apiKey: fresh } = await agents.rotate(account, agent, 0)
  expect(await accounts.lookup(apiKey)).toBeUndefined()
  expect(await accounts.lookup(fresh)).toMatchObject({ agent })
  expect(await operator.show(account)).toMatchObject({ bps: 700, agents: [{}, {}] })

  await owners.changePassword(account, PASSWORD, `${PASSWORD}!`, ADDRESS)
  expect(await owners.deleteAccount(account, `${PASSWORD}!`, ADDRESS)).toBe(true)
  expect(await accounts.lookup(fresh)).toBeUndefined()
})
