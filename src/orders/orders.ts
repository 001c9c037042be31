/** Orders: placing, reading and moving them. The ledger is the only truth. */
import { nowMs } from '../contract/time.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../contract/errors.ts'
import { partitionOfOrder } from '../contract/ids.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { Logger } from '../log.ts'
import { serviceMode, type Mode } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { orUnavailable } from '../redis/verdict.ts'
import { createAftersales, type AftersaleInput } from './aftersales.ts'
import {
  aftersaleItem, aftersaleView, type AftersaleAnswer, type AftersaleItem,
} from './aftersale-view.ts'
import { createCancel } from './cancel.ts'
import { detailOf, logisticsOf, type Logistics, type OrderDetail } from './detail.ts'
import type { OrderDriver } from './driver.ts'
import { listOrders, type OrderPage } from './list.ts'
import { NO_CAPS, type OpenOrders } from './open-orders.ts'
import { createMoves, type MakeMove } from './moves.ts'
import {
  createPayLinks, createSandboxPayments, type PayLinks, type PaymentProvider,
} from './payment.ts'
import { createPaying, type PayResult } from './pay.ts'
import { createPayments, type Payments } from './payments.ts'
import { createPeople } from './person.ts'
import { createPlacing, type Buyer, type PlaceInput } from './place.ts'
import { previewOrder, type Preview, type PreviewInput } from './preview.ts'
import { createQuotes } from './quote.ts'
import { readOrder, type OrderRecord } from './record.ts'
import { createDriver } from './sandbox.ts'
import { createSpending } from './spending.ts'
import { orderView, type OrderView, type PlacedOrder } from './view.ts'

export interface Orders {
  /** Places the order of this attempt, or returns it as it is now. */
  place(input: PlaceInput, buyer: Buyer): Promise<PlacedOrder>
  /** What placing it would cost, with a token that holds the price. */
  preview(input: PreviewInput, buyer?: Pick<Buyer, 'agent' | 'limits'>): Promise<Preview>
  /** Another agent's order and none at all are refused with the same words. */
  read(agent: string, orderNo: string): Promise<OrderView>
  logistics(agent: string, orderNo: string): Promise<Logistics>
  /** What `read` answers, with what its owner sees beside it. */
  detail(agent: string, orderNo: string): Promise<OrderView & OrderDetail & { mode: Mode }>
  cancel(agent: string, orderNo: string, reason?: string): Promise<OrderView>
  /** Files an after-sale, or with `preview` says what it would bring. */
  requestAftersale(input: AftersaleInput, buyer: Buyer): Promise<AftersaleAnswer>
  cancelAftersale(agent: string, orderNo: string): Promise<AftersaleAnswer>
  /** In the sandbox: the person behind the order has all after-sales of a window again. */
  restoreQuota(agent: string, orderNo: string): Promise<void>
  /** Oldest first. */
  aftersales(agent: string, orderNo: string): Promise<AftersaleItem[]>
  list(agent: string, cursor: string | undefined, limit: number): Promise<OrderPage>
  /** The order of a pay_url; undefined when the token is not its own. */
  payable(orderNo: string, token: string): Promise<OrderRecord | undefined>
  /** Begins the payment by a pay_url's token; with pretended money it is the whole payment. */
  pay(orderNo: string, token: string): Promise<PayResult>
  /** An agent's orders wait for payment no longer: they count no more among its open ones. */
  endOpen: OpenOrders['end']
  /** Makes a move of the state table; for workers and operators. */
  readonly move: MakeMove
  readonly driver: OrderDriver
  readonly payLinks: PayLinks
  readonly payments: Payments
  /** Who takes payments; undefined where the merchant is paid outside of this service. */
  readonly provider: PaymentProvider | undefined
  /** What kind of money this service takes: orders of another kind are not paid here. */
  readonly mode: Mode
}

