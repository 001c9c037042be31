/** The plan that scripts get, and, where k6 is at hand, the scripts themselves. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loadSettings, programPath } from '../../src/config.ts'
import { createLogger } from '../../src/log.ts'
import { operations } from '../../src/operations/index.ts'
import { startTestMalls } from '../../src/testing/malls.ts'
import { MODERN_META } from '../../src/testing/mcp.ts'
import { startTestNode } from '../../src/testing/node.ts'
import { loadMix, tierOf, wordsOf } from './plan.ts'
import { findK6 } from './k6.ts'
import type { Plan } from '../k6/plan.ts'
import { PROFILES, type Profile } from './profiles.ts'
import { runProfile, SCRIPTS } from './run.ts'

const k6 = findK6(programPath())
const folder = mkdtempSync(join(tmpdir(), 'agentmall-load-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ITEM = { sku_id: 701, product_id: 7, merchant_id: 1007, available_qty: 500 }

test('the mix has every operation of the table, with its example', () => {
  const mix = loadMix()
  expect(Object.keys(mix).toSorted()).toEqual(operations.map(({ name }) => name).toSorted())
  for (const { name, route, example } of operations) {
    expect(mix[name]).toMatchObject({ route, input: example })
  }
})

test('examples mean goods that exist, and failures of the service are never expected', () => {
  const mix = loadMix({ item: ITEM, slack: 2 })
  expect(mix['create_order']).toMatchObject({
    input: { product_id: 7, merchant_id: 1007 }, p99Ms: 1000,
  })
  expect(mix['get_goods_detail']?.input).toEqual({ sku_id: 701 })
  expect(mix['shelf_item']?.input).toEqual({ item_id: 'shelf:701' })
  expect(mix['get_logistics']?.refusals).toEqual(['not_found', 'not_shipped'])
  expect(mix['cps_mallb_convert']?.refusals).not.toContain('upstream_failed')
})

test('a tier is read from what answers say, and words from titles', () => {
  expect(tierOf('"default";q=4000;w=2, "daily";q=5;w=86400'))
    .toEqual({ rate_per_s: 2000, burst: 4000 })
  expect(wordsOf(['海尔 电热水壶 1.7L', '海尔 冰箱', 'x'])).toEqual(['海尔', '电热水壶', '冰箱'])
})

test('each profile has its script, and each script its profile', () => {
  const scripts = readdirSync(SCRIPTS).map((file) => file.replace(/\.ts$/, ''))
  expect(scripts.toSorted()).toEqual(Object.keys(PROFILES).toSorted())
})

test('settings are bounded', () => {
  expect(loadSettings({ RATE: '5', DURATION: '2m', BASE_URL: 'http://a/,http://b' }))
    .toMatchObject({ rate: 5, seconds: 120, baseUrls: ['http://a', 'http://b'] })
  for (const env of [{ RATE: '1e9' }, { DURATION: '9d' }, { DURATION: '1s' }, { BASE_URL: 'x' }]) {
    expect(() => loadSettings(env)).toThrow('must be')
  }
})

const plan: Plan = {
  profile: 'any', baseUrls: ['http://127.0.0.1:9'], rate: 10, seconds: 9, vus: 50, slack: 1,
  keys: ['k'], otherKeys: ['o'], tier: { rate_per_s: 20, burst: 40 }, mix: loadMix(),
  mcp: { handshakeVersion: '2025-11-25', modernVersion: '2026-07-28', modernMeta: MODERN_META },
  items: [ITEM], scarce: ITEM, words: ['壶'], quotaLeft: 10, control: 'http://127.0.0.1:9',
  summaryFile: join(folder, 'summary.json'),
}

describe.runIf(k6)('in k6 (left out where neither the PATH nor the cache has it)', () => {
  const PATIENT = { requestDeadlineMs: 60_000 }

  test.each(Object.keys(PROFILES))('%s: arrivals at a rate, a threshold for each call',
    (name) => {
      const file = join(folder, `${name}.json`)
      writeFileSync(file, JSON.stringify(plan))
      const output = execFileSync(k6 as string,
        ['inspect', '-e', `PLAN=${file}`, join(SCRIPTS, `${name}.ts`)], { encoding: 'utf8' })
      const { scenarios, thresholds } = JSON.parse(output) as {
        scenarios: Record<string, { executor: string }>, thresholds: Record<string, string[]>
      }
      const executors = new Set(Object.values(scenarios).map(({ executor }) => executor))
      executors.delete('per-vu-iterations')
      expect([...executors]).toEqual([PROFILES[name]?.breaks
        ? 'ramping-arrival-rate' : 'constant-arrival-rate'])
      expect(Object.keys(thresholds).length).toBeGreaterThan(2)
    })

  test('smoke on a node: every operation and every tool answers as declared', async () => {
    const malls = await startTestMalls()
    const node = await startTestNode(PATIENT, createLogger('silent'), malls.settings)
    try {
      const { run } = await runProfile({
        name: 'smoke', profile: PROFILES['smoke'] as Profile, k6: k6 as string, folder,
        // Slow machines are late: this run is about answers.
        settings: { rate: 5, seconds: 4, vus: 50, slack: 100 },
        target: {
          baseUrls: [node.url], keys: [await node.newKey()], otherKeys: [], quotaLeft: null,
          disturbances: undefined,
        },
      })
      const wrong = run.judgements.filter(({ what, ok }) => /^(checks|http_req_failed)/.test(what)
        && !ok)
      expect(wrong).toEqual([])
      const tools = operations.filter(({ tool }) => tool !== false)
      expect(new Set(run.calls.map(({ name }) => name))).toEqual(new Set([
        ...operations.map(({ name }) => name), ...tools.map(({ name }) => `mcp ${name}`),
        'mcp tools/list',
      ]))
    } finally {
      await node.stop()
      await malls.close()
    }
  })
})
