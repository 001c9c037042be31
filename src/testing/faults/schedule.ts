/** Which faults come when: drawn from the seed before anything runs. */
import type { Chance } from './chance.ts'
import type { Fault } from './fault.ts'

export interface PlannedFault {
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
export function planFaults(chance: Chance, faults: readonly Fault[]): PlannedFault[] {
  const planned: PlannedFault[] = []
  const ofNodes = faults.filter(({ name }) => name.endsWith('-node'))
  while (planned.length < PLANNED && faults.length > 0) {
    for (const fault of chance.shuffled(faults)) {
      planned.push({
        fault, lastsMs: chance.integer(...fault.lastsMs),
        restMs: chance.integer(REST_MS_MIN, REST_MS_MAX),
        ...(isAlone(fault) || ofNodes.length === 0 || !chance.happens(ALSO_SHARE) ? {}
          : { also: chance.pick(ofNodes) }),
      })
    }
  }
  return planned
}

const isAlone = ({ name }: Fault): boolean => name.endsWith('-node')
