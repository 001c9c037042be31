/** More buyers than units: exactly as many get one, and all others are refused. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createLogger } from '../log.ts'
import { createOrder } from '../operations/create-order.ts'
import { listAftersales } from '../operations/list-aftersales.ts'
import { requestAftersale } from '../operations/request-aftersale.ts'
import { openRedis, untilReady, type RedisClient } from '../redis/connect.ts'
import { startTestNode, type TestNode } from './node.ts'
import { RECEIVER, stockOf, supplyProduct, type Product } from './products.ts'

const BUYERS = 500
const UNITS = 7
const TRIES = 3
const AGAIN_MAX = 20
const ORDERS = 20
const AFTERSALES_MAX = 5

let nodes: TestNode[]
let ledger: RedisClient
beforeAll(async () => {
  nodes = await Promise.all([startTestNode(), startTestNode()])
  ledger = openRedis(inject('redis').ledgerUrl, createLogger('silent'))
  await untilReady(ledger, 'ledger')
})
afterAll(async () => {
  ledger.disconnect()
  await Promise.all(nodes.map((node) => node.stop()))
})

interface Answered {
  readonly orderNo?: string
  readonly duplicate?: boolean
  readonly error?: string
  readonly status?: number
}

/** A machine with no time left may answer 503: as told, the same is sent again. */
async function buy(buyer: number, input: object, key: string): Promise<Answered> {
  for (let tried = 1; ; tried += 1) {
    const answered = await buyOnce(buyer, input, key)
    if (answered.error !== 'unavailable' || tried === AGAIN_MAX) return answered
  }
}

/** Every other buyer over MCP, every other pair at the second node. */
async function buyOnce(buyer: number, input: object, key: string): Promise<Answered> {
  const node = nodes[buyer % 2] as TestNode
  if (buyer % 4 < 2) {
    const { status, envelope: { data } } = await node.rest(createOrder, input, key)
    return status === 200 ? { status, orderNo: data.order_no, duplicate: data.duplicate }
      : { status, error: data.error }
  }
  const { body } = await node.mcp('tools/call', { name: createOrder.name, arguments: input }, key)
  const { isError, structuredContent } = body.result ?? { isError: true }
  // What is refused at the entrance is refused to any call, not to this tool's.
  return isError ? { error: (structuredContent?.error ?? body.error.data).error }
    : { orderNo: structuredContent.order_no, duplicate: structuredContent.duplicate }
}

const inputFor = (product: Product, given: object = {}) => ({
  idempotency_key: randomUUID(), merchant_id: product.merchantId, product_id: product.productId,
  qty: 1, receiver: RECEIVER, ...given,
})

/** Twenty keys and five hundred buyers, each with an attempt of its own. */
async function herd(product: Product) {
  const keys = await Promise.all(Array.from({ length: 20 }, (_, index) =>
    (nodes[index % 2] as TestNode).newKey()))
  return Array.from({ length: BUYERS }, (_, buyer) => ({
    buyer, input: inputFor(product), key: keys[buyer % keys.length] as string,
  }))
}

const refused = (answers: readonly Answered[]): Answered[] =>
  answers.filter(({ orderNo }) => orderNo === undefined)

test('500 buyers over REST and MCP and two nodes for 7 units: 7 orders, 493 refusals', async () => {
  const product = await supplyProduct(ledger, { stock: UNITS })
  const buyers = await herd(product)
  const answers = await Promise.all(buyers.map(({ buyer, input, key }) => buy(buyer, input, key)))
  const orders = answers.flatMap(({ orderNo }) => orderNo ?? [])
  expect(new Set(orders).size).toBe(UNITS)
  expect(orders).toHaveLength(UNITS)
  expect(refused(answers)).toHaveLength(BUYERS - UNITS)
  for (const { error, status } of refused(answers)) {
    expect(error).toBe('out_of_stock')
    expect([409, undefined]).toContain(status)
  }
  expect(await stockOf(ledger, product)).toBe(0)
})

test('500 buyers who all send each try again and again: the same 7 orders, no others', async () => {
  const product = await supplyProduct(ledger, { stock: UNITS })
  const buyers = await herd(product)
  const tries = await Promise.all(buyers.map(async ({ buyer, input, key }) => {
    // Two at once over both transports, then the others one by one.
    const answers = await Promise.all([buy(buyer, input, key), buy(buyer + 2, input, key)])
    for (let tried = 0; tried < TRIES; tried += 1) {
      answers.push(await buy(buyer + tried + 1, input, key))
    }
    return answers
  }))
  const winners = tries.filter((answers) => answers.some(({ orderNo }) => orderNo !== undefined))
  expect(winners).toHaveLength(UNITS)
  for (const answers of winners) {
    const orders = answers.flatMap(({ orderNo }) => orderNo ?? [])
    expect(new Set(orders).size, 'one order for one key').toBe(1)
    // Once it was placed, whoever asks with its key is given it.
    expect(answers.slice(2).map(({ duplicate }) => duplicate)).toEqual([true, true, true])
    expect(answers.filter(({ duplicate }) => duplicate === false).length).toBeLessThanOrEqual(1)
  }
  expect(new Set(winners.map((answers) => answers.at(-1)?.orderNo)).size).toBe(UNITS)
  for (const { error } of tries.flatMap(refused)) expect(error).toBe('out_of_stock')
  expect(await stockOf(ledger, product)).toBe(0)
})

test('20 after-sales of one person at once, over both nodes: exactly 5 are filed', async () => {
  const product = await supplyProduct(ledger, { stock: ORDERS })
  const [node] = nodes as [TestNode]
  const key = await node.newKey()
  const user_ref = `herd-${randomUUID()}`
  const orders = await Promise.all(Array.from({ length: ORDERS }, async () => {
    const { envelope } = await node.rest(createOrder, inputFor(product, { user_ref }), key)
    await node.services.orders.move('pay', envelope.data.order_no)
    return envelope.data.order_no as string
  }))
  // Refunded before or after shipping: the driver moves them on meanwhile.
  const requests = orders.map((order_no) => ({
    order_no, type: 'refund_only', reason_class: 'quality', idempotency_key: randomUUID(),
  }))
  const ask = () => Promise.all(requests.map((input, index) =>
    (nodes[index % 2] as TestNode).rest(requestAftersale, input, key)))
  const answers = await ask()
  const filed = answers.filter(({ status }) => status === 200)
    .map(({ envelope }) => envelope.data.aftersale_id)
  const others = answers.filter(({ status }) => status !== 200)
  expect(others.map(({ envelope }) => envelope.data.error))
    .toEqual(others.map(() => 'aftersale_quota'))
  expect(new Set(filed).size).toBe(AFTERSALES_MAX)
  expect(filed).toHaveLength(AFTERSALES_MAX)

  // The same requests once more: those that were filed are repeated, and none is added.
  const again = (await ask()).filter(({ status }) => status === 200)
  expect(new Set(again.map(({ envelope }) => envelope.data.aftersale_id))).toEqual(new Set(filed))
  const listed = await Promise.all(orders.map((order_no) =>
    node.rest(listAftersales, { order_no }, key)))
  expect(listed.flatMap(({ envelope }) => envelope.data.items)).toHaveLength(AFTERSALES_MAX)
})
