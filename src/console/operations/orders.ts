/** Orders of all of an account's agents, and what the sandbox lets an owner do with them. */
import { Type } from 'typebox'
import { agentOfOrder, agentsOf } from '../../accounts/ownership.ts'
import { Refusal } from '../../errors.ts'
import { partitionOfOrder } from '../../ids.ts'
import { CLOSED, defineOperation } from '../../operations/define.ts'
import { OneOf, Optional, OrderNo, ORDER_NO_EXAMPLE } from '../../operations/fields.ts'
import {
  ORDER_DETAIL_PROPERTIES, ORDER_SUMMARY_PROPERTIES, OrdersPageSize,
} from '../../operations/order-fields.ts'
import { listAccountOrders } from '../../orders/list-account.ts'
import { createMerchant } from '../../orders/merchant.ts'
import { readOrder } from '../../orders/record.ts'
import { orderState } from '../../orders/refusals.ts'
import { ledger as keys } from '../../redis/keys.ts'
import { redisTimeMs } from '../../redis/replies.ts'
import type { Services } from '../../services.ts'
import { AgentId, Cursor } from './fields.ts'

const DELAY_MS = 3_600_000

export const listAccountOrdersOperation = defineOperation({
  name: 'list_account_orders',
  title: 'Orders',
  description: 'Orders of the account\'s agents, newest first, in pages; amounts are in fen.',
  access: 'owner',
  effect: 'read',
  route: 'GET /orders',
  input: Type.Object({
    agent: Optional(AgentId),
    cursor: Optional(Cursor),
    limit: OrdersPageSize,
  }, CLOSED),
  output: Type.Object({
    items: Type.Array(Type.Object({ ...ORDER_SUMMARY_PROPERTIES, agent: AgentId }, CLOSED)),
    next_cursor: Optional(Cursor),
  }, CLOSED),
  fails: ['not_found'],
  example: { limit: 10 },
  async handle({ agent, cursor, limit = 20 }, { caller, services: { ledger } }) {
    const own = await agentsOf(ledger, caller.account)
    if (agent !== undefined && !own.includes(agent)) throw new Refusal('not_found')
    const agents = agent === undefined ? own : [agent]
    return await listAccountOrders(ledger, agents, cursor, limit) as never
  },
})

const OrderDetail = Type.Object({ ...ORDER_DETAIL_PROPERTIES, agent: AgentId }, CLOSED)

export const getAccountOrder = defineOperation({
  name: 'get_account_order',
  title: 'One order',
  description: 'With its timeline, as the agent that placed it reads it.',
  access: 'owner',
  effect: 'read',
  route: 'GET /orders/:order_no',
  input: Type.Object({ order_no: OrderNo }, CLOSED),
  output: OrderDetail,
  fails: ['not_found'],
  example: { order_no: ORDER_NO_EXAMPLE },
  async handle({ order_no }, { caller, services }) {
    const agent = await agentOfOrder(services.ledger, caller.account, order_no)
    return { ...await services.orders.read(agent, order_no), agent } as never
  },
})

/** What an owner may do in the place of buyer, merchant and carrier. */
const SANDBOX_MOVES = [
  'pay', 'accept', 'ship', 'deliver', 'complete', 'refund', 'delay', 'restore_quota',
] as const
type SandboxMove = (typeof SANDBOX_MOVES)[number]

export const moveSandboxOrder = defineOperation({
  name: 'move_sandbox_order',
  title: 'Move an order of the sandbox',
  description: 'Pays it, or does what merchant and carrier would do next; `delay` puts that off '
    + 'by an hour, `complete` ends the time for returns, `restore_quota` gives the person behind '
    + 'the order all after-sale requests again. In the sandbox only.',
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
      const order = await readOrder(services.ledger, order_no)
      if (!order) throw new Refusal('not_found')
      throw orderState(order)
    }
    return { ...await services.orders.read(agent, order_no), agent } as never
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
    const due = keys.due(partitionOfOrder(orderNo) ?? 0)
    const at = await redisTimeMs(ledger) + DELAY_MS
    return await ledger.zadd(due, 'XX', 'CH', at, orderNo) === 1
  }
  const detail = move === 'ship' ? orders.driver.detail('ship', orderNo) : undefined
  const { outcome } = await createMerchant({ ledger, move: orders.move })
    .order(move, orderNo, detail)
  return outcome !== 'refused'
}
