/** The durable consumers of the outboxes, by name. */
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { COMMISSION, commissions } from './commission.ts'
import type { Consumer } from './consumer.ts'
import { orderEffects, ORDER_EFFECTS } from './order-effects.ts'

export const CONSUMER_NAMES: readonly string[] = [ORDER_EFFECTS, COMMISSION]

export const outboxConsumers = (
  durable: Pick<Durable, 'run' | 'send'>, ledger: RedisClient,
): readonly Consumer[] =>
  [orderEffects(durable), commissions(durable, ledger)]
