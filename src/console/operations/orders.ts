/** Orders and purchases of all of an account's agents, and what the sandbox lets an owner do. */
import { Type } from 'typebox'
import { MALL_NAMES, ORDER_STATUSES } from '../../../adapters/names.ts'
import { agentOfOrder, assertOwn, labelsOf } from '../../accounts/agent-records.ts'
import { QualifiedItemId } from '../../affiliate/fields.ts'
import { readPurchase } from '../../affiliate/mall-orders.ts'
import { Refusal } from '../../contract/errors.ts'
import {
  CLOSED, Fen, like, Nullable, OneOf, Optional, ORDER_NO_EXAMPLE, OrderNo, Text, Time, UserRef,
} from '../../contract/fields.ts'
import { partitionOfOrder } from '../../contract/ids.ts'
import { lineOf, orderSubject } from '../../earnings/records.ts'
import { defineOperation } from '../../operations/define.ts'
import {
  AFTERSALE_PROPERTIES, ORDER_DETAIL_PROPERTIES, ORDER_SUMMARY_PROPERTIES, OrdersPageSize,
  OrderStatus, ReturnParcel, ParcelTraces,
} from '../../operations/order-fields.ts'
import { createMerchantActions } from '../../orders/merchant.ts'
import { orderState } from '../../orders/moves.ts'
import { AFTERSALE_STATUSES, EVENTS } from '../../orders/states.ts'
import { ledger as keys } from '../../redis/keys.ts'
import { redisTimeMs } from '../../redis/replies.ts'
import { runMany } from '../../redis/send.ts'
import type { Services } from '../../services.ts'
import {
  commissionsOf, pageOfAccountOrders, pageOfPurchases, purchaseRows,
} from '../account-orders.ts'
import { AgentId, AgentLabel, Commission, ListFields, PAGE_PROPERTIES } from './fields.ts'

const DELAY_MS = 3_600_000

export const listAccountOrdersOperation = defineOperation({
  name: 'list_account_orders',
  title: 'Orders',
  description: 'Orders of the account\'s agents in pages; amounts are in fen. Days are those of '
    + 'the creation. A status, a search and an order by amount are looked for among the newest '
    + '2,000 of the days and the agent; a whole order number is found anywhere.',
  access: 'owner',
  effect: 'read',
  route: 'GET /orders',
  input: Type.Object({
    status: Optional(OrderStatus),
    q: Optional(Text(64, 'Part of an order number or of a user_ref')),
    ...ListFields,
    limit: OrdersPageSize,
  }, CLOSED),
  output: Type.Object({
    items: Type.Array(Type.Object({
      ...ORDER_SUMMARY_PROPERTIES, agent: AgentId, agent_label: AgentLabel,
      user_ref: Optional(UserRef), commission: Optional(Commission),
    }, CLOSED)),
    ...PAGE_PROPERTIES,
  }, CLOSED),
  fails: ['not_found'],
  example: { limit: 10, status: 'paid' },
  async handle(query, { caller, services }) {
    return await pageOfAccountOrders(services, caller.account, query) as never
  },
})

const OrderDetail = Type.Object({
  ...ORDER_DETAIL_PROPERTIES,
  agent: AgentId,
  agent_label: AgentLabel,
  commission: Optional(Commission),
  logistics: Optional(Type.Object({
    waybill_no: Text(40),
    express_co: Text(40, 'Carrier', 0),
    traces: ParcelTraces,
    return_parcel: ReturnParcel,
  }, CLOSED)),
  aftersales: Type.Array(Type.Object(AFTERSALE_PROPERTIES, CLOSED), {
    description: 'Oldest first',
  }),
  upcoming: Type.Array(Type.Object({
    event: Optional(OneOf(EVENTS)),
    aftersale_status: Optional(OneOf(AFTERSALE_STATUSES)),
    at: Optional(Time),
  }, CLOSED), { description: 'What comes next if all goes well; `at` where it is known' }),
}, CLOSED)

export const getAccountOrder = defineOperation({
  name: 'get_account_order',
  title: 'One order',
  description: 'As the agent that placed it reads it, with its commission, the traces of its '
    + 'parcel, its after-sales and what comes next.',
  access: 'owner',
  effect: 'read',
  route: 'GET /orders/:order_no',
  input: Type.Object({ order_no: OrderNo }, CLOSED),
  output: OrderDetail,
  fails: ['not_found'],
  example: { order_no: ORDER_NO_EXAMPLE },
  async handle({ order_no }, { caller, services }) {
    return await readDetail(services, caller.account, order_no) as never
  },
})

async function readDetail(services: Services, account: string, orderNo: string) {
  const { ledger, orders } = services
  const agent = await agentOfOrder(ledger, account, orderNo)
  const { mode, logistics, ...order } = await orders.detail(agent, orderNo)
  const [labels, [commission]] = await Promise.all([
    labelsOf(ledger, [agent]),
    commissionsOf(ledger, account, [{ subject: orderSubject(orderNo), mode }]),
  ])
  const { order_no: _, ...parcel } = logistics ?? {}
  return {
    ...order, agent, agent_label: labels.get(agent) ?? '',
    ...(commission && { commission }), ...(logistics && { logistics: parcel }),
  }
}

