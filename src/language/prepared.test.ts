/** What a build keeps of the taxonomy says the same as what is made of it. */
import { mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { taxonomy } from '../goods/taxonomy.ts'
import { openPrepared, type PreparedFile, writePrepared } from './prepared.ts'
import { phraseData, phrasesOf, type PhraseData } from './read/phrases.ts'
import { makeProfile } from './profile.ts'
import { makeValues } from './values.ts'

/** A file of a build with these parts. */
function keep(parts: ReadonlyMap<string, unknown>): PreparedFile {
  const file = openPrepared(written(parts))
  if (!file) throw new Error('Nothing was written.')
  return file
}

function written(parts: ReadonlyMap<string, unknown>): string {
  const folder = mkdtempSync(join(tmpdir(), 'agentmall-prepared-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writePrepared(folder, parts)
  return folder
}

test('parts are read as they were made, and none that was not', () => {
  const [kind] = taxonomy().kinds.values()
  if (!kind) throw new Error('There are no kinds.')
  const parts = new Map<string, unknown>([
    ['values', makeValues(kind)], ['profile', makeProfile(kind.kind)],
    ['numbers', { few: Uint8Array.of(1, 2, 3), many: Float32Array.of(0.5, 1e9) }],
  ])
  const file = keep(parts)
  for (const [name, part] of parts) expect(file.read(name)).toEqual(part)
  expect(file.read('others')).toBeUndefined()
})

test('values that were one stay one', () => {
  const value = { text: '不锈钢', attribute: '材质' }
  const file = keep(new Map([['values', { stated: [value], lists: [[value]] }]]))
  const { stated, lists } = file.read('values') as Record<'stated' | 'lists', object[][]>
  expect(lists[0]?.[0]).toBe(stated[0])
})

test('lists of numbers keep none of the bytes that they were read from', () => {
  const text = 'long '.repeat(1000)
  const few = { text, first: Uint8Array.of(7), second: Float64Array.of(0.5, 1e9) }
  const file = keep(new Map<string, unknown>([
    ['few', few], ['many', { text, list: new Uint32Array(5000).fill(9) }],
  ]))
  const { first, second } = file.read('few') as typeof few
  expect([first, second]).toEqual([few.first, few.second])
  expect(second.buffer).toBe(first.buffer)
  expect(Buffer.from(first.buffer).includes('long')).toBe(false)
  const { list } = file.read('many') as { list: Uint32Array }
  expect(list.buffer.byteLength).toBe(list.byteLength)
})

test('phrases of a build are found like those of a list', () => {
  const list = ['手机', '手机壳', 'phone case', '壳']
  const file = keep(new Map([['phrases', phraseData(list)]]))
  const found = phrasesOf(file.read('phrases') as PhraseData)
  expect(found.find('苹果手机壳 phone case').map(({ phrase }) => phrase))
    .toEqual(['手机壳', 'phone case'])
  expect(list.map((phrase) => found.textAt(found.placeOf(phrase)))).toEqual(list)
})

test('a folder without a file has no parts, and one that is cut short says so', () => {
  const folder = written(new Map([['part', 'text '.repeat(100)]]))
  expect(openPrepared(join(folder, 'elsewhere'))).toBeNull()
  truncateSync(join(folder, 'language.bin'), 200)
  expect(() => openPrepared(folder)?.read('part')).toThrow('cut short')
})
