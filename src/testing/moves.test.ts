/**
 * Everything that anybody can do to an order, over REST, over MCP, at the cashier, and by the
 * operator's command, wherever it leads on, and once where it does not. The table decides;
 * `states.test.ts` has every move in every state.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { aftersalesCommands, ordersCommands } from '../commands/orders.ts'
import type { WithLedger, CommandContext } from '../commands/context.ts'
import { cancelAftersale } from '../operations/cancel-aftersale.ts'
import { cancelOrder } from '../operations/cancel-order.ts'
import { createOrder } from '../operations/create-order.ts'
import { requestAftersale } from '../operations/request-aftersale.ts'
import { AFTERSALE_ACTIONS, ORDER_ACTIONS } from '../orders/merchant.ts'
import {
  AFTERSALE_TYPES, MOVES, STATUSES, type AftersaleType, type MoveRow, type MoveName,
} from '../orders/states.ts'
import { ledger as keys } from '../redis/keys.ts'
import { everyPath, moveAlong, placesAfter, type Place } from './every-state.ts'
import { orderInput } from './live.ts'
import { startTestNode } from './node.ts'
import { supplyProduct } from './products.ts'

/** So slow that no driver moves an order under the hands of the test. */
const SLOW = { sandboxStepMs: 600_000, sandboxCompleteMs: 600_000 }
const node = await startTestNode(SLOW)
afterAll(() => node.stop())
const key = await node.newKey()
const { ledger, orders, config, secrets, log } = node.services

type State = Pick<Place, 'status' | 'after' | 'type'>

interface Placed {
  readonly orderNo: string
  readonly agent: string
  readonly payUrl: string
}

async function orderIn(path: Place['path']): Promise<Placed> {
  const product = await supplyProduct(ledger)
  const input = { ...orderInput({ product_id: product.productId,
    merchant_id: product.merchantId }), user_ref: randomUUID() }
  const { envelope: { data, agent_ref: agent } } = await node.rest(createOrder, input, key)
  const orderNo = data.order_no as string
  if (path.some(({ name }) => (MOVES[name] as MoveRow).window === 'over')) {
    await ledger.hset(keys.order(product.partition, orderNo), 'expires_at', 1)
  }
  await moveAlong(orders.move, orderNo, path)
  return { orderNo, agent: agent ?? '', payUrl: data.pay_url as string }
}

async function stateOf({ agent, orderNo }: Placed): Promise<State> {
  const { status } = await orders.read(agent, orderNo)
  const last = (await orders.aftersales(agent, orderNo)).at(-1)
  return { status, after: last?.status ?? null, type: last?.type ?? null }
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
    expect([200, 409]).toContain(status)
    return status === 200
  }

const place = { ...node.services, config: { ...config, ...SLOW }, secrets, log,
  urls: { ledger: config.redis?.ledger ?? '' } } as unknown as CommandContext
const here: WithLedger = (work) => work(place)

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
  'orders refund': ['refund_unshipped', 'refund_sent', 'finish_refund', 'refund_completed'],
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
  ...AFTERSALE_TYPES.flatMap((type): Deed[] => [
    {
      name: `asks for ${type} over REST`, rows: REQUEST_ROWS, type,
      async attempt({ orderNo }) {
        const { status } = await node.rest(requestAftersale, requestOf(type, orderNo), key)
        expect([200, 409]).toContain(status)
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

const places = everyPath()

test('the walk reaches every status, and every row is made by somebody or by the clock', () => {
  expect(new Set(places.map(({ status }) => status))).toEqual(new Set(STATUSES))
  const made = new Set(deeds.flatMap(({ rows }) => rows))
  const unmade = (Object.keys(MOVES) as MoveName[]).filter((name) => !made.has(name))
  expect(unmade.map((name) => MOVES[name].who)).toEqual(['clock', 'clock'])
})

/** Where it leads on, one place where it was done before, and one where it is refused. */
function casesOf(deed: Deed, at: number): { name: string, deed: Deed, place: Place }[] {
  const edges: Place[] = []
  const repeated: Place[] = []
  const refused: Place[] = []
  for (const place of places) {
    const isEdge = deed.rows.some((row) => placesAfter(place, row).length > 0)
    const wasDone = place.path.some(({ name }) => deed.rows.includes(name))
    ;(isEdge ? edges : wasDone ? repeated : refused).push(place)
  }
  const one = (all: readonly Place[]): Place[] => all.slice(at % all.length, at % all.length + 1)
  return [...edges, ...one(repeated), ...one(refused)].map((place) => ({
    name: [place.status, place.type, place.after].filter(Boolean).join(', '), deed, place,
  }))
}

describe.each(deeds.map((deed, at) => ({ name: deed.name, cases: casesOf(deed, at) })))(
  '$name', ({ cases }) => {
    test.each(cases)('an order that is $name', async ({
      deed: { rows, type = 'return_refund', attempt }, place: { path, ...state },
    }) => {
      const order = await orderIn(path)
      expect(await stateOf(order)).toEqual(state)
      let wanted: Place = { ...state, path }
      for (const row of rows) {
        // One that begins is of the type that was asked for.
        const begins = (MOVES[row] as MoveRow).aftersale?.from.includes('none')
        wanted = placesAfter(wanted, row).find((one) =>
          !begins || one.after === wanted.after || one.type === type) ?? wanted
      }
      const isAccepted = await attempt(order)
      const { path: way, ...reached } = wanted
      expect(await stateOf(order)).toEqual(reached)
      // Doing again what was done is accepted, and changes nothing.
      const isRepeated = path.some(({ name }) => rows.includes(name))
      expect(isRepeated || isAccepted === way.length > path.length).toBe(true)
    })
  })
