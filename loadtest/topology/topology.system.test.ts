/**
 * The services of docker-compose.yml as processes, with real requests through the balancer; a short
 * form of `npm run rolling` at the end.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { viewFrom } from '../../src/dev/redis/cluster-form.ts'
import { ask, type Address } from '../../src/dev/redis/server.ts'
import { runRolling } from '../rolling/run.ts'
import type { Variables } from './compose.ts'
import { findHaproxy, NO_HAPROXY } from './processes.ts'
import { smoke } from './smoke.ts'
import { runVariables, startTopology, type Topology } from './topology.ts'

/** Bounds for hangs: fourteen processes start on a machine that may be busy. */
const START_MS_MAX = 300_000
const ROLLING_MS_MAX = 600_000
const POLL = { interval: 250 }
const isPossible = findHaproxy() !== undefined
if (!isPossible) process.stderr.write(`not run: the topology: ${NO_HAPROXY}\n`)

describe.runIf(isPossible)('the production shape', () => {
  const variables: Variables = { ...runVariables(), CATALOG_ITEMS: '600' }
  let topology: Topology
  beforeAll(async () => { topology = await startTopology(variables) }, START_MS_MAX)
  afterAll(() => topology?.stop())

  const redis = (name: string): Address =>
    ({
      port: topology.localhost.port(name, 6379), username: 'operator',
      password: variables['OPERATOR_PASSWORD'] ?? '',
    })
  const replication = (name: string): Promise<string> =>
    ask(redis(name), (client) => client.info('replication'))

  test('the ledger is three masters, a replica each and a spare; forming it again is harmless',
    async () => {
      const view = await viewFrom(redis('ledger-1'))
      expect(view.filter(({ slots }) => slots.length > 0)).toHaveLength(3)
      expect(view.filter(({ master }) => master !== undefined)).toHaveLength(4)
      await topology.start('ledger-form')
      expect(await viewFrom(redis('ledger-1'))).toHaveLength(7)
    })

  test('the shelf has a replica in step, with its index', async () => {
    expect(await replication('shelf-replica')).toContain('master_link_status:up')
    const found = await ask(redis('shelf-replica'), (client) =>
      client.call('FT.SEARCH', 'idx:own', '*', 'LIMIT', '0', '0')) as [number]
    expect(found[0]).toBeGreaterThan(100)
    const [, onTimeout] = await ask(redis('shelf'), (client) =>
      client.call('FT.CONFIG', 'GET', 'ON_TIMEOUT').then((all) => (all as string[][])[0] ?? []))
    expect(onTimeout).toBe('fail')
  })

  test('requests of every kind are answered through the balancer',
    async () => {
      const made = JSON.parse(await topology.run('key', 'create', '--tier', 't2')) as {
        api_key: string
      }
      const { asked, wrong } = await smoke(topology.url, made.api_key)
      expect(wrong).toEqual([])
      expect(asked).toBeGreaterThan(30)
    })

  test('nodes come and go under load: no failed request, one killed: none but those in flight',
    { timeout: ROLLING_MS_MAX }, async () => {
      const [first = '', second = ''] = topology.nodes
      const { phases, afterKill, orders, lost, verified } = await runRolling(topology, {
        rate: 40, restMs: 1000, restarted: [first], killed: second,
      })
      const failures = phases.slice(0, -1).flatMap((phase) => phase.failures)
      expect(failures.map(({ failure }) => failure)).toEqual([])
      expect(afterKill.map(({ failure }) => failure)).toEqual([])
      expect(lost).toEqual([])
      expect(orders).toBeGreaterThan(5)
      expect(verified).toContain('No violation')
    })

  test('where no node is ready, those that are alive go on: reads answer, orders say why',
    async () => {
      const masters = (await viewFrom(redis('ledger-1'))).filter(({ slots }) => slots.length > 0)
      const members = topology.names.filter((name) => /^ledger-\d$/.test(name))
      const isMaster = (name: string): boolean =>
        masters.some(({ port }) => port === redis(name).port)
      // Replicas first: then no master has one, and none takes a write.
      for (const name of members.filter((member) => !isMaster(member))) {
        await topology.service(name).kill()
      }
      await expect.poll(async () => (await topology.balancerView())['BACKEND'], POLL).toBe('DOWN')
      const found = await fetch(`${topology.url}/v1/goods?page_size=1`)
      expect(found.status).toBe(200)
      const ready = await fetch(`${topology.url}/readyz`)
      expect([ready.status, await ready.json()])
        .toEqual([503, { status: 'unready', reason: 'the ledger takes no writes' }])
    })
})
