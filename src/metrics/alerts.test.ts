/** The alerts are about metrics that exist, and somebody who is woken finds what to do. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { OUTCOMES } from '../measures.ts'
import { operations } from '../operations/index.ts'
import { startTestNode, type TestNode } from '../testing/node.ts'

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string }
}

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
const { groups } = parse(read('config/prometheus/alerts.yml')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

/** Told by Prometheus itself, and by a node with several processes or with replicas. */
const ELSEWHERE = ['up', 'agentmall_process_up']
const METRIC = /\b(agentmall_[a-z_]+|process_[a-z_]+|up(?=\{))/g

let node: TestNode
let known: Set<string>
beforeAll(async () => {
  node = await startTestNode()
  const text = await (await fetch(`${node.url}/metrics`)).text()
  const families = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  known = new Set([...ELSEWHERE, ...families.flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name])])
})
afterAll(() => node.stop())

describe.each(rules)('$alert', ({ alert, expr, labels, annotations }) => {
  test('is about metrics that a node tells', () => {
    const named = [...expr.matchAll(METRIC)].map(([name]) => name)
    expect(named.length).toBeGreaterThan(0)
    for (const name of named) expect([...known]).toContain(name)
  })

  test('names operations and outcomes that there are', () => {
    const wanted = (label: string): string[] =>
      [...expr.matchAll(RegExp(`${label}=~?"([^"]+)"`, 'g'))]
        .flatMap(([, values = '']) => values.split('|'))
    for (const name of wanted('operation')) {
      expect(operations.map((operation) => operation.name)).toContain(name)
    }
    const outcomes = expr.includes('mall_calls') ? [] : wanted('outcome')
    for (const name of outcomes) expect(OUTCOMES).toContain(name)
  })

  test('says what it means, and has a section that says what to do', () => {
    expect(['page', 'ticket']).toContain(labels.severity)
    expect(annotations.summary).not.toBe('')
    expect(read('docs/operations.md')).toContain(`\n### ${alert}\n`)
  })
})

test('no alert is there twice, and none is described that is not there', () => {
  const names = rules.map(({ alert }) => alert)
  expect(new Set(names).size).toBe(names.length)
  const described = [...read('docs/operations.md').matchAll(/^### (Agentmall\w+)$/gm)]
    .map(([, name]) => name)
  expect(described.toSorted()).toEqual(names.toSorted())
})
