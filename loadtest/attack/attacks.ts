/**
 * What a stranger with ten trial keys may send from one address, all of it at once: a process of
 * its own, so that it slows nobody's measuring. Takes its plan as one message, and answers with the
 * counts of what came back when its time is over. Its first message says that it is loaded.
 */
import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { monotonicMs } from '../../src/contract/time.ts'

export interface AttackPlan {
  readonly url: string
  readonly seconds: number
  /** So many times the connections, and the requests at a time. */
  readonly times: number
  /** A part of one attack's name: that one alone. */
  readonly only?: string
  readonly goods: readonly { product_id: number, merchant_id: number, qty_cap: number }[]
}

/** Of each attack: answers by status; 0 is a connection that ended without one. */
export type AttackCounts = Record<string, Record<string, number>>

export interface AttackReport {
  readonly counts: AttackCounts
  /** Seconds of a core that the attacking process took. */
  readonly cpuS: number
}

const CONNECTIONS = 64
const TRIALS = 10
const MINTING = 'minting of trial keys'
const ORDERS_AT_ONCE = 2
const PIPELINES = 20
const PIPELINED = 2000
const SLOW_BODIES = 300
const VISITS_AT_ONCE = 16
const RECEIVER = {
  name: '李四', phone: '13900000000', province: '浙江省', city: '杭州市', district: '西湖区',
  address: '文三路2号',
}

type Send = (
  name: string, method: 'GET' | 'POST', path: string,
  more?: { key?: string, body?: object, headers?: Record<string, string> },
) => Promise<unknown>

async function attack({ url, seconds, goods, only, times }: AttackPlan): Promise<AttackCounts> {
  const end = monotonicMs() + seconds * 1000
  const counts: AttackCounts = {}
  const note = (name: string, status: number): void => {
    const of = counts[name] ??= {}
    of[status] = (of[status] ?? 0) + 1
  }
  const client = new Agent({
    connections: CONNECTIONS * times, headersTimeout: 15_000, bodyTimeout: 15_000,
  })
  const send = createSend(url, client, note)
  const loops = async (count: number, once: (turn: number) => Promise<unknown>): Promise<void> => {
    const all = count * times
    await Promise.all(Array.from({ length: all }, async (_, loop) => {
      for (let turn = loop; monotonicMs() < end; turn += all) await once(turn)
    }))
  }
  const keys = await mint(send)
  const keyOf = (turn: number): string => keys[turn % keys.length] ?? ''
  const order = (name: string, turn: number, of: object) => send(name, 'POST', '/v1/orders', {
    key: keyOf(turn), headers: { 'idempotency-key': randomUUID() },
    body: { ...of, receiver: RECEIVER },
  })
  const sold = (turn: number) => {
    const { product_id, merchant_id, qty_cap } = goods[turn % goods.length] as typeof goods[0]
    return { of: { product_id, merchant_id }, qty_cap }
  }
  const attacks: Record<string, (name: string) => Promise<unknown>> = {
    'unpaid orders': (name) => loops(TRIALS * ORDERS_AT_ONCE, (turn) =>
      order(name, turn, { ...sold(turn).of, qty: 1 })),
    'holding of one product': (name) => loops(TRIALS, (turn) =>
      order(name, turn, { ...sold(0).of, qty: sold(0).qty_cap })),
    'refused orders': (name) => loops(TRIALS, (turn) =>
      order(name, turn, { product_id: 99_999_999 + turn, merchant_id: 1, qty: 1 })),
    'wrong keys': (name) => loops(2, () =>
      send(name, 'GET', '/v1/orders', { key: `ak_${'x'.repeat(32)}` })),
    [MINTING]: (name) => loops(2, () => send(name, 'POST', '/v1/trial-keys', { body: {} })),
    '/go/ of no link': (name) => loops(VISITS_AT_ONCE, () =>
      send(name, 'GET', `/go/${randomUUID().slice(0, 12)}`)),
    'unseen platform searches': (name) => loops(TRIALS, (turn) =>
      send(name, 'POST', '/v1/cps/smart-search', {
        key: keyOf(turn), body: { query: `耳机 ${randomUUID().slice(0, 8)}` },
      })),
    'pipelined pages': (name) => Promise.all(Array.from({ length: PIPELINES }, () =>
      pipeline(url, end, (status) => { note(name, status) }))),
    'slow bodies': (name) => Promise.all(Array.from({ length: SLOW_BODIES }, () =>
      slowBody(url, end, (status) => { note(name, status) }))),
  }
  await Promise.all(Object.entries(attacks)
    .filter(([name]) => only === undefined || name.includes(only))
    .map(([name, run]) => run(name)))
  await client.destroy()
  return counts
}

function createSend(
  url: string, client: Agent, note: (name: string, status: number) => void,
): Send {
  return async (name, method, path, { key, body, headers } = {}) => {
    try {
      const answer = await request(`${url}${path}`, {
        method, dispatcher: client,
        headers: {
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(body && { 'content-type': 'application/json' }), ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      note(name, answer.statusCode)
      return await answer.body.json().catch(() => undefined)
    } catch {
      note(name, 0)
      await pause(10)
      return undefined
    }
  }
}

async function mint(send: Send): Promise<string[]> {
  const keys: string[] = []
  for (let minted = 0; minted < TRIALS; minted += 1) {
    const answer = await send(MINTING, 'POST', '/v1/trial-keys', { body: {} })
    const key = (answer as { data?: { api_key?: string } } | undefined)?.data?.api_key
    if (key !== undefined) keys.push(key)
  }
  return keys
}

/** As many requests in one write as it can, again and again. */
async function pipeline(url: string, end: number, note: (status: number) => void): Promise<void> {
  const bytes = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(PIPELINED)
  while (monotonicMs() < end) {
    await withSocket(url, note, async (socket) => {
      for (let times = 0; times < 5 && monotonicMs() < end && !socket.destroyed; times += 1) {
        if (!socket.write(bytes)) await Promise.race([drained(socket), pause(1000)])
      }
      await pause(200)
    })
  }
}

/** A byte a second of a body that never ends. */
async function slowBody(url: string, end: number, note: (status: number) => void): Promise<void> {
  while (monotonicMs() < end) {
    await withSocket(url, note, async (socket) => {
      socket.write('POST /v1/orders HTTP/1.1\r\nHost: localhost\r\n'
        + 'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n')
      while (monotonicMs() < end && !socket.destroyed) {
        socket.write('{')
        await pause(1000)
      }
    })
  }
}

const drained = (socket: Socket): Promise<unknown> =>
  new Promise((resolve) => { socket.once('drain', resolve).once('close', resolve) })

/** Counts what is answered by status, and 0 where the connection ended without an answer. */
async function withSocket(
  url: string, note: (status: number) => void, work: (socket: Socket) => Promise<void>,
): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let answers = 0
  socket.on('error', () => {}).on('data', (bytes: Buffer) => {
    for (const [, status] of bytes.toString('latin1').matchAll(/^HTTP\/1\.1 (\d{3})/gm)) {
      answers += 1
      note(Number(status))
    }
  })
  await work(socket)
  socket.destroy()
  if (answers === 0) note(0)
  await pause(20)
}

process.send?.('loaded')
process.once('message', (plan: AttackPlan) => {
  const before = process.cpuUsage()
  void attack(plan).then((counts) => {
    const { user, system } = process.cpuUsage(before)
    const report: AttackReport = { counts, cpuS: (user + system) / 1e6 }
    process.send?.(report, () => process.exit(0))
  })
})
