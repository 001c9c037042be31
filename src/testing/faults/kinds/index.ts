/** Every fault there is. */
import type { Fault } from '../fault.ts'
import { clockJump } from './clock.ts'
import {
  cutTail, hangReplica, killCluster, lagThenKill, moveSlots, splitBrain, stallThenKill,
} from './cluster.ts'
import { fullDisk, powerLoss, tornTail } from './disk.ts'
import { blackHole, cutOff, cutReplies, lostReplies, resets, slowClose, slowWay }
  from './network.ts'
import { hangNode, killNode } from './nodes.ts'
import { hangRedis, killRedis, outOfMemory } from './redis.ts'
import { flushShelf } from './shelf.ts'

export const FAULTS: readonly Fault[] = [
  killNode, hangNode, clockJump, killRedis, hangRedis, outOfMemory, fullDisk, tornTail, powerLoss,
  slowWay, resets, blackHole, lostReplies, cutReplies, slowClose, cutOff, cutTail, hangReplica,
  stallThenKill, lagThenKill, splitBrain, killCluster, moveSlots,
  flushShelf,
]
