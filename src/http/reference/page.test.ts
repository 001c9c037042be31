import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ERRORS } from '../../errors.ts'
import { readTiers } from '../../gate/tiers.ts'
import { errorsOf } from '../../operations/common-errors.ts'
import { operations } from '../../operations/index.ts'
import { errorsMarkdown } from './error-sections.ts'
import { ERROR_NAMES } from './examples.ts'
import { docsPage, DOCS_POLICY } from './page.ts'

const PUBLIC_URL = 'https://mall.test'
const html = docsPage({
  operations, publicUrl: PUBLIC_URL, basePath: '/v1', version: '1.2.3', tiers: readTiers(),
})
const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string)
const inside = (pattern: RegExp): string => pattern.exec(html)?.[1] ?? ''
const sectionOf = (name: string): string => {
  const at = html.indexOf(` id="${name}"`)
  return html.slice(at, html.indexOf('</section>', at))
}

test('it asks nobody else for anything, and its policy would not let it', () => {
  const hosts = [...html.matchAll(/(?:src|href|action|url)\s*[=(]\s*"?(https?:\/\/[^\s")]+)/g)]
  expect(hosts.map(([, address]) => address)).toEqual([])
  expect(html).not.toMatch(/ on\w+="| style="|@import|<(?:iframe|object|form|img)\b/)
  expect(DOCS_POLICY).toContain("default-src 'none'")
  expect(DOCS_POLICY).not.toContain('unsafe')
})

test('the policy allows exactly the style and the script that the page brings', () => {
  for (const [directive, text] of [
    ['style-src', inside(/<style>([^]*?)<\/style>/)],
    ['script-src', inside(/<script>([^]*?)<\/script>/)],
  ] as const) {
    const hash = createHash('sha256').update(text).digest('base64')
    expect(text.length).toBeGreaterThan(100)
    expect(DOCS_POLICY).toContain(`${directive} 'sha256-${hash}'`)
  }
})

test('every link on the page leads to something on the page', () => {
  expect(new Set(ids).size).toBe(ids.length)
  const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id as string)
  expect(targets.length).toBeGreaterThan(100)
  expect(targets.filter((id) => !ids.includes(id))).toEqual([])
})

test('it can be used with the keyboard and read out', () => {
  expect(html).toMatch(/<body><a class="skip" href="#main">/)
  expect(html).toContain('<html lang="en">')
  expect([...html.matchAll(/<pre(?! tabindex="0" aria-label="[^"]+")/g)]).toEqual([])
  const levels = [...html.matchAll(/<h([1-4])/g)].map(([, level]) => Number(level))
  expect(levels[0]).toBe(1)
  expect(levels.every((level, at) => level <= (levels[at - 1] ?? 1) + 1)).toBe(true)
})

test('it looks after small screens, dark rooms and paper', () => {
  for (const words of ['prefers-color-scheme:dark', '@media print', 'max-width:860px',
    ':focus-visible', 'prefers-reduced-motion']) expect(html).toContain(words)
})

test('it stays small', () => {
  expect(Buffer.byteLength(html)).toBeLessThan(300_000)
})

describe.each(operations)('$name', (operation) => {
  const section = sectionOf(operation.name)

  test('has a section with its route, access, request, errors and MCP twin', () => {
    const [method = '', path = ''] = operation.route.split(' ')
    expect(section).toContain(`>${method}</span>`)
    expect(section.replaceAll('<wbr>', '')).toContain(`/v1${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    expect(section).toContain(operation.access === 'key' ? 'needs a key' : 'open to anyone')
    expect(section).toContain(operation.tool === false ? 'REST only' : 'tools/call')
    expect(section).toContain(`&#39;${PUBLIC_URL}/v1/`)
    for (const name of errorsOf(operation)) expect(section).toContain(`href="#error-${name}"`)
  })

  test('says every field that goes in', () => {
    for (const name of Object.keys(operation.input.properties)) {
      const label = name === 'idempotency_key' ? 'Idempotency-Key' : name
      expect(section).toContain(`<dt><code>${label}</code>`)
    }
  })
})

test.each(ERROR_NAMES)('%s has an address on the page', (name) => {
  const section = sectionOf(`error-${name}`)
  expect(section).toContain(String(ERRORS[name].code))
  expect(section).toContain('What to do.')
})

test('docs/errors.md says what the table says (npm run docs writes it)', () => {
  const file = new URL('../../../docs/errors.md', import.meta.url)
  expect(readFileSync(file, 'utf8')).toBe(errorsMarkdown())
})
