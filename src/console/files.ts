/** CSV files for an owner: a month's statement, and the orders of a list. */
import { csvLine, BYTE_ORDER_MARK, sheetText } from '../earnings/statement.ts'
import { monthBounds } from '../earnings/month.ts'
import { Refusal } from '../contract/errors.ts'
import { readQuery } from '../http/rest.ts'
import type { HttpReply, HttpRequest } from '../contract/http.ts'
import { yuanNumber } from '../contract/money.ts'
import type { Owner } from '../contract/caller.ts'
import type { Services } from '../services.ts'
import { assertValid, withoutBlanks } from '../validate.ts'
import {
  agentsFor, allAccountOrders, allPurchases, type AccountOrdersQuery, type PurchasesQuery,
} from './account-orders.ts'
import { listAccountOrdersOperation, listPurchases } from './operations/orders.ts'
import { createConcurrencyLimit } from '../limits/concurrency-limit.ts'

type Answer = (request: HttpRequest, owner: Owner) => HttpReply | Promise<HttpReply>

/** By the path under the console's API. */
export function createFiles(services: Services): Readonly<Record<string, Answer>> {
  const limit = createConcurrencyLimit({
    policy: 'console-files', hint: 'Wait until the file before has come.',
    eachMax: 2, totalMax: 20,
  })
  const mark = services.earnings.mode === 'live' ? '' : 'sandbox-'
  const file = (
    request: HttpRequest, { account }: Owner, name: string, chunks: AsyncIterable<string>,
  ): HttpReply => ({
    status: 200,
    headers: [
      ['Content-Type', 'text/csv; charset=utf-8'],
      ['Content-Disposition', `attachment; filename="agentmall-${mark}${name}.csv"`],
      ['Cache-Control', 'no-store'],
    ],
    stream: limit.hold(request, account, marked(chunks)),
  })
  return {
    '/statements/:month': (request, owner) => {
      const month = request.params['month'] ?? ''
      const bounds = monthBounds(month)
      if (!bounds) {
        throw new Refusal('invalid_request', {
          fields: [{ path: 'month', problem: 'must be a month such as 2026-11' }],
        })
      }
      return file(request, owner, month,
        services.earnings.statement(owner.account, bounds, request.signal))
    },
    '/files/orders': async (request, owner) => {
      const query = queryOf<AccountOrdersQuery>(listAccountOrdersOperation.input, request)
      const agents = await agentsFor(services.ledger, owner.account, query)
      return file(request, owner, 'orders', orderLines(
        allAccountOrders(services, owner.account, agents, query)))
    },
    '/files/purchases': async (request, owner) => {
      const query = queryOf<PurchasesQuery>(listPurchases.input, request)
      const agents = await agentsFor(services.ledger, owner.account, query)
      return file(request, owner, 'purchases', purchaseLines(
        allPurchases(services, owner.account, agents, query)))
    },
  }
}

function queryOf<T>(schema: Parameters<typeof readQuery>[0], request: HttpRequest): T {
  const input = withoutBlanks(schema, readQuery(schema, request.query, {}))
  assertValid(schema, input)
  return input as T
}

async function* marked(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK
  yield* chunks
}

async function* orderLines(
  parts: ReturnType<typeof allAccountOrders>,
): AsyncGenerator<string> {
  yield csvLine(['order_no', 'created_at', 'status', 'agent', 'agent_name', 'user_ref',
    'product_id', 'title', 'qty', 'amount_yuan', 'commission_yuan', 'commission_state'])
  for await (const rows of parts) {
    yield rows.map(({ items: [item], commission, ...order }) => csvLine([
      order.order_no, order.created_at, order.status, order.agent, sheetText(order.agent_label),
      sheetText(order.user_ref ?? ''), item?.product_id ?? '', sheetText(item?.title ?? ''),
      item?.qty ?? '', yuanNumber(order.amount), ...commissionCells(commission),
    ])).join('')
  }
}

async function* purchaseLines(
  parts: ReturnType<typeof allPurchases>,
): AsyncGenerator<string> {
  yield csvLine(['source', 'mall_order_no', 'updated_at', 'paid_at', 'status', 'agent',
    'agent_name', 'item_id', 'title', 'qty', 'amount_yuan', 'commission_yuan', 'commission_state'])
  for await (const rows of parts) {
    yield rows.map(({ commission, ...one }) => csvLine([
      one.source, sheetText(one.mall_order_no), one.updated_at, one.paid_at ?? '', one.status,
      one.agent, sheetText(one.agent_label), one.item_id ?? '', sheetText(one.title), one.qty,
      yuanNumber(one.amount), ...commissionCells(commission),
    ])).join('')
  }
}

const commissionCells = (
  commission: { readonly amount: number, readonly state: string } | undefined,
): string[] => (commission ? [yuanNumber(commission.amount), commission.state] : ['', ''])