export interface OrdersOptions {
  readonly ledger: RedisClient
  readonly durable: Durable
  readonly secrets: Secrets
  readonly config: Pick<Config,
    'publicUrl' | 'paymentWindowMs' | 'sandbox' | 'sandboxStepMs' | 'sandboxCompleteMs'
    | 'completeMs' | 'returnFreight' | 'unpaidKeptMs'>
  readonly log: Logger
  readonly driver?: OrderDriver
  /** Where payments are real; pretended ones need none. */
  readonly provider?: PaymentProvider | undefined
  /** What callers may have open; without it everything. */
  readonly openOrders?: OpenOrders
}

export function createOrders(options: OrdersOptions): Orders {
  const { ledger, durable, secrets, config, log } = options
  const driver = options.driver ?? createDriver(config)
  const payLinks = createPayLinks(config, secrets)
  const mode = serviceMode(config)
  const provider = options.provider ?? (config.sandbox ? createSandboxPayments() : undefined)
  const payments = createPayments({ ledger, durable, secrets, driver })
  const quotes = createQuotes(secrets)
  const openOrders = options.openOrders ?? NO_CAPS
  const spending = createSpending({ ledger, durable, secrets, log })
  const move = createMoves({ durable, driver, unpaidKeptMs: config.unpaidKeptMs })
  const people = createPeople({ ledger, durable, secrets, isSandbox: config.sandbox })
  const cancel = createCancel({ move, own })
  const requestAftersale = createAftersales({
    durable, secrets, people, move, own, driver, returnFreight: config.returnFreight,
  })

  async function payable(orderNo: string, token: string): Promise<OrderRecord | undefined> {
    if (!payLinks.accepts(orderNo, token)) return undefined
    return await orUnavailable(readOrder(ledger, orderNo))
  }

  const isPlaced = async (orderNo: string): Promise<boolean> => await orUnavailable(
    ledger.exists(keys.order(partitionOfOrder(orderNo) ?? 0, orderNo))) === 1

  async function own(agent: string, orderNo: string): Promise<OrderRecord> {
    const order = await orUnavailable(readOrder(ledger, orderNo))
    if (order?.agent !== agent) throw new Refusal('not_found')
    return order
  }

  return {
    place: createPlacing({
      durable, secrets, payments: payLinks, quotes, spending, openOrders, isPlaced,
      config,
    }),
    preview: (input, buyer) =>
      orUnavailable(previewOrder({ ledger, quotes, spending }, input, buyer)),
    read: async (agent, orderNo) => orderView(await own(agent, orderNo), payLinks, driver),
    async logistics(agent, orderNo) {
      const order = await own(agent, orderNo)
      const logistics = logisticsOf(order, driver, nowMs())
      if (!logistics) throw new Refusal('not_shipped', { status: order.status })
      return logistics
    },
    async detail(agent, orderNo) {
      const order = await own(agent, orderNo)
      return {
        ...orderView(order, payLinks, driver),
        ...await orUnavailable(detailOf(ledger, order, driver, nowMs())),
        mode: order.mode,
      }
    },
    async cancel(agent, orderNo, reason) {
      const order = await cancel.order(agent, orderNo, reason)
      // The worker does it, too: who cancels to make room for another order need not wait for it.
      await openOrders.end(agent, [orderNo])
      return orderView(order, payLinks, driver)
    },
    endOpen: openOrders.end,
    requestAftersale,
    async cancelAftersale(agent, orderNo) {
      const { order, record } = await cancel.aftersale(agent, orderNo)
      return aftersaleView(order, record, driver)
    },
    restoreQuota: async (agent, orderNo) => people.restore(people.keyOf(await own(agent, orderNo))),
    aftersales: async (agent, orderNo) => (await own(agent, orderNo)).aftersales
      .map((record) => aftersaleItem(record, driver)),
    list: (agent, cursor, limit) => orUnavailable(listOrders(ledger, agent, cursor, limit)),
    payable,
    pay: createPaying({ durable, payable, payLinks, payments, provider, mode }),
    move,
    driver,
    payLinks,
    payments,
    provider,
    mode,
  }
}
