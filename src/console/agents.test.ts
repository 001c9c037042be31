import { afterAll, expect, test } from 'vitest'
import { openOwner } from '../testing/console.ts'
import { startTestNode } from '../testing/node.ts'

const [node, other] = [await startTestNode(), await startTestNode()]
afterAll(async () => {
  await node.stop()
  await other.stop()
})

const works = async (key: string): Promise<boolean> =>
  (await other.send('GET', '/v1/orders', { key })).status === 200

test('a key is shown once; rotated it overlaps; revoked it is over on every node', async () => {
  const { browser, agent, apiKey } = await openOwner(node)
  const listed = await browser.call('GET', '/agents')
  expect(listed.text).not.toContain(apiKey)
  expect(listed.envelope.data.agents).toMatchObject([{
    agent, label: 'first', tier: 't1', limits: {}, keys: [{ state: 'active' }],
  }])
  const rotated = await browser.call('POST', `/agents/${agent}/keys`, { overlap_hours: 1 })
  const { api_key: next, old_keys_end_at } = rotated.envelope.data
  expect(Date.parse(old_keys_end_at)).toBeGreaterThan(0)
  expect([await works(apiKey), await works(next)]).toEqual([true, true])
  const { keys } = (await browser.call('GET', '/agents')).envelope.data.agents[0]
  const old = keys.find(({ state }: { state: string }) => state === 'ending')
  expect((await browser.call('DELETE', `/agents/${agent}/keys/${old.key_id}`)).status).toBe(200)
  await expect.poll(() => works(apiKey)).toBe(false)
  expect(await works(next)).toBe(true)
})

test('an account has at most five agents, also when all are created at once', async () => {
  const { browser } = await openOwner(node)
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) =>
    browser.call('POST', '/agents', { label: `agent ${index}` })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4)
  expect(answers.find(({ status }) => status !== 200)?.envelope.data)
    .toMatchObject({ error: 'agent_limit' })
})

test('an agent is renamed, limited and deleted', async () => {
  const { browser, agent, apiKey } = await openOwner(node)
  const path = `/agents/${agent}`
  expect((await browser.call('PATCH', path, { label: '送礼助手' })).status).toBe(200)
  const limits = { order_amount_max: 5000, categories: [1, 2], read_only: true }
  expect((await browser.call('PUT', `${path}/limits`, { limits })).status).toBe(200)
  expect((await browser.call('GET', '/agents')).envelope.data.agents)
    .toMatchObject([{ label: '送礼助手', limits }])
  const wrong = await browser.call('PUT', `${path}/limits`, { limits: { per_week: 1 } })
  expect(wrong.envelope.data.fields).toEqual([
    { path: 'limits.per_week', problem: 'is not a known field' }])
  expect((await browser.call('DELETE', path)).status).toBe(200)
  expect((await browser.call('GET', '/agents')).envelope.data.agents).toEqual([])
  await expect.poll(() => works(apiKey)).toBe(false)
})

test('another account\'s agent does not exist', async () => {
  const [owner, stranger] = [await openOwner(node), await openOwner(node)]
  const path = `/agents/${owner.agent}`
  const answers = [
    await stranger.browser.call('PATCH', path, { label: 'mine' }),
    await stranger.browser.call('POST', `${path}/keys`, {}),
    await stranger.browser.call('PUT', `${path}/limits`, { limits: {} }),
    await stranger.browser.call('DELETE', path),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  expect(await works(owner.apiKey)).toBe(true)
})
