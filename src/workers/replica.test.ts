/** What the outbox worker did is in the replica before it goes on. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Refusal } from '../errors.ts'
import { claimKey } from '../orders/place.ts'
import { ask } from '../redis/server.ts'
import type { OutboxEvent } from '../redis/streams.ts'
import { eventually } from '../testing/eventually.ts'
import { startLedger, type OwnLedger } from '../testing/ledger.ts'
import { openShop, type Shop } from '../testing/products.ts'
import { orderEffects } from './order-effects.ts'

let master: OwnLedger
let replica: OwnLedger
let nodes: Shop[]
beforeAll(async () => {
  master = await startLedger()
  replica = await startLedger({ master })
  await eventually(async () => {
    const info = await ask(master.server, (redis) => redis.info('replication'))
    if (!/slave0:.*state=online/.test(info)) throw new Error('not yet')
  })
  nodes = await Promise.all([1, 2].map(() => openShop({}, { url: master.url, replicas: 1 })))
})
afterAll(async () => {
  for (const node of nodes) node.close()
  await replica.stop()
  await master.stop()
})

test('effects that were done, and are repeated by another node, wait for the replica, too',
  { timeout: 30_000 }, async () => {
    const [one, two] = nodes as [Shop, Shop]
    const event: OutboxEvent = {
      id: '1-1', partition: 1, type: 'created', at: 5, productId: 1,
      orderNo: 'AM1100000000000000AA', agent: `ag_${randomUUID()}`, attempt: randomUUID(),
    }
    await one.durable.send('set', claimKey(event.agent ?? '', event.attempt ?? ''), 'f AM')
    process.kill(replica.server.pid, 'SIGSTOP')
    try {
      for (const node of [one, two, one]) {
        await expect(orderEffects(node).handle([event])).rejects.toThrow(Refusal)
      }
    } finally {
      process.kill(replica.server.pid, 'SIGCONT')
    }
    await eventually(() => orderEffects(two).handle([event]))
  })
