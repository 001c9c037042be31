/** Every metric that the dashboard and the alerts name is one that a node, or haproxy, gives. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { startTestNode } from './node.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(`${ROOT}/${path}`, 'utf8')

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[]
}
interface Alerts {
  readonly groups: readonly { readonly rules: readonly Alert[] }[]
}
interface Alert {
  readonly alert: string
  readonly expr: string
  readonly annotations: { readonly runbook: string }
}

const dashboard = JSON.parse(read('config/grafana/agentmall.json')) as Dashboard
const rulesIn = (file: string): Alert[] =>
  (parse(read(`config/prometheus/${file}`)) as Alerts).groups.flatMap(({ rules }) => [...rules])
const alerts = readdirSync(`${ROOT}/config/prometheus`)
  .filter((file) => file.endsWith('alerts.yml')).flatMap(rulesIn)
const expressions = [
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...alerts.map(({ expr }) => expr),
]

/** A histogram's parts are named after it. */
const named = new Set(expressions.flatMap((expr) =>
  expr.match(/\b(?:agentmall|process|nodejs)_\w+/g) ?? [])
  .map((name) => name.replace(/_(bucket|sum|count)$/, '')))

/** Only where several processes share a port. */
const OF_SEVERAL = 'agentmall_process_up'

const node = await startTestNode()
afterAll(() => node.stop())

test('the dashboard and the alerts name no metric that a node does not give', async () => {
  // As a scraper on the same machine: the test node's own client says that it is a proxy's.
  const answer = await fetch(`${node.url}/metrics`)
  expect(answer.status).toBe(200)
  const text = await answer.text()
  const families = [...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1])
  const given = new Set([OF_SEVERAL, ...families])
  expect([...named].filter((name) => !given.has(name))).toEqual([])
})

test('there is something to see of every part', () => {
  expect(named.size).toBeGreaterThan(15)
  expect(expressions.some((expr) => expr.includes('haproxy_backend_active_servers'))).toBe(true)
})

test('every alert about the balancer leads to a section of the operations manual', () => {
  const anchors = [...read('docs/operations.md').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title.toLowerCase().replaceAll(/[^\w\- ]/g, '').replaceAll(' ', '-'))
  for (const { alert, annotations: { runbook } } of rulesIn('balancer-alerts.yml')) {
    const [file, anchor] = runbook.split('#')
    expect(file, alert).toBe('docs/operations.md')
    expect(anchors, alert).toContain(anchor)
  }
})
