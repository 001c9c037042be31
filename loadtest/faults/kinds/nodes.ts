/**
 * Faults of a node and of its way to the ledger: it dies, hangs, its clock jumps, its connections
 * are slow, cut or reset.
 */
import { monotonicMs, nowMs } from '../../../src/contract/time.ts'
import { previewOrder } from '../../../src/operations/preview-order.ts'
import { restForm } from '../../../src/testing/rest-form.ts'
import { pauseFor } from '../attempts.ts'
import { ALL_LEDGERS, type Fault, WHOLE_MS_MAX } from '../fault.ts'
import type { Random } from '../random.ts'
import type { TestbedNode } from '../testbed-node.ts'
import type { Testbed } from '../testbed.ts'
import type { Proxy, Toxic } from '../tools.ts'

export const killNode: Fault = {
  name: 'kill-node',
  on: ALL_LEDGERS,
  lastsMs: [300, 2000],
  async inflict({ nodes }, random) {
    const node = random.pick(nodes)
    await node.kill()
    return () => node.start()
  },
}

export const hangNode: Fault = {
  name: 'hang-node',
  on: ALL_LEDGERS,
  lastsMs: [500, 4500],
  async inflict({ nodes }, random) {
    const node = random.pick(nodes)
    node.signal('SIGSTOP')
    return async () => node.signal('SIGCONT')
  },
}

const JUMPS_S = [-86_400, -3600, -30, 30, 3600, 86_400]
/** The library looks at its file once a second. */
const SEEN_MS = 1000
const POLL_MS = 250
/** Less than any jump, more than an answer takes. */
const APART_MS = 20_000

export const clockJump: Fault = {
  name: 'clock-jump',
  on: ALL_LEDGERS,
  needs: 'clock',
  lastsMs: [SEEN_MS, SEEN_MS + 4000],
  async inflict(testbed, random) {
    const { nodes } = testbed
    const jumped = random.happens(0.5) ? [random.pick(nodes)] : nodes
    for (const node of jumped) node.shiftClock(random.pick(JUMPS_S))
    await Promise.all(jumped.map((node) => untilJumped(testbed, node)))
    return async () => { for (const node of jumped) node.shiftClock(0) }
  },
}

/** The node's own word for it: a fault that did not happen would show nothing. */
async function untilJumped(
  { buyers, plenty }: Testbed, { name, port }: TestbedNode,
): Promise<void> {
  const [buyer, goods] = [buyers[0], plenty[0]]
  const { path, body } = restForm(previewOrder, {
    merchant_id: goods?.merchant_id, product_id: goods?.product_id, qty: 1,
  })
  const end = monotonicMs() + WHOLE_MS_MAX
  while (monotonicMs() < end) {
    const said = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST', body: JSON.stringify(body), signal: AbortSignal.timeout(5000),
      headers: { 'X-Api-Key': buyer?.apiKey ?? '', 'Content-Type': 'application/json' },
    }).then((response) => response.json() as Promise<{ data: Record<string, string> }>)
      .catch(() => undefined)
    const time = Date.parse(said?.data['inventory_snapshot_at'] ?? '')
    if (Math.abs(time - nowMs()) > APART_MS) return
    await pauseFor(POLL_MS)
  }
  throw new Error(`the clock of ${name} did not jump`)
}

/** One node's way or everybody's. */
const someOf = ({ proxies }: Testbed, random: Random): readonly Proxy[] =>
  (random.happens(0.5) ? proxies : [random.pick(proxies)])

function toxic(
  name: string, lastsMs: Fault['lastsMs'], draw: (random: Random) => Toxic,
): Fault {
  return {
    name,
    on: ['single'],
    needs: 'proxy',
    lastsMs,
    async inflict(testbed, random) {
      const proxies = someOf(testbed, random)
      const chosen = draw(random)
      await Promise.all(proxies.map((proxy) => proxy.add(chosen)))
      return async () => { await Promise.all(proxies.map((proxy) => proxy.heal())) }
    },
  }
}

const SIDES = ['downstream', 'upstream'] as const

export const slowWay = toxic('slow-way', [1000, 5000], (random) => ({
  type: 'latency', stream: random.pick(SIDES),
  attributes: { latency: random.integer(50, 900), jitter: random.integer(0, 300) },
}))

/** Connections end in a reset, each after a moment. */
export const resets = toxic('resets', [500, 4000], (random) => ({
  type: 'reset_peer', stream: random.pick(SIDES),
  attributes: { timeout: random.integer(0, 400) },
}))

/** Nothing comes through and nothing ends. */
export const blackHole = toxic('black-hole', [1000, 6000], () => ({
  type: 'timeout', stream: 'upstream', attributes: { timeout: 0 },
}))

/** The write is made; its answer never comes. */
export const lostReplies = toxic('lost-replies', [1000, 5000], (random) => ({
  type: 'timeout', stream: 'downstream', attributes: { timeout: random.pick([0, 100, 700]) },
}))

/** An answer breaks off in its middle, and the connection with it. */
export const cutReplies = toxic('cut-replies', [1000, 4000], (random) => ({
  type: 'limit_data', stream: 'downstream', attributes: { bytes: random.integer(100, 5000) },
}))

export const slowClose = toxic('slow-close', [1000, 4000], (random) => ({
  type: 'slow_close', stream: random.pick(SIDES),
  attributes: { delay: random.integer(500, 3000) },
}))

/** Connections are cut and new ones refused. */
export const cutOff: Fault = {
  name: 'cut-off',
  on: ['single'],
  needs: 'proxy',
  lastsMs: [500, 5000],
  async inflict(testbed, random) {
    const proxies = someOf(testbed, random)
    await Promise.all(proxies.map((proxy) => proxy.turn(false)))
    return async () => { await Promise.all(proxies.map((proxy) => proxy.turn(true))) }
  },
}
