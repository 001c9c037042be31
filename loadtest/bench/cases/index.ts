/** Every group of cases, in the order in which they run: orders last, because they leave traces. */
import type { Group } from '../contender.ts'
import type { Stand } from '../stand.ts'
import { mcp } from './mcp.ts'
import { orders } from './orders.ts'
import { reads } from './reads.ts'
import { searchGroup } from './searches.ts'

export const GROUPS = {
  reads, searches: searchGroup, mcp, orders,
} as const satisfies Record<string, (stand: Stand) => Promise<Group>>

export type GroupName = keyof typeof GROUPS
