/** What users of an account's agents bought at platforms. */
import { Type } from 'typebox'
import { assertOwn } from '../../accounts/ownership.ts'
import { readPurchase } from '../../affiliate/list-account.ts'
import { MALL_NAMES } from '../../../adapters/names.ts'
import { lineOf } from '../../earnings/records.ts'
import { Refusal } from '../../contract/errors.ts'
import { ItemId, MALL_ORDER_STATUSES } from '../../contract/affiliate-fields.ts'
import { defineOperation } from '../../operations/define.ts'
import { CLOSED, Fen, like, Nullable, OneOf, Optional, Text, Time } from '../../contract/fields.ts'
import { OrdersPageSize } from '../../operations/order-fields.ts'
import { pageOfPurchases, purchaseRows } from '../account-orders.ts'
import { AgentId, AgentLabel, Commission, ListFields, PAGE_PROPERTIES } from './fields.ts'

const PurchaseId = like(Type.String({
  pattern: `^(${MALL_NAMES.join('|')}):\\P{Cc}{1,128}$`,
  description: 'Platform and line of its order, with a colon between them',
}), 'mall_b:281700012345')

const PurchaseRow = Type.Object({
  purchase: PurchaseId,
  source: OneOf(MALL_NAMES),
  mall_order_no: Text(64),
  item_id: Nullable(ItemId),
  title: Text(200),
  qty: Type.Integer({ minimum: 0 }),
  amount: Fen('What was paid, in fen'),
  status: OneOf(MALL_ORDER_STATUSES),
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
    status: Optional(OneOf(MALL_ORDER_STATUSES)),
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
