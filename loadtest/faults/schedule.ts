/**
 * Which faults there are, which can be inflicted here, and which come when: drawn from the seed
 * before anything runs.
 */
import type { Fault } from './fault.ts'
import {
  blackHole, clockJump, cutOff, cutReplies, hangNode, killNode, lostReplies, resets, slowClose,
  slowWay,
} from './kinds/nodes.ts'
import {
  cutTail, hangReplica, killCluster, lagThenKill, moveSlots, splitBrain, stallThenKill,
} from './kinds/cluster.ts'
import {
  clockBack, expiredCertificate, failoverBeforeNote, killDeliverer, poisonedEvent, receiverFaults,
} from './kinds/deliveries.ts'
import { deliveriesWait } from './kinds/waiting.ts'
import {
  flushShelf, fullDisk, hangRedis, killRedis, outOfMemory, powerLoss, tornTail,
} from './kinds/stores.ts'
import type { Random } from './random.ts'
import type { LedgerKind, Need } from './testbed.ts'
import { missingOf, type Tool, type Tools } from './tools.ts'

interface PlannedFault {
  readonly fault: Fault
  readonly lastsMs: number
  /** A node's fault in its midst: what is under way there must bear both. */
  readonly also?: Fault
  /** Peace after it was healed. */
  readonly restMs: number
}

const PLANNED = 200
const ALSO_SHARE = 0.2
const [REST_MS_MIN, REST_MS_MAX] = [500, 3500]

/** Each kind once before any comes again: a short run sees as many as it can. */
export function planFaults(random: Random, faults: readonly Fault[]): PlannedFault[] {
  const planned: PlannedFault[] = []
  const ofNodes = faults.filter(({ name }) => name.endsWith('-node'))
  while (planned.length < PLANNED && faults.length > 0) {
    for (const fault of random.shuffled(faults)) {
      planned.push({
        fault, lastsMs: random.integer(...fault.lastsMs),
        restMs: random.integer(REST_MS_MIN, REST_MS_MAX),
        ...(isAlone(fault) || ofNodes.length === 0 || !random.happens(ALSO_SHARE) ? {}
          : { also: random.pick(ofNodes) }),
      })
    }
  }
  return planned
}

const isAlone = ({ name }: Fault): boolean => name.endsWith('-node')

interface Choice {
  readonly faults: readonly Fault[]
  readonly notRun: readonly { readonly name: string, readonly why: string }[]
}

export function chooseFaults(kind: LedgerKind, tools: Tools, only?: readonly string[]): Choice {
  const tool: Record<Need, Tool> = {
    proxy: tools.toxiproxy, clock: tools.faketime, mount: tools.mount, synced: tools.synced,
    cut: tools.cut, certificates: tools.openssl,
  }
  const unknown = only?.find((name) => !FAULTS.some((fault) => fault.name === name))
  if (unknown) throw new Error(`There is no fault ${unknown}.`)
  const wanted = FAULTS.filter(({ name, on, isLong = false }) =>
    on.includes(kind) && (only?.includes(name) ?? !isLong))
  const why = ({ needs }: Fault): string | undefined => needs && missingOf(tool[needs])
  return {
    faults: wanted.filter((fault) => why(fault) === undefined),
    notRun: wanted.flatMap((fault) => {
      const reason = why(fault)
      return reason === undefined ? [] : [{ name: fault.name, why: reason }]
    }),
  }
}

const FAULTS: readonly Fault[] = [
  killNode, hangNode, clockJump, killRedis, hangRedis, outOfMemory, fullDisk, tornTail, powerLoss,
  slowWay, resets, blackHole, lostReplies, cutReplies, slowClose, cutOff, cutTail, hangReplica,
  stallThenKill, lagThenKill, splitBrain, killCluster, moveSlots,
  flushShelf,
  ...receiverFaults, expiredCertificate, killDeliverer, failoverBeforeNote, poisonedEvent,
  clockBack, deliveriesWait,
]
