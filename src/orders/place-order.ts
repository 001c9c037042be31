/**
 * Placing an order: one script that binds the key and does everything or nothing; on a cluster the
 * key is claimed before. A preview says before what it would cost, in a token: an order that
 * carries it has that price or none.
 */
import type { OwnerLimits } from '../contract/caller.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../contract/errors.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import type { Secrets } from '../secrets/derive.ts'
import { Receiver as ReceiverSchema } from '../contract/fields.ts'
import { orderAmount, serviceMode, yuanText } from '../contract/money.ts'
import type { Durable } from '../redis/durable.ts'
import { channels, ledger as keys, partitionOf } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import {
  attemptKey, claim, CLAIM_TTL_S, fadeClaim, keepClaim, type Attempt,
} from '../idempotency/claims.ts'
import type { OpenOrders, Reservation } from './open-orders.ts'
import type { PayLinks } from './payment-provider.ts'
import { type Price, priceOfReply, type Quotes } from './quotes.ts'
import {
  maskReceiver, orderFactsOf, sealReceiver, type Given, type OrderFacts, type Receiver,
} from './record.ts'
import { hasDayLimit, ownerLimit, type Spending } from './spending.ts'
import { placedView, type Display, type PlacedOrder } from './view.ts'
import { isoTime, nowMs } from '../contract/time.ts'
import type { RedisClient } from '../redis/connect.ts'

export interface PlaceInput {
  /** Lower case and bare: the gate saw to it. */
  readonly idempotency_key: string
  readonly merchant_id: number
  readonly product_id: number
  readonly qty: number
  readonly receiver: Receiver
  readonly user_ref?: string
  /** Not part of the comparison with an earlier attempt. */
  readonly display?: Display
  readonly quote_token?: string
}

export interface Buyer {
  readonly agent: string
  readonly account: string
  /** What the owner of the agent lets it order; absent means everything. */
  readonly limits?: OwnerLimits
  /** Says what it may have open; absent means everything. */
  readonly tier?: string
  readonly client?: { readonly address: string }
}

interface PlaceOptions {
  readonly durable: Durable
  readonly secrets: Secrets
  readonly payments: PayLinks
  readonly quotes: Quotes
  readonly spending: Spending
  readonly openOrders: OpenOrders
  /** Whether there is an order of this number. */
  readonly isPlaced: (orderNo: string) => Promise<boolean>
  /** FACT_FIELDS of an order, also of one in the archive. */
  readonly factsOf: (orderNo: string) => Promise<(string | null)[][]>
  readonly config: Pick<Config, 'paymentWindowMs' | 'sandbox'>
}

const attemptOf = (agent: string, key: string): Attempt =>
  ({ agent, operation: 'create_order', key })

/**
 * The claim of an order that was placed in two rounds, for good: the outbox worker's, long before
 * the claim's end.
 */
export const keepOrderClaim = (
  durable: Pick<Durable, 'run'>, agent: string, attempt: string, createdAt: number,
): Promise<boolean> => keepClaim(durable, attemptOf(agent, attempt), createdAt)

/** The same of an order that was closed unpaid: its claim ends with it. */
export const fadeOrderClaim = (
  durable: Pick<Durable, 'run'>, agent: string, attempt: string,
  order: { id: string, fadesAt: number },
): Promise<boolean> => fadeClaim(durable, attemptOf(agent, attempt), order)

/** Where the key of an order's attempt is bound. */
export const claimKey = (agent: string, attempt: string): string =>
  attemptKey(attemptOf(agent, attempt))

const orderPlace = defineScript('order-place',
  ['sku', 'stock', 'order', 'events', 'unpaid', 'outbox', 'trial_held', 'claim'],
  ['order_no', 'agent', 'attempt', 'fingerprint', 'product_id', 'merchant_id', 'qty', 'receiver',
    'given', 'window_ms', 'quoted', 'doorbell', 'partition', 'amount_max', 'categories',
    'mode', 'share', 'claim_ttl_s'],
  ([code, ...values]: [PlaceCode, ...(string | null)[]]) => ({ code, values }))

