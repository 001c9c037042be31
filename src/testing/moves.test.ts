/**
 * Every state that an order and its after-sale can be in, and everything that anybody can do to
 * it: over REST, over MCP, at the cashier, and by the operator's command. The table decides.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { aftersalesCommands, ordersCommands } from '../commands/orders.ts'
import type { AtWork, Workplace } from '../commands/ledger.ts'
import { cancelAftersale } from '../operations/cancel-aftersale.ts'
import { cancelOrder } from '../operations/cancel-order.ts'
import { createOrder } from '../operations/create-order.ts'
import { requestAftersale } from '../operations/request-aftersale.ts'
import { AFTERSALE_ACTIONS, ORDER_ACTIONS } from '../orders/merchant.ts'
import {
  MOVES, STATUSES, openOf, type AftersaleStatus, type AftersaleType, type Move, type MoveName,
  type Status,
} from '../orders/states.ts'
import { ledger as keys } from '../redis/keys.ts'
import { orderInput } from './live.ts'
import { startTestNode } from './node.ts'
import { supplyProduct } from './products.ts'

/** So slow that no driver moves an order under the hands of the test. */
const SLOW = { sandboxStepMs: 600_000, sandboxCompleteMs: 600_000 }
const node = await startTestNode(SLOW)
afterAll(() => node.stop())
const key = await node.newKey()
const { ledger, orders, config, secrets, log } = node.services

interface State {
  readonly status: Status
  readonly aftersale: AftersaleStatus | 'none'
  readonly type?: AftersaleType
}

interface Step {
  readonly name: MoveName
  readonly type: AftersaleType
}

const TYPES: readonly AftersaleType[] = ['return_refund', 'refund_only']

/** The state after a row; undefined where the table does not allow it. */
function after(state: State, name: MoveName, wanted: AftersaleType): State | undefined {
  const { from, to, aftersale }: Move = MOVES[name]
  if (!from.includes(state.status)) return undefined
  const open = openOf(state.aftersale === 'none' ? undefined : state.aftersale)
  if (aftersale && !aftersale.from.includes(open)) return undefined
  const isNew = aftersale?.to && aftersale.from.includes('none')
  const type = isNew ? wanted : state.type
  if (aftersale?.type && aftersale.type !== type) return undefined
  return {
    status: to ?? state.status, aftersale: aftersale?.to ?? state.aftersale, ...(type && { type }),
  }
}

/** Every state, with the shortest way to it. */
function everyState(): { state: State, way: readonly Step[] }[] {
  const found = new Map<string, { state: State, way: readonly Step[] }>()
  const waiting = [{ state: { status: 'pending_payment', aftersale: 'none' } as State,
    way: [] as readonly Step[] }]
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const name = JSON.stringify(next.state)
    if (found.has(name)) continue
    found.set(name, next)
    for (const move of Object.keys(MOVES) as MoveName[]) {
      for (const type of TYPES) {
        const state = after(next.state, move, type)
        if (state) waiting.push({ state, way: [...next.way, { name: move, type }] })
      }
    }
  }
  return [...found.values()]
}

interface Placed {
  readonly orderNo: string
  readonly agent: string
  readonly payUrl: string
}

const given = (type: AftersaleType): string => JSON.stringify({
  type, pickup: true, refund_amount: 1, return_freight_payer: 'us', fingerprint: 'of the test',
})

async function orderIn(way: readonly Step[]): Promise<Placed> {
  const product = await supplyProduct(ledger)
  const input = { ...orderInput({ product_id: product.productId,
    merchant_id: product.merchantId }), user_ref: randomUUID() }
  const { envelope: { data, agent_ref: agent } } = await node.rest(createOrder, input, key)
  const orderNo = data.order_no as string
  for (const { name, type } of way) {
    const row: Move = MOVES[name]
    if (row.window === 'over') {
      await ledger.hset(keys.order(product.partition, orderNo), 'expires_at', 1)
    }
    const isNew = row.aftersale?.from.includes('none')
    const { code } = await orders.move(name, orderNo, {
      ...(name.startsWith('cancel') && { mark: 'cancel' }),
      ...(row.aftersale?.to && {
        aftersale: { id: 'AS1', type, hasPickup: true, ...(isNew && { given: given(type) }) },
      }),
    })
    expect(code, name).toBe('moved')
  }
  return { orderNo, agent: agent ?? '', payUrl: data.pay_url as string }
}

async function stateOf({ agent, orderNo }: Placed): Promise<State> {
  const { status } = await orders.read(agent, orderNo)
  const last = (await orders.aftersales(agent, orderNo)).at(-1)
  return { status, aftersale: last?.status ?? 'none', ...(last && { type: last.type }) }
}

/** What somebody can do, and the rows that it may make, in their order. */
interface Deed {
  readonly name: string
  readonly rows: readonly MoveName[]
  readonly type?: AftersaleType
  /** Whether it was accepted. */
  attempt(order: Placed): Promise<boolean>
}

