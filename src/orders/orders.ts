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
import { orUnavailable } from '../redis/command-errors.ts'
import { AftersaleRequests, createPeople, type AftersaleInput } from './aftersales.ts'
import {
  aftersaleItem, aftersaleView, detailOf, logisticsOf, orderView, type AftersaleAnswer,
  type AftersaleItem, type Logistics, type OrderDetail, type OrderView, type PlacedOrder,
} from './view.ts'
import { createCancel, createMoves, type MakeMove } from './moves.ts'
import { createDriver, type OrderDriver } from './driver.ts'
import { listAgentOrders, type AgentOrderPage } from './lists.ts'
import { NO_CAPS, type OpenOrders } from './open-orders.ts'
import {
  createPayLinks, createSandboxPayments, type PayLinks, type PaymentProvider,
} from './payment-provider.ts'
import { createPaying, LedgerPayments, type Payments, type PayResult } from './payments.ts'
import {
  createPlacing, priceOrder, type Buyer, type PlaceInput, type Preview,
  type PreviewInput,
} from './place-order.ts'
import { createQuotes } from './quotes.ts'
import type { Status } from './states.ts'
import type { OrderArchive } from './archive/archive.ts'
import { readArchivedFields, readFacts, readOrder, type OrderRecord } from './record.ts'
import { DailySpending } from './spending.ts'

export interface Orders {
  /** Places the order of this attempt, or returns it as it is now. */
  place(input: PlaceInput, buyer: Buyer): Promise<PlacedOrder>
  /** What placing it would cost, with a token that holds the price. */
  preview(input: PreviewInput, buyer?: Pick<Buyer, 'agent' | 'limits'>): Promise<Preview>
  /** Of whatever agent; undefined where there is none. */
  find(orderNo: string): Promise<OrderRecord | undefined>
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
  list(agent: string, cursor: string | undefined, limit: number): Promise<AgentOrderPage>
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
  /** Where ended orders go. */
  readonly archive: OrderArchive | undefined
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
  /** Where ended orders go; without it those that are there answer `unavailable`. */
  readonly archive?: OrderArchive | undefined
}

export function createOrders(options: OrdersOptions): Orders {
  const { ledger, durable, secrets, config, log, archive } = options
  const driver = options.driver ?? createDriver(config)
  const payLinks = createPayLinks(config, secrets)
  const mode = serviceMode(config)
  const provider = options.provider ?? (config.sandbox ? createSandboxPayments() : undefined)
  const payments = new LedgerPayments({ ledger, durable, secrets, driver })
  const quotes = createQuotes(secrets)
  const openOrders = options.openOrders ?? NO_CAPS
  const spending = new DailySpending({ ledger, durable, secrets, log })
  const move = createMoves({
    durable, driver, unpaidKeptMs: config.unpaidKeptMs,
    archivedFields: (orderNo) => orUnavailable(readArchivedFields(ledger, orderNo, archive)),
  })
  const payable: Orders['payable'] = async (orderNo, token) =>
    payLinks.accepts(orderNo, token)
      ? await orUnavailable(readOrder(ledger, orderNo, archive)) : undefined
  const parts: Parts = {
    ...options, driver, payLinks, openOrders, move,
    own: (agent, orderNo) => ownOrder(options, agent, orderNo),
  }
  return {
    place: createPlacing({
      durable, secrets, payments: payLinks, quotes, spending, openOrders, config,
      factsOf: (orderNo) => orUnavailable(readFacts(ledger, [orderNo])),
      isPlaced: async (orderNo) => await orUnavailable(
        ledger.exists(keys.order(partitionOfOrder(orderNo) ?? 0, orderNo))) === 1,
    }),
    find: (orderNo) => orUnavailable(readOrder(ledger, orderNo, archive)),
    preview: (input, buyer) =>
      orUnavailable(priceOrder({ ledger, quotes, spending }, input, buyer)),
    ...readingOf(parts),
    ...reversalsOf(parts),
    endOpen: (agent, orderNos) => openOrders.end(agent, orderNos),
    payable,
    pay: createPaying({ durable, payable, payLinks, payments, provider, mode }),
    move,
    driver,
    payLinks,
    payments,
    provider,
    archive,
    mode,
  }
}

interface Parts extends OrdersOptions {
  readonly driver: OrderDriver
  readonly payLinks: PayLinks
  readonly openOrders: OpenOrders
  readonly move: MakeMove
  readonly own: (agent: string, orderNo: string) => Promise<OrderRecord>
}

async function ownOrder(
  { ledger, archive }: Pick<OrdersOptions, 'ledger' | 'archive'>, agent: string, orderNo: string,
): Promise<OrderRecord> {
  const order = await orUnavailable(readOrder(ledger, orderNo, archive))
  if (order?.agent !== agent) throw new Refusal('not_found')
  return order
}

/** An order that ended, or is being refunded, before it shipped never does. */
function notShipped(status: Status): Refusal {
  const isOver = status === 'closed' || status === 'refunding' || status === 'refunded'
  return new Refusal('not_shipped', {
    status, ...isOver && { hint: `The order is ${status}: there will be no parcel.` },
  })
}

const readingOf = (
  { ledger, payLinks, driver, own }: Parts,
): Pick<Orders, 'read' | 'logistics' | 'detail' | 'list'> => ({
  read: async (agent, orderNo) => orderView(await own(agent, orderNo), payLinks, driver),
  async logistics(agent, orderNo) {
    const order = await own(agent, orderNo)
    const logistics = logisticsOf(order, driver, nowMs())
    if (!logistics) throw notShipped(order.status)
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
  list: (agent, cursor, limit) => orUnavailable(listAgentOrders(ledger, agent, cursor, limit)),
})

/** What undoes an order: its cancellation and its after-sales. */
function reversalsOf(
  { ledger, durable, secrets, config, payLinks, openOrders, move, own, driver }: Parts,
): Pick<Orders, 'cancel' | 'requestAftersale' | 'cancelAftersale' | 'restoreQuota' | 'aftersales'> {
  const people = createPeople({ ledger, durable, secrets, isSandbox: config.sandbox })
  const cancel = createCancel({ move, own })
  const aftersales = new AftersaleRequests({
    durable, secrets, people, move, own, driver, returnFreight: config.returnFreight,
  })
  return {
    async cancel(agent, orderNo, reason) {
      const order = await cancel.order(agent, orderNo, reason)
      // The worker does it, too: who cancels to make room for another order need not wait for it.
      await openOrders.end(agent, [orderNo])
      return orderView(order, payLinks, driver)
    },
    requestAftersale: (input, buyer) => aftersales.request(input, buyer),
    async cancelAftersale(agent, orderNo) {
      const { order, record } = await cancel.aftersale(agent, orderNo)
      return aftersaleView(order, record, driver)
    },
    restoreQuota: async (agent, orderNo) => people.restore(people.keyOf(await own(agent, orderNo))),
    async aftersales(agent, orderNo) {
      const { aftersales: records, refund } = await own(agent, orderNo)
      return records.map((record) => aftersaleItem(record, driver, refund))
    },
  }
}