type PlaceCode = 'placed' | 'exists' | 'mismatch' | 'bound' | 'unknown' | 'merchant' | 'price'
  | 'category' | 'amount' | 'cap' | 'stock' | 'share'

interface PlaceReply {
  readonly code: PlaceCode
  readonly values: (string | null)[]
  /** Instead of the price of its token, where a limit of the day had one looked up. */
  readonly promised?: Price | undefined
}

export const createPlacing = (options: PlaceOptions) =>
  (input: PlaceInput, buyer: Buyer): Promise<PlacedOrder> => placeOrder(options, input, buyer)

function placeOrder(
  options: PlaceOptions, input: PlaceInput, buyer: Buyer,
): Promise<PlacedOrder> {
  const id = options.secrets.orderNo(buyer.agent, input.idempotency_key, input.product_id)
  const reserving = options.openOrders.reserve({ orderNo: id, units: input.qty }, buyer)
  return reserving ? placeCounted(options, input, buyer, { id, reserving })
    : placeOnce(options, input, buyer, id)
}

/** Of a buyer who may have only so much open. */
async function placeCounted(
  options: PlaceOptions, input: PlaceInput, buyer: Buyer,
  { id, reserving }: { readonly id: string, readonly reserving: Promise<Reservation> },
): Promise<PlacedOrder> {
  const held = await reserving.catch(async (error: unknown) => {
    // An order that is there is answered as it is, whatever else is open.
    if (await options.isPlaced(id)) return undefined
    throw error
  })
  const order = await placeOnce(options, input, buyer, id).catch(async (error: unknown) => {
    const isUnknown = !(error instanceof Refusal) || error.error === 'unavailable'
    if (!isUnknown) await held?.release('nothing')
    throw error
  })
  if (order.status !== 'pending_payment') await held?.release('ended order')
  return order
}

async function placeOnce(
  options: PlaceOptions, input: PlaceInput, buyer: Buyer, id: string,
): Promise<PlacedOrder> {
  const { durable, secrets, payments, quotes } = options
  const attempt: PlaceAttempt = {
    input, buyer, limits: buyer.limits ?? {}, quoted: quotes.open(input),
    fingerprint: fingerprintOf(input, secrets),
  }
  const { limits, fingerprint } = attempt
  // What a day may bring is reserved in slots of its own, and for the attempt that has the key.
  const isOneRound = durable.isOneServer && !hasDayLimit(limits)
  let orderNo = id
  let placed = isOneRound ? await placeAs(options, attempt, id, true) : undefined
  if (!placed || placed.code === 'bound') {
    const bound = attemptOf(buyer.agent, input.idempotency_key)
    orderNo = await claim(durable, bound, { fingerprint, id })
    placed = await placeAs(options, attempt, orderNo, false)
  }
  const { code, values, promised = attempt.quoted } = placed
  // The script answers the status of what can still move alone.
  const [archived] = code === 'exists' && values[0] === null ? await options.factsOf(orderNo) : []
  const order = archived ? orderFactsOf(orderNo, archived)
    : code === 'placed' ? placedFacts(options, input, orderNo, values)
      : orderOrRefusal(code, values, orderNo, promised, limits)
  return placedView(order, input.display, code === 'exists', payments)
}

interface PlaceAttempt {
  readonly input: PlaceInput
  readonly buyer: Buyer
  readonly limits: OwnerLimits
  readonly quoted: Price | undefined
  readonly fingerprint: string
}

