/** What the documents name is there: files of the ways through the code, records of decisions. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8')
const house = read('src/README.md')

const sectionOf = (title: string): string =>
  house.split(/^# /m).find((part) => part.startsWith(`${title}\n`)) ?? ''

/** As the README writes them: from `src`, from the top, or from the room of the table's row. */
const ROOMS = ['src', '', 'src/language', 'src/language/read', 'src/console/page']
const pathOf = (name: string): string | undefined =>
  ROOMS.map((room) => join(room, name)).find((path) => existsSync(join(ROOT, path)))
const filesIn = (text: string): string[] =>
  [...new Set([...text.matchAll(/`([\w./-]+\.(?:tsx?|lua))`/g)].map(([, name = '']) => name))]

describe('src/README.md', () => {
  test('names files that are there', () => {
    // An operation that a reader is to write is not there yet.
    const named = filesIn(house).filter((name) => name !== 'operations/my-operation.ts')
    expect(named.length).toBeGreaterThan(80)
    expect(named.filter((name) => pathOf(name) === undefined)).toEqual([])
  })

  test.each([
    ['The way of an order', 20, 30], ['The way of a smart search', 40, 60],
    ['The way of a commission', 15, 30],
  ])('leads through few files: %s', (title, least, most) => {
    const count = filesIn(sectionOf(title)).length
    expect(count).toBeGreaterThanOrEqual(least)
    expect(count).toBeLessThanOrEqual(most)
  })
})

/** As GitHub makes the address of a heading. */
const anchorOf = (heading: string): string => heading.toLowerCase()
  .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-')

describe('docs/decisions.md', () => {
  const LINE = /^- \[.+\]\((decisions\/[\w-]+\.md)#(.+)\)$/gm
  const linked = [...read('docs/decisions.md').matchAll(LINE)]
    .map(([, page = '', anchor = '']) => `${page}#${anchor}`)

  test('has a line for each record, and each line leads to one', () => {
    const records = readdirSync(join(ROOT, 'docs/decisions')).flatMap((page) => {
      const text = read(`docs/decisions/${page}`)
      const depth = /^### /m.test(text) ? '###' : '##'
      return [...text.matchAll(new RegExp(`^${depth} (.+)$`, 'gm'))]
        .map(([, heading = '']) => `decisions/${page}#${anchorOf(heading)}`)
    })
    expect(records.length).toBeGreaterThan(200)
    expect(linked.toSorted()).toEqual(records.toSorted())
    expect(new Set(linked).size).toBe(linked.length)
  })
})

test('the map in README.md names each room, and rooms that are there', () => {
  const rows = read('README.md').split('\n').filter((line) => line.startsWith('| `'))
  const rooms = rows.flatMap((row) => [...row.split('|')[1]?.matchAll(/`([a-z][\w/.-]*)`/g) ?? []])
    .map(([, room = '']) => room)
    .filter((room) => /^(src|adapters|config|loadtest|docs)/.test(room))
  expect(rooms.filter((room) => !existsSync(join(ROOT, room)))).toEqual([])
  const there = [
    'adapters', 'config', 'loadtest', 'docs',
    ...readdirSync(join(ROOT, 'src'), { withFileTypes: true })
      .filter((one) => one.isDirectory()).map(({ name }) => `src/${name}`),
  ]
  expect(there.filter((room) => !rooms.includes(room))).toEqual([])
})