const REQUEST_ROWS = ['request_refund', 'request_aftersale'] as const
const requestOf = (type: AftersaleType, orderNo: string) =>
  ({ order_no: orderNo, type, reason_class: 'quality' as const })

const overRest = (operation: typeof cancelOrder | typeof cancelAftersale) =>
  async ({ orderNo }: Placed): Promise<boolean> => {
    const { status } = await node.rest(operation, { order_no: orderNo }, key)
    if (status !== 200) expect(status).toBe(409)
    return status === 200
  }

const place = { ...node.services, config: { ...config, ...SLOW }, secrets, log,
  urls: { ledger: config.redis?.ledger ?? '' } } as unknown as Workplace
const here: AtWork = (work) => work(place)

/** The command's own output says how it went; its exit status is that of the test run. */
async function byCommand(group: 'orders' | 'aftersales', action: string, orderNo: string) {
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    const command = group === 'orders' ? ordersCommands(here) : aftersalesCommands(here)
    const parcel = action === 'ship' ? ['--waybill', 'SF1', '--express', '顺丰'] : []
    await command.parseAsync([action, orderNo, ...parcel], { from: 'user' })
    const outcome = JSON.parse(String(printed.mock.calls.at(-1)?.[0])) as { outcome: string }
    expect(process.exitCode ?? 0).toBe(outcome.outcome === 'refused' ? 1 : 0)
    return outcome.outcome !== 'refused'
  } finally {
    printed.mockRestore()
    process.exitCode = undefined
  }
}

const ROWS_OF: Record<string, readonly MoveName[]> = {
  'orders refund': ['refund_unshipped', 'refund_sent', 'finish_refund'],
  'aftersales approve': ['approve_return', 'approve_refund'],
  'aftersales book-pickup': ['book_pickup'],
  'aftersales refund': ['refund_returned', 'refund_kept'],
}

const deeds: readonly Deed[] = [
  {
    name: 'pays at the cashier', rows: ['pay'],
    async attempt({ payUrl }) {
      const { pathname, searchParams } = new URL(payUrl)
      const { status } = await fetch(`${node.url}${pathname}`, {
        method: 'POST', body: new URLSearchParams({ t: searchParams.get('t') ?? '' }),
      })
      return status === 200
    },
  },
  ...TYPES.flatMap((type): Deed[] => [
    {
      name: `asks for ${type} over REST`, rows: REQUEST_ROWS, type,
      async attempt({ orderNo }) {
        const { status } = await node.rest(requestAftersale, requestOf(type, orderNo), key)
        if (status !== 200) expect(status).toBe(409)
        return status === 200
      },
    },
    {
      name: `asks for ${type} over MCP`, rows: REQUEST_ROWS, type,
      async attempt({ orderNo }) {
        const { body } = await node.mcp('tools/call',
          { name: 'request_aftersale', arguments: requestOf(type, orderNo) }, key)
        return body.result.isError !== true
      },
    },
  ]),
  { name: 'cancels over REST', rows: ['cancel', 'cancel_paid'], attempt: overRest(cancelOrder) },
  { name: 'takes the after-sale back', rows: ['withdraw'], attempt: overRest(cancelAftersale) },
  ...(['orders', 'aftersales'] as const).flatMap((group) =>
    (group === 'orders' ? ORDER_ACTIONS : AFTERSALE_ACTIONS).map((action): Deed => ({
      name: `agentmall ${group} ${action}`,
      rows: ROWS_OF[`${group} ${action}`] ?? [action as MoveName],
      attempt: ({ orderNo }) => byCommand(group, action, orderNo),
    }))),
]

const states = everyState()

test('the walk reaches every status, and every row is made by somebody or by the clock', () => {
  expect(new Set(states.map(({ state }) => state.status))).toEqual(new Set(STATUSES))
  const made = new Set(deeds.flatMap(({ rows }) => rows))
  const unmade = (Object.keys(MOVES) as MoveName[]).filter((name) => !made.has(name))
  expect(unmade.map((name) => MOVES[name].who)).toEqual(['clock', 'clock'])
})

describe.each(states.map(({ state, way }) => ({
  name: [state.status, ...(state.type ? [state.type, state.aftersale] : [])].join(', '),
  state, way,
})))('$name', ({ state, way }) => {
  test.each(deeds)('$name', async ({ rows, type = 'return_refund', attempt }) => {
    const order = await orderIn(way)
    expect(await stateOf(order)).toEqual(state)
    let wanted = state
    let isAllowed = false
    for (const row of rows) {
      const next = after(wanted, row, type)
      if (!next) continue
      wanted = next
      isAllowed = true
    }
    const isAccepted = await attempt(order)
    expect(await stateOf(order)).toEqual(wanted)
    // Doing again what was done is accepted, and changes nothing.
    const isRepeated = way.some(({ name }) => rows.includes(name))
    if (!isRepeated) expect(isAccepted).toBe(isAllowed)
  })
})