/** Under this number, within what the owner allows for the day. */
function placeAs(
  { durable, secrets, spending, openOrders, config }: PlaceOptions,
  { input, buyer, limits, quoted, fingerprint }: PlaceAttempt, orderNo: string, doesBind: boolean,
): Promise<PlaceReply> {
  const attempt = input.idempotency_key
  // The product is part of the fingerprint, so the stored number names the same partition.
  const partition = partitionOfOrder(orderNo) ?? 0
  const order = keys.order(partition, orderNo)
  // JSON leaves a user_ref out that is undefined.
  const given: { readonly [name in keyof Given]: Given[name] | undefined } = {
    account: buyer.account,
    attempt,
    user_ref: input.user_ref,
    receiver_masked: maskReceiver(input.receiver),
  }
  const placeAt = (amount: number | undefined): Promise<PlaceReply> => durable.run(orderPlace, {
    sku: keys.sku(input.product_id),
    stock: keys.stock(partition),
    order,
    events: keys.events(partition, orderNo),
    unpaid: keys.unpaid(partition),
    outbox: keys.outbox(partition),
    trial_held: keys.trialHeld(partition),
    claim: doesBind ? claimKey(buyer.agent, attempt) : order,
  }, {
    order_no: orderNo,
    agent: buyer.agent,
    attempt,
    fingerprint,
    product_id: input.product_id,
    merchant_id: input.merchant_id,
    qty: input.qty,
    receiver: sealReceiver(input.receiver, orderNo, secrets.seal('receiver')),
    given: JSON.stringify(given),
    window_ms: config.paymentWindowMs,
    quoted: amount ?? '',
    doorbell: channels.doorbell(partition),
    partition,
    amount_max: limits.order_amount_max ?? '',
    categories: limits.categories ? `,${limits.categories.join()},` : '',
    mode: serviceMode(config),
    share: openOrders.stockPercent(buyer.tier) ?? '',
    claim_ttl_s: doesBind ? CLAIM_TTL_S : '',
  })
  return hasDayLimit(limits) ? spending.within(
    { ...input, agent: buyer.agent, orderNo, partition }, limits, quoted, placeAt)
    : placeAt(quoted?.amount)
}

/** Names of the request and of its receiver: JSON in this order is RFC 8785's canonical form. */
const COMPARED = [
  'merchant_id', 'product_id', 'qty', 'receiver', 'user_ref',
  ...Object.keys(ReceiverSchema.properties),
].toSorted()

/** What tells a request from another under the same key. */
export const comparedJson = (
  { merchant_id, product_id, qty, receiver, user_ref }: PlaceInput,
): string => JSON.stringify({ merchant_id, product_id, qty, receiver, user_ref }, COMPARED)

/** Keyed, because a plain hash of a receiver could be guessed back into the receiver. */
const fingerprintOf = (input: PlaceInput, secrets: Secrets): string =>
  secrets.keyedHash('create-order', comparedJson(input))

/** An order that was placed just now: the script returns what the request does not say. */
function placedFacts(
  { config }: Pick<PlaceOptions, 'config'>, { product_id, qty }: PlaceInput, orderNo: string,
  [skuId, title, ...numbers]: readonly (string | null)[],
): OrderFacts {
  const [unitPrice = NaN, freight = NaN, amount = NaN, createdAt = NaN] = numbers.map(Number)
  return {
    orderNo, status: 'pending_payment', productId: product_id, skuId: Number(skuId),
    title: title ?? '', qty, unitPrice, freight, amount, createdAt,
    expiresAt: createdAt + config.paymentWindowMs, mode: serviceMode(config),
  }
}

function orderOrRefusal(
  code: Exclude<PlaceCode, 'placed'>, values: (string | null)[], orderNo: string,
  promised: Price | undefined, limits: OwnerLimits,
): OrderFacts {
  switch (code) {
    case 'exists':
      return orderFactsOf(orderNo, values)
    case 'mismatch':
      throw new Refusal('idempotency_mismatch')
    case 'bound':
      throw new Error(`The key of ${orderNo} is bound to another number of the same request.`)
    case 'unknown':
      throw noSuchProduct()
    case 'merchant':
      throw wrongMerchant()
    case 'price':
      throw new Refusal('price_changed', { old: promised, new: priceOfReply(values) })
    case 'category':
      throw ownerLimit('categories', limits.categories, { category_id: Number(values[0]) })
    case 'amount':
      throw ownerLimit('order_amount_max', limits.order_amount_max, {
        left: limits.order_amount_max, amount: Number(values[0]),
      })
    case 'cap':
      throw new Refusal('qty_over_cap', {
        fields: [{ path: 'qty', problem: `may be at most ${Number(values[0])}` }],
        qty_cap: Number(values[0]),
      })
    case 'stock':
      throw new Refusal('out_of_stock', { available_qty: Number(values[0]) })
    case 'share':
      throw new Refusal('order_limit', {
        limit: 'stock_percent', left: Number(values[0]),
        hint: 'Trial keys together may hold only a small part of an item unpaid: order at most '
          + 'left pieces, pay or cancel an open order, or use the key of an account.',
      })
  }
}

