import { afterAll, expect, inject, test } from 'vitest'
import { Agents } from '../accounts/agents.ts'
import { randomId } from '../contract/ids.ts'
import { createLogger } from '../log.ts'
import { operations } from '../operations/index.ts'
import { openRedis } from '../redis/connect.ts'
import { createDurable } from '../redis/durable.ts'
import { liveFacts, liveInput } from '../testing/live.ts'
import { startTestNode } from '../testing/node.ts'

const [node, other] = await Promise.all([startTestNode(), startTestNode()])
const durable = createDurable({
  client: openRedis(inject('redis').ledgerUrl, createLogger('silent')), replicas: 0,
  log: createLogger('silent'),
})
afterAll(async () => {
  await Promise.all([node.stop(), other.stop()])
  durable.close()
})
const facts = await liveFacts(node, await node.newKey())
const { apiKeys, ledger } = node.services
const agents = new Agents({ ledger, durable, apiKeys })

const own = operations.filter(({ openWorld }) => !openWorld)
const writing = own.filter(({ effect }) => effect !== 'read')
const order = own.find(({ name }) => name === 'create_order') ?? writing[0]

test('a read-only key reads, and nothing that it calls changes anything, over both faces',
  async () => {
    const account = randomId('ac_')
    const { apiKey, agent } = await agents.create(account, 'reader')
    await agents.setLimits(account, agent, { read_only: true })
    expect(writing.length).toBeGreaterThan(3)
    for (const operation of writing) {
      const { status, envelope } = await node.rest(operation, liveInput(operation, facts), apiKey)
      expect([operation.name, status, envelope.code]).toEqual([operation.name, 403, 40300])
    }
    const { body } = await node.mcp('tools/call',
      { name: 'create_order', arguments: liveInput(order as never, facts) }, apiKey)
    expect(body.result).toMatchObject({
      isError: true, structuredContent: { error: { error: 'key_not_allowed' } },
    })
    const { status } = await node.send('GET', '/v1/goods?q=x', { key: apiKey })
    expect(status).toBe(200)
  })

test('an owner\'s limit is in force on every node within a second', async () => {
  const account = randomId('ac_')
  const { apiKey, agent } = await agents.create(account, 'limited')
  const input = () => liveInput(order as never, facts)
  const code = async (): Promise<number> =>
    (await other.rest(order as never, input(), apiKey)).envelope.code
  expect(await code()).toBe(0)
  await agents.setLimits(account, agent, { order_amount_max: 1 })
  await expect.poll(code).toBe(40301)
  await agents.setLimits(account, agent, {})
  await expect.poll(code).toBe(0)
})

test.each([
  { order_amount_max: -1 }, { order_amount_max: 1.5 }, { day_amount_max: '5' }, { categories: [] },
  { categories: [25] }, { categories: [1, 1] }, { read_only: 'yes' }, { other: 1 }, null, [],
])('limits of %j are refused', async (limits) => {
  const account = randomId('ac_')
  const { agent } = await agents.create(account, 'wrong')
  await expect(agents.setLimits(account, agent, limits))
    .rejects.toMatchObject({ error: 'invalid_request' })
})
