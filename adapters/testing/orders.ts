/** Orders of every mall: complete, in increments, and harmless to read again. */
import { expect, test } from 'vitest'
import type { OrderLine, OrderWindow, Source } from '../contract.ts'
import { failureOf, firstItem, type Operations, type Stage } from './stage.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

interface Read {
  readonly lines: Map<string, OrderLine>
  readonly through: number
}

/** As a reader of orders does it: by line, the later change replaces the earlier. */
async function read(
  source: Source, window: OrderWindow, lines = new Map<string, OrderLine>(),
): Promise<Read> {
  let through = window.from
  for await (const page of source.orders!(window)) {
    expect(page.through).toBeGreaterThanOrEqual(through)
    through = page.through
    for (const line of page.lines) {
      const known = lines.get(line.line_id)
      if (!known || known.updated_at <= line.updated_at) lines.set(line.line_id, line)
    }
  }
  return { lines, through }
}

/** Buys the first item through links of so many agents, one a minute. */
async function buy(stage: Stage, times: number, everyMs = MINUTE_MS): Promise<number[]> {
  const { source, simulator, clock, subId } = stage
  const item = await firstItem(stage)
  const numbers: number[] = []
  for (let nth = 0; nth < times; nth += 1) {
    const link = await source.convert!({ item: item.id, subId: subId(nth) })
    clock.forward(everyMs)
    const order = simulator.purchase(link.url, 2)
    if (!order) throw new Error('The mall does not know its own link.')
    numbers.push(order.number)
  }
  return numbers
}

export function testOrders(at: () => Stage, operations: Operations): void {
  test('a purchase through a converted link is an order with its sub-id, in fen', async () => {
    const { source, simulator, clock, subId } = at()
    const item = await firstItem(at())
    const link = await source.convert!({ item: item.id, subId: subId(1) })
    const order = simulator.purchase(link.url, 2)
    clock.forward(MINUTE_MS)
    const { lines, through } = await read(source, {
      from: clock.now() - HOUR_MS, to: clock.now(),
    })
    expect(through).toBe(clock.now())
    expect([...lines.values()]).toMatchObject([{
      source: source.name, item_id: item.id, qty: 2, amount: item.price.payable * 2,
      status: 'paid', sub_id: subId(1), title: item.title,
      commission: { fen: order?.commission }, updated_at: clock.now() - MINUTE_MS,
    }])
  })

  test('an order follows its states, forwards and back to invalid', async () => {
    const { source, simulator, clock } = at()
    const [number = 0] = await buy(at(), 1)
    const start = clock.now() - HOUR_MS
    const moves = [
      ['received', 'received'], ['settled', 'settled'], ['refunded', 'invalid'],
      ['punished', 'invalid'],
    ] as const
    for (const [state, status] of moves) {
      clock.forward(MINUTE_MS)
      simulator.orders.move(number, state)
      clock.forward(MINUTE_MS)
      const { lines } = await read(source, { from: start, to: clock.now() })
      const [line] = lines.values()
      expect(line?.status).toBe(status)
      expect(line?.updated_at).toBe(clock.now() - MINUTE_MS)
      if (status === 'invalid') expect(line?.commission.fen).toBe(0)
    }
  })

  test('increments with overlap give the same as one long read, over many windows', async () => {
    const { source, clock } = at()
    const start = clock.now()
    await buy(at(), 25, 20 * MINUTE_MS)
    clock.forward(MINUTE_MS)
    const whole = await read(source, { from: start, to: clock.now() })
    expect(whole.lines.size).toBe(25)
    const again = await read(source, { from: start, to: clock.now() }, new Map(whole.lines))
    expect(again.lines).toEqual(whole.lines)

    const { overlapMs } = source.capabilities.orders!
    const parts = new Map<string, OrderLine>()
    for (let from = start; from < clock.now();) {
      const to = Math.min(from + 37 * MINUTE_MS, clock.now())
      const { through } = await read(source, { from: from - overlapMs, to }, parts)
      expect(through).toBe(to)
      from = through
    }
    expect(parts).toEqual(whole.lines)
  })

  test('more orders than a page in one moment are all read, each once', async () => {
    const { source, simulator, clock, subId } = at()
    const item = await firstItem(at())
    const link = await source.convert!({ item: item.id, subId: subId(1) })
    for (let nth = 0; nth < 43; nth += 1) simulator.purchase(link.url)
    clock.forward(MINUTE_MS)
    const { lines } = await read(source, { from: clock.now() - HOUR_MS, to: clock.now() })
    expect(lines.size).toBe(43)
  })

  test('no place is passed before all that lies behind it was read', async () => {
    const { source, simulator, clock } = at()
    const start = clock.now()
    await buy(at(), 6, 30 * MINUTE_MS)
    clock.forward(MINUTE_MS)
    const before = simulator.calls(operations.orders)
    const whole = await read(source, { from: start, to: clock.now() })
    const calls = simulator.calls(operations.orders) - before
    for (let nth = 0; nth < calls; nth += 1) {
      let through = start
      const lines = new Map<string, OrderLine>()
      let seen = 0
      const broken = (async () => {
        const base = simulator.calls(operations.orders)
        for await (const page of source.orders!({ from: start, to: clock.now() })) {
          for (const line of page.lines) lines.set(line.line_id, line)
          through = page.through
          seen = simulator.calls(operations.orders) - base
          if (seen > nth) break
        }
      })()
      expect(await failureOf(broken)).toBeNull()
      for (const line of whole.lines.values()) {
        if (line.updated_at < through) expect(lines.has(line.line_id)).toBe(true)
      }
    }
  })

  test('an endless list is a bad answer, not an endless read', async () => {
    const { source, simulator, clock } = at()
    simulator.faults.add(operations.orders, 'lying_totals', 1000)
    const window = { from: clock.now() - HOUR_MS, to: clock.now() }
    expect(await failureOf(read(source, window))).toBe('bad_answer')
    expect(simulator.calls(operations.orders)).toBeLessThan(100)
  })
}
