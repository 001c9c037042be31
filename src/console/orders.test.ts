import { afterAll, expect, test } from 'vitest'
import { openOwner } from '../testing/console.ts'
import { startTestNode } from '../testing/node.ts'
import { attemptAt, supplyProduct } from '../testing/products.ts'

/** Nothing moves by itself here: what happens is what the owner does. */
const node = await startTestNode({ sandboxStepMs: 3_600_000, sandboxCompleteMs: 3_600_000 })
afterAll(() => node.stop())

type Owner = Awaited<ReturnType<typeof openOwner>>

async function order(apiKey: string, at = node): Promise<string> {
  const product = await supplyProduct(at.services.ledger)
  const { idempotency_key, ...body } = attemptAt(product)
  const placed = await at.send('POST', '/v1/orders', {
    key: apiKey, body, headers: { 'Idempotency-Key': idempotency_key },
  })
  return placed.envelope.data.order_no
}

const listed = async ({ browser }: Owner, query = '') =>
  (await browser.call('GET', `/orders${query}`)).envelope.data

const move = async ({ browser }: Owner, orderNo: string, name: string) =>
  await browser.call('POST', `/orders/${orderNo}/moves`, { move: name })

test('orders of all agents are one list in pages, or one agent\'s', async () => {
  const owner = await openOwner(node)
  const second = (await owner.browser.call('POST', '/agents', { label: 'second' }))
    .envelope.data as { agent: string, api_key: string }
  const orderNos: string[] = []
  for (let index = 0; index < 6; index += 1) {
    orderNos.unshift(await order(index % 2 ? second.api_key : owner.apiKey))
  }
  await expect.poll(async () => (await listed(owner)).items.length).toBe(6)
  const pages = []
  let cursor: string | undefined
  do {
    const page = await listed(owner, `?limit=4${cursor ? `&cursor=${cursor}` : ''}`)
    pages.push(page.items.map(({ order_no }: { order_no: string }) => order_no))
    cursor = page.next_cursor
  } while (cursor)
  expect(pages.map((page) => page.length)).toEqual([4, 2])
  expect(pages.flat()).toEqual(orderNos)
  const one = await listed(owner, `?agent=${second.agent}`)
  expect(one.items.map(({ agent }: { agent: string }) => agent))
    .toEqual([second.agent, second.agent, second.agent])
  const broken = await owner.browser.call('GET', '/orders?cursor=nonsense')
  expect(broken.envelope.data.fields).toMatchObject([{ path: 'cursor' }])
})

test('another account\'s orders and agents do not exist', async () => {
  const [owner, stranger] = [await openOwner(node), await openOwner(node)]
  const orderNo = await order(owner.apiKey)
  const answers = [
    await stranger.browser.call('GET', `/orders/${orderNo}`),
    await stranger.browser.call('GET', `/orders?agent=${owner.agent}`),
    await move(stranger, orderNo, 'pay'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  expect((await owner.browser.call('GET', `/orders/${orderNo}`)).envelope.data)
    .toMatchObject({ status: 'pending_payment', agent: owner.agent })
})

test('the sandbox pays, ships, delivers and refunds when its owner says so', async () => {
  const owner = await openOwner(node)
  const orderNo = await order(owner.apiKey)
  const early = await move(owner, orderNo, 'deliver')
  expect([early.status, early.envelope.data]).toEqual([409,
    expect.objectContaining({ error: 'order_state', status: 'pending_payment' })])
  const statuses = []
  for (const name of ['pay', 'accept', 'ship', 'deliver']) {
    statuses.push((await move(owner, orderNo, name)).envelope.data.status)
  }
  expect(statuses).toEqual(['paid', 'merchant_accepted', 'shipped', 'delivered'])
  const { events } = (await owner.browser.call('GET', `/orders/${orderNo}`)).envelope.data
  expect(events.map(({ event }: { event: string }) => event))
    .toEqual(['created', 'paid', 'merchant_accepted', 'shipped', 'delivered'])
  expect(events[3].detail).toMatchObject({ waybill_no: expect.stringMatching(/^SX\d{12}$/) })
  expect((await move(owner, orderNo, 'refund')).envelope.data.status).toBe('refunded')
})

test('an integrator who returned too much gets the quota of the person back', async () => {
  const owner = await openOwner(node)
  const placed: string[] = []
  for (let at = 0; at < 6; at += 1) {
    const orderNo = await order(owner.apiKey)
    for (const name of ['pay', 'accept', 'ship', 'deliver']) await move(owner, orderNo, name)
    placed.push(orderNo)
  }
  const ask = (orderNo: string) => node.send('POST', `/v1/orders/${orderNo}/aftersales`, {
    key: owner.apiKey, body: { type: 'return_refund', reason_class: 'quality' },
  })
  for (const orderNo of placed.slice(0, 5)) expect((await ask(orderNo)).status).toBe(200)
  const last = placed[5] ?? ''
  const refused = await ask(last)
  expect(refused.envelope.data).toMatchObject({
    error: 'aftersale_quota', hint: expect.stringMatching(/user_ref.*restore_quota/),
  })
  expect((await move(owner, last, 'restore_quota')).envelope.data.status).toBe('delivered')
  expect((await ask(last)).envelope.data).toMatchObject({ quota_left: 4 })
})

test('a delivered order is completed when its owner says so', async () => {
  const owner = await openOwner(node)
  const orderNo = await order(owner.apiKey)
  expect((await move(owner, orderNo, 'complete')).status).toBe(409)
  for (const name of ['pay', 'accept', 'ship', 'deliver']) await move(owner, orderNo, name)
  expect((await move(owner, orderNo, 'complete')).envelope.data.status).toBe('completed')
})

test('what is put off happens later', async () => {
  const owner = await openOwner(node)
  const orderNo = await order(owner.apiKey)
  expect((await move(owner, orderNo, 'delay')).status).toBe(409)
  await move(owner, orderNo, 'pay')
  expect((await move(owner, orderNo, 'delay')).envelope.data.status).toBe('paid')
})

test('out of the sandbox nobody plays the merchant here', async () => {
  const real = await startTestNode({ sandbox: false })
  try {
    const owner = await openOwner(real)
    const answer = await owner.browser.call('POST', `/orders/AM000000000000000000/moves`,
      { move: 'pay' })
    expect([400, 503]).toContain(answer.status)
    const { envelope } = await owner.browser.call('POST',
      `/orders/${await order(owner.apiKey, real)}/moves`, { move: 'pay' })
    expect(envelope.data.error).toBe('not_configured')
  } finally {
    await real.stop()
  }
})