const noSuchProduct = (): Refusal => new Refusal('not_found', {
  hint: 'Search again, take product_id from a goods item, and order it under a new UUID.',
  fields: [{ path: 'product_id', problem: 'is not a product that can be ordered' }],
})

const wrongMerchant = (): Refusal => new Refusal('merchant_mismatch', {
  fields: [{ path: 'merchant_id', problem: 'is not the merchant of this product' }],
})

export interface PreviewInput {
  readonly merchant_id: number
  readonly product_id: number
  readonly qty: number
}

export interface Preview {
  product_id: number
  sku_id: number
  title: string
  qty: number
  unit_price: number
  goods_amount: number
  freight: number
  free_ship_threshold: number
  amount: number
  grand_total: number
  qty_cap: number
  available_qty: number
  inventory_snapshot_at: string
  orderable: boolean
  why?: string
  quote_token: string
}

interface PreviewParts {
  readonly ledger: RedisClient
  readonly quotes: Quotes
  readonly spending: Spending
}

/** Of a buyer whose owner set limits it also says which of them the order would pass. */
export async function priceOrder(
  { ledger, quotes, spending }: PreviewParts, { merchant_id, product_id, qty }: PreviewInput,
  buyer?: Pick<Buyer, 'agent' | 'limits'>,
): Promise<Preview> {
  const [facts, left] = await Promise.all([
    ledger.hmget(keys.sku(product_id), 'supply', 'delisted', 'merchant_id', 'sku_id', 'title',
      'qty_cap', 'retail_price', 'freight', 'free_ship_threshold', 'category_id'),
    ledger.hget(keys.stock(partitionOf(product_id)), String(product_id)),
  ])
  const [supply, delisted, merchant, skuId, title, cap, unitPrice, freight, freeFrom,
    category] = facts
  if (supply !== 'own' || delisted === '1' || !title) throw noSuchProduct()
  if (Number(merchant) !== merchant_id) throw wrongMerchant()
  const due = orderAmount(Number(unitPrice), qty, Number(freight), Number(freeFrom))
  const price = { unit_price: Number(unitPrice), freight: due.freight, amount: due.amount }
  const available = Number(left ?? 0)
  const why = qty > Number(cap) ? `One order takes at most ${Number(cap)}.`
    : qty > available ? `Only ${available} are left.`
      : await ownersNo(spending, buyer, due.amount, Number(category))
  return {
    product_id,
    sku_id: Number(skuId),
    title,
    qty,
    ...price,
    goods_amount: due.goods,
    grand_total: price.amount,
    free_ship_threshold: Number(freeFrom),
    qty_cap: Number(cap),
    available_qty: available,
    inventory_snapshot_at: isoTime(nowMs()),
    orderable: why === undefined,
    ...(why !== undefined && { why }),
    quote_token: quotes.seal({ product_id, qty }, price),
  }
}

async function ownersNo(
  spending: Spending, buyer: Pick<Buyer, 'agent' | 'limits'> | undefined, amount: number,
  category: number,
): Promise<string | undefined> {
  if (!buyer?.limits) return undefined
  const { categories, order_amount_max: most, day_amount_max: daily } = buyer.limits
  if (categories && !categories.includes(category)) {
    return 'The owner of this agent does not allow this category.'
  }
  if (most !== undefined && amount > most) {
    return `The owner of this agent allows at most ${yuanText(most)} an order.`
  }
  const left = daily === undefined ? Infinity : await spending.left(buyer.agent, daily)
  return amount > left
    ? `Of what the owner of this agent allows today ${yuanText(left)} are left.` : undefined
}
