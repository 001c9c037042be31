/**
 * Completed orders with their commissions, written past the scripts: a million through them would
 * take hours. They are as the scripts and workers leave them, and `verify` finds nothing wrong.
 */
import { partitionOfOrder } from '../../src/contract/ids.ts'
import { monthOf } from '../../src/earnings/month.ts'
import { BPS, commissionOf, type CommissionRecord } from '../../src/earnings/records.ts'
import { scoreOf } from '../../src/orders/by-status.ts'
import { maskReceiver, sealReceiver } from '../../src/orders/record.ts'
import { claimKey } from '../../src/orders/place-order.ts'
import type { RedisClient } from '../../src/redis/connect.ts'
import { ledger as keys, PARTITIONS } from '../../src/redis/keys.ts'
import { ORDER_EFFECTS } from '../../src/workers/order-effects.ts'
import type { Secrets } from '../../src/secrets/derive.ts'

const ACCOUNTS = 1000
const PRODUCTS = 1024
const BATCH = 400
const STEP_MS = 1000
const RECEIVER = {
  name: '欧阳测试', phone: '13912345678', province: '浙江省', city: '杭州市', district: '西湖区',
  address: '文三路478号3幢201室',
}
const TITLE = '小熊 电热水壶 1.7升 304不锈钢 自动断电 家用'
const [PRICE, FREIGHT] = [8900, 0]
const MARKS = ['pay', 'accept', 'ship', 'deliver', 'complete'] as const
const EVENTS = [
  'created', 'paid', 'merchant_accepted', 'shipped', 'delivered', 'completed',
] as const
const FIRST_PRODUCT = 2_000_000_000

export const accountAt = (index: number): string => `ac_${String(index).padStart(16, '0')}`
export const agentAt = (index: number): string => `ag_${String(index).padStart(16, '0')}`

interface WriteOptions {
  readonly ledger: RedisClient
  readonly secrets: Secrets
  /** Orders `from` to `to`, of the same run. */
  readonly from: number
  readonly to: number
  /** When the first of the run was placed, ms; each is some milliseconds later than the last. */
  readonly startMs: number
}

export async function writeOrders({ from, to, ...options }: WriteOptions): Promise<void> {
  const { ledger } = options
  // Redis reads a batch in small parts and syncs after each: that would be nine tenths of the time.
  await ledger.config('SET', 'appendfsync', 'no')
  for (let at = from; at < to; at += BATCH) {
    await writeBatch({ ...options, from: at, to: Math.min(to, at + BATCH) })
  }
  await ledger.config('SET', 'appendfsync', 'always')
  const each = commissionOf(PRICE + FREIGHT, BPS)
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const count = Math.floor(to / ACCOUNTS) + (index < to % ACCOUNTS ? 1 : 0)
    if (count === 0) break
    await ledger.hset(keys.balances(accountAt(index), 'sandbox'),
      { platform: -each * count, pending: 0, confirmed: each * count })
    await ledger.hset(keys.posted(accountAt(index), 'sandbox'), 'calls', 1)
  }
  const supplied = ledger.pipeline()
  for (let index = 0; index < PRODUCTS; index += 1) {
    const productId = FIRST_PRODUCT + index
    const count = Math.floor(to / PRODUCTS) + (index < to % PRODUCTS ? 1 : 0)
    supplied.hset(keys.supplied(productId % PARTITIONS), productId, count + 5)
    supplied.hset(keys.stock(productId % PARTITIONS), productId, 5)
  }
  await supplied.exec()
  await passOutboxes(ledger)
}

/** As if the worker had done all that follows them. */
async function passOutboxes(ledger: RedisClient): Promise<void> {
  for (let partition = 0; partition < PARTITIONS; partition += 1) {
    const id = await ledger.xadd(keys.outbox(partition), 'MAXLEN', 1, '*',
      'type', 'stock', 'at', 0, 'product_id', FIRST_PRODUCT + partition, 'stock', 5)
    await ledger.hset(keys.progress(partition), ORDER_EFFECTS, id ?? '')
  }
}

