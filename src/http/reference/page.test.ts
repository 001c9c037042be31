import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { ERRORS } from '../../contract/errors.ts'
import { readTiers } from '../../limits/tiers.ts'
import { errorsOf } from '../../operations/define.ts'
import { operations } from '../../operations/index.ts'
import { ERROR_NAMES } from './examples.ts'
import { TITLES_ZH } from './words.ts'
import { docsMarkdown, errorsMarkdown, llmsText } from './markdown.ts'
import { docsPage } from './page.ts'

const PUBLIC_URL = 'https://mall.test'
const options = {
  operations, publicUrl: PUBLIC_URL, basePath: '/v1', version: '1.2.3', tiers: readTiers(),
}
const { html, policy: POLICY } = docsPage({ ...options, locale: 'en' })
const chinese = docsPage({ ...options, locale: 'zh' })
const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string)
const sectionOf = (name: string): string => {
  const at = html.indexOf(` id="${name}"`)
  return html.slice(at, html.indexOf('</section>', at))
}

test('it asks nobody else for anything, and its policy would not let it', () => {
  const hosts = [...html.matchAll(/(?:src|href|action|url)\s*[=(]\s*"?(https?:\/\/[^\s")]+)/g)]
  expect(hosts.map(([, address]) => address)).toEqual([])
  expect(html).not.toMatch(/ on\w+="| style="|@import|<(?:iframe|object|form|img)\b/)
  expect(POLICY).toContain("default-src 'none'")
  expect(POLICY).not.toContain('unsafe')
})

test('the policy allows exactly the style and the scripts that the page brings', () => {
  for (const page of [{ html, policy: POLICY }, chinese]) {
    for (const tag of ['style', 'script']) {
      const hashes = [...page.html.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))]
        .map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
      expect(hashes.length).toBeGreaterThan(0)
      expect(page.policy.split('; ')).toContain(`${tag}-src ${hashes.join(' ')}`)
    }
  }
})

test('every link on the page leads to something on the page', () => {
  expect(new Set(ids).size).toBe(ids.length)
  const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id as string)
  expect(targets.length).toBeGreaterThan(100)
  expect(targets.filter((id) => !ids.includes(id))).toEqual([])
})

test('it can be used with the keyboard and read out', () => {
  expect(html).toMatch(/<body><a class="skip" href="#main">Skip to the content<\/a>/)
  expect(html).toContain('<html lang="en">')
  expect([...html.matchAll(/<pre(?! tabindex="0" aria-label="[^"]+")/g)]).toEqual([])
  const levels = [...html.matchAll(/<h([1-4])/g)].map(([, level]) => Number(level))
  expect(levels[0]).toBe(1)
  expect(levels.every((level, at) => level <= (levels[at - 1] ?? 1) + 1)).toBe(true)
})

test('it looks after small screens, dark rooms and paper', () => {
  for (const words of ['prefers-color-scheme:dark', '@media print', 'max-width:860px',
    ':focus-visible']) expect(html).toContain(words)
  expect(html).not.toContain('scroll-behavior')
})

test('it names the limits of a developer\'s own node', () => {
  expect(html).toContain('have 100 requests a second, and a burst of 1,000.')
})

test('it stays small', () => {
  const { length } = brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
  expect(length).toBeLessThan(50_000)
  expect(Buffer.byteLength(html)).toBeLessThan(430_000)
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

test('the Chinese page has the same sections, with titles and guide in Chinese', () => {
  const idsIn = (page: string): string[] =>
    [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string)
  expect(idsIn(chinese.html)).toEqual(ids)
  expect(chinese.html).toContain('<html lang="zh-CN">')
  expect(Object.keys(TITLES_ZH).toSorted()).toEqual(operations.map(({ name }) => name).toSorted())
  const headings = [...chinese.html
    .matchAll(/<h[123] id="(?!error-)[^"]*">(.*?)<a class="anchor"/g)]
    .map(([, text]) => text as string)
  expect(headings.length).toBeGreaterThan(operations.length)
  expect(headings.filter((text) => text !== 'MCP' && !/\p{Script=Han}/u.test(text))).toEqual([])
})

test('what is English on the Chinese page says so', () => {
  const bare = [...chinese.html.matchAll(/<p>((?:(?!<\/p>).)*)<\/p>/g)]
    .map(([, text = '']) => text).filter((text) => /[a-z]{3,} [a-z]{3,} [a-z]{3,}/.test(
      text.replaceAll(/<span lang="en">.*?<\/span>|<[^>]+>/g, '')))
  expect(bare).toEqual([])
})

test('the Markdown says every operation with its fields and samples, and every error', () => {
  const markdown = docsMarkdown({ ...options, locale: 'en' })
  expect(markdown.startsWith('# agentmall API reference\n')).toBe(true)
  for (const { name, title, input, description } of operations) {
    const at = markdown.indexOf(`### ${title} (${name})\n`)
    const section = markdown.slice(at, markdown.indexOf('\n### ', at + 1))
    expect([name, at > 0]).toEqual([name, true])
    for (const fence of ['```sh', '```js', '```python']) expect(section).toContain(fence)
    for (const field of Object.keys(input.properties)) {
      const label = field === 'idempotency_key' ? 'Idempotency-Key' : field
      expect(section).toContain(`| \`${label}\` |`)
    }
    expect(section.replaceAll('`', '')).toContain(description.replaceAll('`', ''))
  }
  for (const name of ERROR_NAMES) expect(markdown).toContain(`\n### ${name}\n`)
  expect([...markdown.matchAll(/^```/gm)].length % 2).toBe(0)
  expect(markdown).not.toMatch(/<(?:p|code|a|div|span)\b/)
  expect(docsMarkdown({ ...options, locale: 'zh' })).toContain('### 下单 (create_order)')
})

test('llms.txt names every operation and leads to every document', () => {
  const text = llmsText({ ...options, locale: 'en' })
  expect(text).toMatch(/^# agentmall\n\n> .+\n/)
  for (const { name } of operations) expect(text).toContain(`\n- ${name} (`)
  for (const path of ['docs.md', 'openapi.json', 'plugin', 'mcp']) {
    expect(text).toContain(`${PUBLIC_URL}/${path}`)
  }
})

test('docs/errors.md says what the table says (npm run docs writes it)', () => {
  const file = new URL('../../../docs/errors.md', import.meta.url)
  expect(readFileSync(file, 'utf8')).toBe(errorsMarkdown())
})
