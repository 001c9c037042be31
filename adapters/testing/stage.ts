/**
 * What tests of malls share: a small world of sixty products, one of them with a hostile title, a
 * clock, servers that answer as a test says, and calls of the conformance tests.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type FailureKind, type Item, type Source, SourceError } from '../contract.ts'
import type { PlatformLimits } from '../limits.ts'
import type { Simulator } from '../simulator/frame.ts'
import { createAssortment, type SimProduct } from '../simulator/catalogue.ts'
import type { Clock } from '../time.ts'

/** Short, so that faults are over soon; the circuit has its own test. */
export const LIMITS: Partial<PlatformLimits> = {
  totalMs: 2500, retryMs: 10, breakAfter: 1000, breakWindow: 1000,
}

export const Q = '蓝牙耳机'

export interface Stage {
  readonly source: Source
  readonly simulator: Simulator
  readonly clock: FakeClock
  readonly subId: (nth: number) => string
}

/** The mall's names of the four operations, as its simulator counts them. */
export interface Operations {
  readonly search: string
  readonly items: string
  readonly convert: string
  readonly orders: string
}

/** The kind of failure that a promise ends with; null when it does not fail. */
export const failureOf = async (work: Promise<unknown>): Promise<FailureKind | null> =>
  work.then(() => null, (error: unknown) => {
    if (error instanceof SourceError) return error.kind
    throw error
  })

export async function firstItem({ source }: Stage): Promise<Item> {
  const { items: [item] } = await source.search({ q: Q, page: 1, pageSize: 5 })
  if (!item) throw new Error('The search found nothing.')
  return item
}

const BRANDS = ['澄器', '星柚', '远岚', '木禾', '极光'] as const
const KINDS = [
  { name: '蓝牙耳机', category: '数码', price: 19_900, words: ['降噪', '入耳式', '头戴式'] },
  { name: '电热水壶', category: '厨房电器', price: 12_900, words: ['1.7L', '304不锈钢', '保温'] },
  { name: '保温杯', category: '家居', price: 5900, words: ['600ml', '便携', '316不锈钢'] },
  { name: '双肩包', category: '箱包', price: 15_900, words: ['防水', '大容量', '商务'] },
] as const

/** Zero-width, direction, tag and control characters; full-width letters; markup. */
export const HOSTILE_TITLE =
  '藏锋\u200b\u202e 蓝牙耳机<em>ＡＢＣ</em>\u{e0041}\u{e0042}\u0000\n 999\u2066新款\ufeff'
export const HOSTILE_CLEAN = '藏锋 蓝牙耳机ABC 999新款'

export const PRODUCTS: readonly SimProduct[] = Array.from({ length: 60 }, (_, index) => {
  const kind = KINDS[index % KINDS.length] as (typeof KINDS)[number]
  const brand = BRANDS[index % BRANDS.length] as string
  const word = kind.words[index % kind.words.length] as string
  return {
    index, brand, category: kind.category, basePrice: kind.price + index * 130,
    title: index === 8 ? HOSTILE_TITLE : `${brand} ${kind.name} ${word} M-${100 + index}`,
  }
})

export const ASSORTMENT = createAssortment(PRODUCTS)

/** A clock that only a test moves. */
export interface FakeClock extends Clock {
  forward(ms: number): void
}

export function createFakeClock(start = Date.UTC(2026, 0, 2, 3, 4, 5)): FakeClock {
  let now = start
  return {
    now: () => now,
    forward(ms) {
      now += ms
    },
  }
}

/** Waits for a condition; the deadline is for hangs. */
export async function until(fact: () => boolean, deadlineMs = 5000): Promise<void> {
  for (let waited = 0; !fact(); waited += 5) {
    if (waited > deadlineMs) throw new Error('The condition did not become true in time.')
    await pause(5)
  }
}

export type Respond = (request: IncomingMessage, response: ServerResponse, nth: number) => void

export interface TestServer {
  readonly url: string
  calls(): number
  connections(): number
}

/** A server that answers as a test says, closed when the test is over. */
export async function startServer(respond: Respond): Promise<TestServer> {
  let calls = 0
  let connections = 0
  const server = createServer((request, response) => {
    calls += 1
    respond(request, response, calls)
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => { server.close(resolve) })
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    connections: () => connections,
  }
}