async function writeBatch(options: WriteOptions): Promise<void> {
  const pipeline = options.ledger.pipeline()
  for (let index = options.from; index < options.to; index += 1) addOrder(pipeline, index, options)
  for (const [error] of await pipeline.exec() ?? []) if (error) throw error
}

type Pipeline = ReturnType<RedisClient['pipeline']>

function addOrder(
  pipeline: Pipeline, index: number, { secrets, startMs }: WriteOptions,
): void {
  const [agent, account] = [agentAt(index % ACCOUNTS), accountAt(index % ACCOUNTS)]
  const productId = FIRST_PRODUCT + index % PRODUCTS
  const attempt = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
  const orderNo = secrets.orderNo(agent, attempt, productId)
  const partition = partitionOfOrder(orderNo) ?? 0
  const createdAt = startMs + index * 7
  const fingerprint = secrets.keyedHash('create-order', attempt)
  const times = EVENTS.map((_, step) => createdAt + step * STEP_MS)
  pipeline.hset(keys.order(partition, orderNo), {
    status: 'completed', agent, fingerprint, product_id: productId, merchant_id: 1001,
    sku_id: productId * 100 + 1, title: TITLE, qty: 1, held: 1, unit_price: PRICE,
    freight: FREIGHT, amount: PRICE + FREIGHT,
    receiver: sealReceiver(RECEIVER, orderNo, secrets.seal('receiver')),
    given: JSON.stringify({ account, attempt, receiver_masked: maskReceiver(RECEIVER) }),
    created_at: createdAt, expires_at: createdAt + 1_800_000, mode: 'sandbox',
    ...Object.fromEntries(MARKS.map((name, step) => [`did:${name}`, times[step + 1]])),
    waybill_no: 'SF1234567890123', express_co: '顺丰速运', transit_ms: 5000,
  })
  pipeline.rpush(keys.events(partition, orderNo), ...EVENTS.map((event, step) => JSON.stringify({
    event, at: times[step],
    ...(event === 'shipped' && {
      detail: { waybill_no: 'SF1234567890123', express_co: '顺丰速运', transit_ms: '5000' },
    }),
  })))
  pipeline.zadd(keys.byStatus(partition), scoreOf('completed', createdAt), orderNo)
  pipeline.set(claimKey(agent, attempt), `${fingerprint} ${orderNo}`)
  pipeline.zadd(keys.agentOrders(agent), createdAt, orderNo)
  addCommission(pipeline, { account, agent, orderNo, index, at: times.at(-1) ?? 0 })
}

function addCommission(pipeline: Pipeline, { account, agent, orderNo, index, at }: {
  account: string, agent: string, orderNo: string, index: number, at: number,
}): void {
  const subject = `order:${orderNo}`
  const amount = PRICE + FREIGHT
  const commission = commissionOf(amount, BPS)
  const facts = JSON.stringify({ amount, bps: BPS, agent })
  const legsOf = {
    pending: `platform:${-commission} pending:${commission}`,
    confirmed: `pending:${-commission} confirmed:${commission}`,
  }
  for (const [step, kind] of (['pending', 'confirmed'] as const).entries()) {
    const place = `${at}-${index * 2 + step}`
    pipeline.xadd(keys.entries(account, 'sandbox'), place,
      'id', `${subject}:${kind}`, 'at', at, 'legs', legsOf[kind], 'facts', facts)
    pipeline.hset(keys.posted(account, 'sandbox'), `${subject}:${kind}`, place)
  }
  pipeline.hset(keys.records(account, 'sandbox'), subject, JSON.stringify({
    state: 'confirmed', mode: 'sandbox', amount, bps: BPS, commission, agent,
    confirmed_at: at, month: monthOf(at),
  } satisfies CommissionRecord))
  pipeline.zadd(keys.confirmed(account, 'sandbox'), at, subject)
}
