/** Faults of the way between nodes and the ledger. */
import type { Chance } from '../chance.ts'
import type { Fault } from '../fault.ts'
import type { Stand } from '../stand.ts'
import type { Proxy, Toxic } from '../toxiproxy.ts'

/** One node's way or everybody's. */
const someOf = ({ proxies }: Stand, chance: Chance): readonly Proxy[] =>
  (chance.happens(0.5) ? proxies : [chance.pick(proxies)])

function toxic(
  name: string, lastsMs: Fault['lastsMs'], draw: (chance: Chance) => Toxic,
): Fault {
  return {
    name,
    on: ['single'],
    needs: 'proxy',
    lastsMs,
    async inflict(stand, chance) {
      const proxies = someOf(stand, chance)
      const chosen = draw(chance)
      await Promise.all(proxies.map((proxy) => proxy.add(chosen)))
      return async () => { await Promise.all(proxies.map((proxy) => proxy.heal())) }
    },
  }
}

const SIDES = ['downstream', 'upstream'] as const

export const slowWay = toxic('slow-way', [1000, 5000], (chance) => ({
  type: 'latency', stream: chance.pick(SIDES),
  attributes: { latency: chance.integer(50, 900), jitter: chance.integer(0, 300) },
}))

/** Connections end in a reset, each after a moment. */
export const resets = toxic('resets', [500, 4000], (chance) => ({
  type: 'reset_peer', stream: chance.pick(SIDES),
  attributes: { timeout: chance.integer(0, 400) },
}))

/** Nothing comes through and nothing ends. */
export const blackHole = toxic('black-hole', [1000, 6000], () => ({
  type: 'timeout', stream: 'upstream', attributes: { timeout: 0 },
}))

/** The write is made; its answer never comes. */
export const lostReplies = toxic('lost-replies', [1000, 5000], (chance) => ({
  type: 'timeout', stream: 'downstream', attributes: { timeout: chance.pick([0, 100, 700]) },
}))

/** An answer breaks off in its middle, and the connection with it. */
export const cutReplies = toxic('cut-replies', [1000, 4000], (chance) => ({
  type: 'limit_data', stream: 'downstream', attributes: { bytes: chance.integer(100, 5000) },
}))

export const slowClose = toxic('slow-close', [1000, 4000], (chance) => ({
  type: 'slow_close', stream: chance.pick(SIDES),
  attributes: { delay: chance.integer(500, 3000) },
}))

/** Connections are cut and new ones refused. */
export const cutOff: Fault = {
  name: 'cut-off',
  on: ['single'],
  needs: 'proxy',
  lastsMs: [500, 5000],
  async inflict(stand, chance) {
    const proxies = someOf(stand, chance)
    await Promise.all(proxies.map((proxy) => proxy.turn(false)))
    return async () => { await Promise.all(proxies.map((proxy) => proxy.turn(true))) }
  },
}
