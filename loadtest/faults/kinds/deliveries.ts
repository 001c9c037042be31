/**
 * Faults of deliveries: receivers in trouble, a node that dies while it delivers, a ledger that is
 * gone between an attempt and its note, an event that nobody can read or take, clocks set back.
 */
import { isoTime, monotonicMs, nowMs } from '../../../src/contract/time.ts'
import { ledger as keys } from '../../../src/redis/keys.ts'
import { hasEnded } from '../../../src/dev/redis/process.ts'
import { slotOf } from '../../../src/redis/send.ts'
import { pauseFor } from '../attempts.ts'
import { ALL_LEDGERS, type Fault, untilSuccess, WHOLE_MS_MAX } from '../fault.ts'
import type { Random } from '../random.ts'
import type { Held, Manner, Receiver } from '../receivers.ts'
import type { TestbedNode } from '../testbed-node.ts'
import type { Testbed } from '../testbed.ts'

const POLL_MS = 50

async function until(isSo: () => boolean, what: string): Promise<void> {
  const end = monotonicMs() + WHOLE_MS_MAX
  while (!isSo()) {
    if (monotonicMs() > end) throw new Error(what)
    await pauseFor(POLL_MS)
  }
}

const someOf = ({ receivers }: Testbed, random: Random): readonly Receiver[] =>
  (random.happens(0.3) ? receivers : random.shuffled(receivers).slice(0, 2))

/** A receiver that nothing came to has shown nothing. */
function trouble(manner: Manner): Fault {
  return {
    name: `receiver-${manner}`,
    on: ALL_LEDGERS,
    lastsMs: [1000, 5000],
    async inflict(testbed, random) {
      const chosen = someOf(testbed, random)
      for (const receiver of chosen) receiver.behave(manner)
      return async () => {
        await until(() => chosen.some(({ met }) => met > 0), 'no receiver in trouble got anything')
        for (const receiver of chosen) receiver.behave('right')
      }
    },
  }
}

export const receiverFaults: readonly Fault[] =
  (['error', 'hang', 'drip', 'reset', 'flood'] as const).map(trouble)

export const expiredCertificate: Fault = {
  name: 'expired-certificate',
  on: ALL_LEDGERS,
  needs: 'certificates',
  lastsMs: [1000, 5000],
  async inflict({ receivers }) {
    const secured = receivers.filter(({ certificates }) => certificates)
    for (const receiver of secured) receiver.present('expired')
    return async () => {
      await until(() => secured.every(({ met }) => met > 0), 'nobody saw the certificate')
      for (const receiver of secured) receiver.present('valid')
    }
  },
}

/** The next delivery to anyone. */
async function heldDelivery({ receivers }: Testbed): Promise<Held> {
  let held: Held | undefined
  for (const receiver of receivers) {
    receiver.holdNext((one) => {
      if (held) one.answer()
      else held = one
    })
  }
  await until(() => held !== undefined, 'nothing was delivered')
  for (const receiver of receivers) receiver.holdNext(undefined)
  return held as Held
}

const CUT_MS = 500

/** Whoever is delivering: nodes die until the delivery's connection does. */
export const killDeliverer: Fault = {
  name: 'kill-deliverer',
  on: ALL_LEDGERS,
  lastsMs: [300, 2000],
  async inflict(testbed, random) {
    const held = await heldDelivery(testbed)
    const killed: TestbedNode[] = []
    for (const node of random.shuffled(testbed.nodes)) {
      await node.kill()
      killed.push(node)
      await pauseFor(CUT_MS)
      if (held.isCut()) break
    }
    const isCut = held.isCut()
    held.answer()
    return async () => {
      await Promise.all(killed.map((node) => node.start()))
      if (!isCut) throw new Error('no node that died was delivering')
    }
  },
}

/** The receiver takes an event, and the ledger that is to note it is gone. */
export const failoverBeforeNote: Fault = {
  name: 'failover-before-note',
  on: ALL_LEDGERS,
  lastsMs: [300, 3000],
  async inflict(testbed) {
    const { single, cluster } = testbed
    const held = await heldDelivery(testbed)
    const member = cluster
      && await untilSuccess(() => cluster.masterOf(slotOf(keys.webhook(held.webhookId))))
    const server = member?.server ?? single?.server()
    if (!server) throw new Error('there is no ledger')
    process.kill(server.pid, 'SIGKILL')
    await hasEnded(server, WHOLE_MS_MAX)
    held.answer()
    return async () => {
      if (!cluster || !member) return await single?.restart()
      await cluster.restart(member)
      await cluster.untilWhole(WHOLE_MS_MAX)
    }
  },
}

/** An entry that has no meaning, and an event that its receiver refuses, both among good ones. */
export const poisonedEvent: Fault = {
  name: 'poisoned-event',
  on: ALL_LEDGERS,
  lastsMs: [1000, 4000],
  async inflict({ ledger, receivers }, random) {
    const receiver = random.pick(receivers)
    const { agent } = receiver.buyer
    await untilSuccess(() => ledger.xadd(keys.feed(agent), '*',
      'event', 'key_rotated', 'ends_at', 'never', 'at', nowMs(), 'origin', isoTime(nowMs())))
    const before = receiver.arrivals.length
    const next = () => receiver.arrivals.slice(before).find(({ isTaken }) => !isTaken)
    receiver.behave('error')
    await until(() => next() !== undefined, 'nothing was delivered after a poisoned entry')
    receiver.refusedId = next()?.id
    receiver.behave('right')
    return async () => {
      await until(() => receiver.arrivals.slice(before).some(({ isTaken }) => isTaken),
        'an event that is refused holds up all others')
      receiver.refusedId = undefined
    }
  },
}

const BACK_S = -60
/** The library looks at its file once a second. */
const SEEN_MS = 1500

export const clockBack: Fault = {
  name: 'clock-back',
  on: ALL_LEDGERS,
  needs: 'clock',
  lastsMs: [1000, 5000],
  async inflict({ nodes }) {
    for (const node of nodes) node.shiftClock(BACK_S)
    await pauseFor(SEEN_MS)
    return async () => { for (const node of nodes) node.shiftClock(0) }
  },
}
