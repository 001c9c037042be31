/** What the plugin teaches and configures is what the service has. */
import { strFromU8, unzipSync } from 'fflate'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { errorData, ERRORS, Refusal } from '../contract/errors.ts'
import { credentialOf } from '../gate/authenticate.ts'
import { Receiver } from '../contract/fields.ts'
import { operations } from '../operations/index.ts'
import { STATUSES } from '../orders/states.ts'
import { createPlugin, SKILL_NAME, SKILL_PATH } from './plugin.ts'

const OPTIONS = {
  operations, publicUrl: 'https://mall.example/shop', basePath: '/v1', version: '1.2.3',
}
const plugin = createPlugin(OPTIONS)
const text = (path: string): string => plugin.files.get(path) ?? ''
const json = (path: string): unknown => JSON.parse(text(path))
const skill = text(SKILL_PATH)
const tools = operations.filter(({ tool }) => tool !== false)

describe('the archive', () => {
  test('unpacks to the files, with the manifest at its root', () => {
    const unpacked = Object.entries(unzipSync(plugin.archive))
      .map(([path, bytes]): [string, string] => [path, strFromU8(bytes)])
    expect(unpacked).toEqual([...plugin.files])
    expect(plugin.files.has('.claude-plugin/plugin.json')).toBe(true)
  })

  test('is the same for the same service, and another for another address', () => {
    expect(createPlugin(OPTIONS).sha256).toBe(plugin.sha256)
    expect(createPlugin({ ...OPTIONS, publicUrl: 'https://other.example' }).sha256)
      .not.toBe(plugin.sha256)
  })

  test('names no other host, and leaves no placeholder', () => {
    for (const content of plugin.files.values()) {
      expect(content).not.toContain('{{')
      const others = (content.match(/https?:\/\/[^\s"'`)]+/g) ?? [])
        .filter((url) => !url.startsWith(OPTIONS.publicUrl))
      expect(others).toEqual([])
    }
  })
})

describe('the skill', () => {
  test('has the frontmatter that Agent Skills ask for', () => {
    const [, frontmatter = ''] = /^---\n([\s\S]*?)\n---\n/.exec(skill) ?? []
    expect(frontmatter).toContain(`name: ${SKILL_NAME}\n`)
    expect(SKILL_NAME).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(SKILL_PATH).toBe(`skills/${SKILL_NAME}/SKILL.md`)
    const [, description = ''] = /description: >-\n((?: {2}.*\n)+)/.exec(frontmatter) ?? []
    expect(description.length).toBeGreaterThan(100)
    expect(description.length).toBeLessThanOrEqual(1024)
    expect(description).toContain('Use when')
  })

  test('is short enough to be read whole', () => {
    expect(encode(skill).length).toBeLessThan(5000)
    expect(skill.split('\n').length).toBeLessThan(500)
  })

  test('every name in it is a tool, a field, an error or a value of the service', () => {
    const known = new Set([
      ...tools.map(({ name }) => name), ...Object.keys(ERRORS), ...STATUSES,
      ...operations.flatMap(({ input, output }) => [...wordsOf(input), ...wordsOf(output)]),
      ...Object.keys(errorData(new Refusal('rate_limited', { retry_after_s: 1, fields: [] }), '')),
    ])
    const said = [...skill.matchAll(/`([a-z]+(?:_[a-z]+)+)\b/g)].map(([, word]) => word as string)
    expect(said.length).toBeGreaterThan(40)
    expect(said.filter((word) => !known.has(word))).toEqual([])
  })

  test('teaches the whole way, in order', () => {
    const way = ['cps_smart_search', 'cps_compare', 'get_goods_detail', '## 3. Confirm',
      '## 4. Order', 'create_order', 'get_order_status', 'get_logistics', 'request_aftersale']
    const places = way.map((word) => skill.indexOf(word))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places[0]).toBeGreaterThan(0)
    for (const status of STATUSES) expect(skill).toContain(`| \`${status}\` |`)
  })

  test('has the user confirm item, price, amount and every part of the receiver', () => {
    const [, confirm = ''] = /## 3\. Confirm([\s\S]*?)## 4\./.exec(skill) ?? []
    const asked = Object.keys(Receiver.properties)
    for (const word of ['Item', 'Price', 'amount', ...asked]) expect(confirm).toContain(word)
    expect(confirm).toContain('Never invent a receiver')
    expect(confirm).toContain('explicit yes')
  })

  test('its references have every tool, and every error that a tool can answer with', () => {
    const folder = `skills/${SKILL_NAME}/references`
    for (const { name } of tools) expect(text(`${folder}/tools.md`)).toContain(`| \`${name}\` |`)
    for (const name of ['unavailable', 'idempotency_mismatch', 'out_of_stock', 'not_shipped']) {
      expect(text(`${folder}/errors.md`)).toContain(`| \`${name}\` |`)
    }
    const mentioned = [...skill.matchAll(/`(references\/[^`]+)`/g)].map(([, path]) => path)
    expect(mentioned.filter((path) => !plugin.files.has(`skills/${SKILL_NAME}/${path}`)))
      .toEqual([])
  })
})

describe('the manifests', () => {
  test('Claude Code asks for the key and sends it as a bearer', () => {
    expect(json('.claude-plugin/plugin.json')).toMatchObject({
      name: 'agentmall', version: '1.2.3', userConfig: { api_key: { sensitive: true } },
    })
    expect(json('.mcp.json')).toEqual({ mcpServers: { agentmall: {
      type: 'http', url: 'https://mall.example/shop/mcp',
      headers: { Authorization: 'Bearer ${user_config.api_key}' },
    } } })
  })

  test('Codex finds skills and server where its manifest says', () => {
    expect(json('.codex-plugin/plugin.json')).toMatchObject({
      name: 'agentmall', skills: './skills/', mcpServers: './codex.mcp.json',
    })
    expect(json('codex.mcp.json')).toMatchObject({ mcpServers: { agentmall: {
      url: 'https://mall.example/shop/mcp', bearer_token_env_var: 'AGENTMALL_API_KEY',
    } } })
  })

  test('Gemini CLI keeps the key in the variable that the header names', () => {
    expect(json('gemini-extension.json')).toMatchObject({
      name: 'agentmall', version: '1.2.3',
      settings: [{ envVar: 'AGENTMALL_API_KEY', sensitive: true }],
      mcpServers: { agentmall: {
        httpUrl: 'https://mall.example/shop/mcp',
        headers: { Authorization: 'Bearer $AGENTMALL_API_KEY' },
      } },
    })
  })
})

test.each(plugin.hosts)('$name: its instructions are in its language, and send a key', (host) => {
  expect(host.text).toContain('https://mall.example/shop/mcp')
  expect(() => host.language === 'json' && JSON.parse(host.text)).not.toThrow()
  const [header] = /Bearer [^"]+/.exec(host.text) ?? []
  const sent = header?.replace(/\$.*$/, 'ak_given')
  expect(sent === undefined || credentialOf(sent) === 'ak_given').toBe(true)
})

interface Schema {
  readonly properties?: Record<string, Schema>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly string[]
}

/** Names of fields and of values, at any depth. */
function wordsOf(schema: Schema): string[] {
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? []),
    ...(schema.items ? [schema.items] : [])]
  return [...Object.keys(schema.properties ?? {}), ...(schema.enum ?? []),
    ...inner.flatMap(wordsOf)]
}
