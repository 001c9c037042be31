import { Cluster } from 'ioredis'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createLogger } from '../../log.ts'
import { startOwnCluster, type OwnCluster } from '../../testing/cluster.ts'
import { formCluster } from './cluster-form.ts'
import { viewCluster } from './cluster-form.ts'
import { openRedis, untilReady } from '../../redis/connect.ts'

let cluster: OwnCluster
beforeAll(async () => { cluster = await startOwnCluster() })
afterAll(() => cluster?.remove())

const servers = () => cluster.members.map(({ server }) => server)
const parts = async () => (await viewCluster(servers()))
  .map(({ port, isMaster, slots }) => ({ port, isMaster, slots }))
  .toSorted((one, other) => one.port - other.port)

test('every master has slots and a replica', async () => {
  const view = await viewCluster(servers())
  const masters = view.filter(({ slots }) => slots.length > 0)
  expect(masters).toHaveLength(3)
  for (const { id } of masters) {
    expect(view.filter(({ master }) => master === id)).toHaveLength(1)
  }
})

test('a cluster that is asked to form again stays as it is, also after a failover', async () => {
  const before = await parts()
  await formCluster(servers(), 3)
  expect(await parts()).toEqual(before)

  const [master] = await cluster.masters()
  if (!master) throw new Error('there is no master')
  const replica = await cluster.replicaOf(master)
  process.kill(master.server.pid, 'SIGKILL')
  await expect.poll(async () => (await viewCluster(servers()))
    .find(({ port }) => port === replica?.port)?.slots.length).toBe(1)
  await cluster.restart(master)
  await cluster.untilWhole()
  const after = await parts()
  await formCluster(servers(), 3)
  expect(await parts()).toEqual(after)
})

test('a client that is closed while it asks for the slots never asks again', async () => {
  const client = openRedis(cluster.url, createLogger('silent')) as Cluster
  await untilReady(client, 'own')
  const nextRound = vi.fn<() => void>()
  // What its timer does each second.
  client.refreshSlotsCache(nextRound)
  const ended = once(client, 'end')
  client.disconnect()
  await ended
  await viewCluster(servers())
  expect(nextRound).not.toHaveBeenCalled()
})
