import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { scripts } from './script.ts'

const SRC = fileURLToPath(new URL('..', import.meta.url))
const LUA = fileURLToPath(new URL('lua', import.meta.url))
const LINES_MAX = 70

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .filter((name) => name !== 'redis/script.ts')
  .map((name) => ({ name, text: readFileSync(`${SRC}/${name}`, 'utf8') }))
const definers = sources.filter(({ text }) => text.includes('defineScript('))
const files = readdirSync(LUA).filter((name) => name.endsWith('.lua')).toSorted()
const sourceOf = (file: string): string => readFileSync(`${LUA}/${file}`, 'utf8')
const defined = (file: string) => scripts.find(({ name }) => `${name}.lua` === file)

for (const { name } of definers) await import(`${SRC}/${name}`)

/** A Lua file in two parts: what its header promises, and its code. */
function parts(source: string): { header: string, code: string } {
  const [, header = '', code = ''] = /^(?:#![^\n]*\n)?--\[\[(.*?)\]\](.*)$/s.exec(source) ?? []
  return { header, code: code.replaceAll(/--[^\n]*/g, '') }
}

const operands = (header: string, kind: 'KEYS' | 'ARGV') =>
  [...header.matchAll(new RegExp(`^ *${kind}\\[(\\d+)\\] +([a-z_]+)`, 'gm'))]
    .map(([, position, name]) => ({ position: Number(position), name }))

/** The arguments of every redis.call, brackets balanced. */
function calls(code: string): string[] {
  return [...code.matchAll(/redis\.p?call\(/g)].map((match) => {
    const start = match.index + match[0].length
    let depth = 1
    let end = start
    while (depth > 0 && end < code.length) {
      if (code[end] === '(') depth += 1
      if (code[end] === ')') depth -= 1
      end += 1
    }
    return code.slice(start, end - 1)
  })
}

test('every Lua file is a defined script or named by its user, and every script has a file', () => {
  const used = files.filter((file) => defined(file)
    ?? sources.some(({ text }) => text.includes(`lua/${file}`)))
  expect(used).toEqual(files)
  for (const { name } of scripts) expect(files).toContain(`${name}.lua`)
  expect(new Set(scripts.map(({ name }) => name)).size).toBe(scripts.length)
})

test('what scripts share stands in one file, which calls no Redis and is named by several', () => {
  for (const file of readdirSync(`${LUA}/shared`)) {
    const text = readFileSync(`${LUA}/shared/${file}`, 'utf8')
    expect(text).not.toMatch(/redis\.|KEYS|ARGV/)
    const users = files.filter((user) =>
      sourceOf(user).includes(`\n-- include ${file.replace('.lua', '')}\n`))
    expect(users.length).toBeGreaterThan(1)
    for (const user of users) expect(defined(user)?.source).toContain(text)
  }
})

describe.each(files)('%s', (file) => {
  const source = sourceOf(file)
  const { header, code } = parts(source)

  test('its header names each key and argument once, in order', () => {
    for (const kind of ['KEYS', 'ARGV'] as const) {
      const named = operands(header, kind)
      expect(named.map(({ position }) => position)).toEqual(named.map((_, index) => index + 1))
      const used = [...code.matchAll(new RegExp(`${kind}\\[(\\d+)\\]`, 'g'))]
      for (const [, position] of used) expect(Number(position)).toBeLessThanOrEqual(named.length)
    }
    expect(header).toMatch(/^ *Reply /m)
  })

  test.runIf(defined(file))('its header and its definition in TypeScript say the same', () => {
    const script = defined(file)
    expect(operands(header, 'KEYS').map(({ name }) => name)).toEqual(script?.keys)
    expect(operands(header, 'ARGV').map(({ name }) => name)).toEqual(script?.args)
  })

  test('it binds every operand to a name where it unpacks them', () => {
    for (const kind of ['KEYS', 'ARGV'] as const) {
      const unpacked = new RegExp(`local ([a-z_,\\s]+?)\\s*=\\s*unpack\\(${kind}\\)`).exec(code)
      if (!unpacked?.[1]) continue
      const names = unpacked[1].split(',').map((name) => name.trim())
      expect(names).toEqual(operands(header, kind).map(({ name }) => name))
    }
  })

  test('it touches only the keys it declares', () => {
    const keyNames = operands(header, 'KEYS').map(({ name }) => name)
    for (const call of calls(code)) {
      expect(call, 'no name is built inside a call').not.toContain('..')
      const [command = '', key = ''] = call.split(',').map((part) => part.trim())
      if (/^'(TIME|SPUBLISH)'$/.test(command)) continue
      // Reads as many keys of one slot as orders moved: a list cannot declare them.
      if (header.includes('partition-copy:') && key === 'key') continue
      expect([...keyNames, 'KEYS[1]']).toContain(key)
    }
  })

  test(`its code has at most ${LINES_MAX} lines`, () => {
    const lines = code.split('\n').filter((line) => line.trim() !== '')
    expect(lines.length).toBeLessThanOrEqual(LINES_MAX)
  })
})
