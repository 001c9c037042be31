/** A conversion is answered once the replica has what attributes a later order, and not before. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { simulate, type Simulator } from '../../adapters/sandbox.ts'
import { ASSORTMENT } from '../../adapters/testing/stage.ts'
import { nowMs } from '../contract/time.ts'
import { createLogger } from '../log.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { ask } from '../dev/redis/server.ts'
import { eventually } from '../testing/eventually.ts'
import { startLedger, type OwnLedger } from '../testing/ledger.ts'
import { startTestNode, type TestNode } from '../testing/node.ts'

const clock = { now: nowMs }
let master: OwnLedger
let replica: OwnLedger
let mallA: Simulator & { readonly settings: object }
let mallB: Simulator & { readonly settings: object }
let node: TestNode
let key: string

beforeAll(async () => {
  master = await startLedger()
  replica = await startLedger({ master })
  await eventually(async () => {
    const info = await ask(master.server, (redis) => redis.info('replication'))
    if (!/slave0:.*state=online/.test(info)) throw new Error('not yet')
  })
  mallA = await simulate.mall_a({ clock, assortment: ASSORTMENT })
  mallB = await simulate.mall_b({ clock, assortment: ASSORTMENT })
  node = await startTestNode({
    redis: { shelf: inject('redis').shelfUrl, ledger: master.url, counters: master.url },
    ledgerReplicas: 1, mallCallsPerSecond: 150,
  }, undefined, { mall_a: mallA.settings, mall_b: mallB.settings })
  key = await node.newKey('t1')
})
afterAll(async () => {
  await node.stop()
  await Promise.all([mallA.close(), mallB.close()])
  await replica.stop()
  await master.stop()
})

const firstItem = async (path: string, query: object): Promise<string> => {
  const { envelope } = await node.send('POST', `/v1/cps/${path}/goods`, { key, body: query })
  return envelope.data.items[0].item_id
}
const convert = (path: string, item_id: string) =>
  node.send('POST', `/v1/cps/${path}`, { key, body: { item_id } })

test('while the replica is stalled no conversion is answered as attributed; afterwards it is',
  async () => {
    const item = await firstItem('mall-b', { q: '蓝牙耳机' })
    const first = await convert('mall-a/tpwd', await idAtMallA())
    expect(first).toMatchObject({ status: 200, envelope: { data: { attributed: true } } })
    process.kill(replica.server.pid, 'SIGSTOP')
    try {
      for (const [path, id] of [
        ['mall-b/convert', item], ['mall-a/tpwd', first.envelope.data.item_id],
      ] as const) {
        expect(await convert(path, id)).toMatchObject({
          status: 503, envelope: { data: { error: 'unavailable' } },
        })
      }
    } finally {
      process.kill(replica.server.pid, 'SIGCONT')
    }
    const link = await eventually(async () => {
      const answer = await convert('mall-b/convert', item)
      expect(answer.status).toBe(200)
      return answer.envelope.data
    })
    const copies = openRedis(replica.url, createLogger('silent'))
    try {
      await untilReady(copies, 'ledger')
      expect(await copies.exists(keys.link(link.go_url.split('/').at(-1)))).toBe(1)
      const mark = mallB.purchase(link.platform_url)?.subId ?? ''
      expect(await copies.hget(keys.subId('mall_b', mark), 'agent')).toMatch(/^ag_/)
      expect(await copies.ttl(keys.subId('mall_b', mark))).toBeGreaterThan(0)
    } finally {
      copies.disconnect()
    }
  })

async function idAtMallA(): Promise<string> {
  const source = node.services.affiliate.sources.get('mall_a')
  const found = await source?.search({ q: '蓝牙耳机', page: 1, pageSize: 1 })
  return `mall_a:${found?.items[0]?.id}`
}
