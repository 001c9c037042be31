/** Moves a slot with its keys from one master to another while both serve. */
import type { Redis } from 'ioredis'
import { ask, type Address } from './server.ts'

export interface Move {
  readonly slot: number
  readonly from: Address
  readonly to: Address
  /** All that own slots: each is told of the new owner. */
  readonly masters: readonly Address[]
}

/** A batch holds up both masters while it travels. */
const KEYS_AT_ONCE = 100
const MIGRATE_MS_MAX = 1000
const CALLS_AT_ONCE = 50

/**
 * Until it is through, calls to several keys of the slot of which some have not arrived, or do not
 * exist yet, are told to try again: that stops new orders of one partition, for as short as it can.
 */
export async function reshard({ slot, from, to, masters }: Move): Promise<void> {
  if (from.port === to.port) return
  const [fromId, toId] = await Promise.all([from, to].map((one) =>
    ask(one, (redis) => redis.cluster('MYID') as Promise<string>)))
  const call = (redis: Redis, ...words: (string | number)[]): Promise<unknown> =>
    redis.call('CLUSTER', 'SETSLOT', String(slot), ...words.map(String))
  // The target first: nobody may be sent to it before it expects the slot.
  await ask(to, (redis) => call(redis, 'IMPORTING', fromId ?? ''))
  await ask(from, (redis) => call(redis, 'MIGRATING', toId ?? ''))
  while (!await ask(from, (redis) => sendKeys(redis, slot, to))) { /* There is more. */ }
  // The target first, so that there is an owner whoever dies now.
  for (const server of [to, from, ...masters.filter(({ port }) =>
    port !== to.port && port !== from.port)]) {
    await ask(server, (redis) => call(redis, 'NODE', toId ?? ''))
  }
}

/** Sends some batches; true when no key is left. */
async function sendKeys(redis: Redis, slot: number, to: Address): Promise<boolean> {
  for (let calls = 0; calls < CALLS_AT_ONCE; calls += 1) {
    const keys = await redis.cluster('GETKEYSINSLOT', slot, KEYS_AT_ONCE) as string[]
    if (keys.length === 0) return true
    // REPLACE: an earlier batch may have arrived although its answer was lost.
    await redis.call('MIGRATE', '127.0.0.1', to.port, '', 0, MIGRATE_MS_MAX, 'REPLACE',
      'AUTH', to.password, 'KEYS', ...keys)
  }
  return false
}
