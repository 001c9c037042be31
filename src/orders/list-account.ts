/** Orders of several agents as one list, newest first. */
import { ORDER_NO_PATTERN, partitionOfOrder } from '../ids.ts'
import type { RedisClient } from '../redis/connect.ts'
import { cursorOf, readCursor } from '../redis/cursor.ts'
import { ledger as keys } from '../redis/keys.ts'
import { scoredOf, type Scored } from '../redis/replies.ts'
import { runMany } from '../redis/slots.ts'
import { FACT_FIELDS, factsOf } from './record.ts'
import { summaryOf, type OrderSummary } from './view.ts'

export interface AgentOrder extends OrderSummary {
  readonly agent: string
}

export interface AccountOrderPage {
  items: AgentOrder[]
  /** Absent on the last page. */
  next_cursor?: string
}

/** Of one agent in one millisecond: more than a node places. */
const TIES_MAX = 50
const ORDER_NO = new RegExp(ORDER_NO_PATTERN)

interface Found extends Scored {
  readonly agent: string
}

export async function listAccountOrders(
  ledger: RedisClient, agents: readonly string[], cursor: string | undefined, limit: number,
): Promise<AccountOrderPage> {
  const after = cursor === undefined ? undefined : readCursor(cursor, ORDER_NO)
  const lists = await runMany(ledger, agents.map((agent) => [
    'zrevrangebyscore', keys.agentOrders(agent), after?.score ?? '+inf', '-inf', 'WITHSCORES',
    'LIMIT', 0, limit + 1 + TIES_MAX,
  ] as const)) as string[][]
  const found = lists.flatMap((flat, index): Found[] =>
    scoredOf(flat).map((one) => ({ ...one, agent: agents[index] ?? '' })))
    .filter((one) => after === undefined || isBefore(after, one))
    .toSorted((one, other) => (isBefore(one, other) ? -1 : 1))
  const shown = found.slice(0, limit)
  const records = await runMany(ledger, shown.map(({ member }) =>
    ['hmget', keys.order(partitionOfOrder(member) ?? 0, member), ...FACT_FIELDS, 'agent'] as const))
  const last = shown.at(-1)
  return {
    items: shown.flatMap(({ member, agent }, index) => {
      const values = records[index] as string[]
      // An entry may outlive its order where a failover took that.
      return values.at(-1) === agent ? [{ ...summaryOf(factsOf(member, values)), agent }] : []
    }),
    ...(last && found.length > limit && { next_cursor: cursorOf(last) }),
  }
}

/** Newest first; of the same moment by number, so that the order is always the same. */
const isBefore = (one: Scored, other: Scored): boolean =>
  (one.score === other.score ? one.member > other.member : one.score > other.score)