/** Moves of buyer, merchant and carrier that an owner may make. */
const SANDBOX_MOVES = [
  'pay', 'accept', 'ship', 'deliver', 'complete', 'refund', 'delay', 'restore_quota',
] as const
type SandboxMove = (typeof SANDBOX_MOVES)[number]

export const moveSandboxOrder = defineOperation({
  name: 'move_sandbox_order',
  title: 'Move an order of the sandbox',
  description: 'Pays it, or does what merchant and carrier would do next; `delay` puts that off '
    + 'by an hour, also the next step of its after-sale, `complete` ends the time for returns, '
    + '`restore_quota` gives the person behind the order all after-sale requests again. In the '
    + 'sandbox only.',
  access: 'owner',
  effect: 'update',
  route: 'POST /orders/:order_no/moves',
  input: Type.Object({ order_no: OrderNo, move: OneOf(SANDBOX_MOVES) }, CLOSED),
  output: OrderDetail,
  fails: ['not_found', 'order_state', 'not_configured'],
  example: { order_no: ORDER_NO_EXAMPLE, move: 'pay' },
  async handle({ order_no, move }, { caller, services }) {
    if (!services.config.sandbox) throw new Refusal('not_configured')
    const agent = await agentOfOrder(services.ledger, caller.account, order_no)
    if (move === 'restore_quota') await services.orders.restoreQuota(agent, order_no)
    else if (!await makeMove(services, order_no, move)) {
      const order = await services.orders.find(order_no)
      if (!order) throw new Refusal('not_found')
      throw orderState(order)
    }
    return await readDetail(services, caller.account, order_no) as never
  },
})

/** False where the order's status does not allow it. */
async function makeMove(
  { ledger, orders }: Services, orderNo: string, move: Exclude<SandboxMove, 'restore_quota'>,
): Promise<boolean> {
  if (move === 'pay' || move === 'complete') {
    const { code } = await orders.move(move, orderNo)
    return code === 'moved' || code === 'done'
  }
  if (move === 'delay') {
    const partition = partitionOfOrder(orderNo) ?? 0
    const at = await redisTimeMs(ledger) + DELAY_MS
    const changed = await runMany(ledger, [keys.due(partition), keys.afterDue(partition)]
      .map((due) => ['zadd', due, 'XX', 'CH', at, orderNo] as const))
    return changed.includes(1)
  }
  const detail = move === 'ship' ? orders.driver.detail('ship', orderNo) : undefined
  const { outcome } = await createMerchantActions(orders)
    .order(move, orderNo, detail)
  return outcome !== 'refused'
}

const PurchaseId = like(Type.String({
  pattern: `^(${MALL_NAMES.join('|')}):\\P{Cc}{1,128}$`,
  description: 'Platform and line of its order, with a colon between them',
}), 'mall_b:281700012345')

const PurchaseRow = Type.Object({
  purchase: PurchaseId,
  source: OneOf(MALL_NAMES),
  mall_order_no: Text(64),
  item_id: Nullable(QualifiedItemId),
  title: Text(200),
  qty: Type.Integer({ minimum: 0 }),
  amount: Fen('What was paid, in fen'),
  status: OneOf(ORDER_STATUSES),
  agent: AgentId,
  agent_label: AgentLabel,
  commission: Optional(Commission),
  ordered_at: Nullable(Time),
  paid_at: Nullable(Time),
  updated_at: Time,
}, CLOSED)

export const listPurchases = defineOperation({
  name: 'list_purchases',
  title: 'Purchases at platforms',
  description: 'What users bought at platforms by links of the account\'s agents, in pages; '
    + 'amounts are in fen, days those of the last change. A status, a search and an order by '
    + 'amount are looked for among the 2,000 of the days, the agent and the platform that were '
    + 'changed last.',
  access: 'owner',
  effect: 'read',
  route: 'GET /purchases',
  input: Type.Object({
    source: Optional(OneOf(MALL_NAMES, 'Default all')),
    status: Optional(OneOf(ORDER_STATUSES)),
    q: Optional(Text(64, 'Part of the platform\'s order number or of the title')),
    ...ListFields,
    limit: OrdersPageSize,
  }, CLOSED),
  output: Type.Object({ items: Type.Array(PurchaseRow), ...PAGE_PROPERTIES }, CLOSED),
  fails: ['not_found'],
  example: { limit: 10, source: 'mall_b' },
  async handle(query, { caller, services }) {
    return await pageOfPurchases(services, caller.account, query) as never
  },
})

export const getPurchase = defineOperation({
  name: 'get_purchase',
  title: 'One purchase at a platform',
  description: 'As the platform reported it last.',
  access: 'owner',
  effect: 'read',
  route: 'GET /purchases/:purchase',
  input: Type.Object({ purchase: PurchaseId }, CLOSED),
  output: PurchaseRow,
  fails: ['not_found'],
  example: { purchase: 'mall_b:281700012345' },
  async handle({ purchase }, { caller: { account }, services: { ledger } }) {
    const { source, line } = lineOf(purchase) ?? { source: '', line: '' }
    const found = await readPurchase(ledger, source, line)
    if (!found) throw new Refusal('not_found')
    await assertOwn(ledger, account, found.agent)
    return (await purchaseRows(ledger, account, [found]))[0] as never
  },
})
