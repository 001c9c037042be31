/** The durable consumers of the outboxes, by name. */
import type { Durable } from '../redis/durable.ts'
import type { Consumer } from './consumer.ts'
import { orderEffects, ORDER_EFFECTS } from './order-effects.ts'

export const CONSUMER_NAMES: readonly string[] = [ORDER_EFFECTS]

export const outboxConsumers = (durable: Pick<Durable, 'run' | 'send'>): readonly Consumer[] =>
  [orderEffects(durable)]
