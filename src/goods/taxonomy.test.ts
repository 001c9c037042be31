import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const FOLDER = new URL('../../config/taxonomy/', import.meta.url)
const KEY = new RegExp('"(aliases|other_names|near_names|broader|needs|parts_of|gift_for|attributes'
  + '|features|scenes)": ', 'g')

test('no kind has a field twice, of which only the last would count', () => {
  const kinds = readdirSync(FOLDER).flatMap((file) =>
    readFileSync(new URL(file, FOLDER), 'utf8')
      .split(/(?="kind": "[a-z0-9_]+", "name_zh")/).slice(1))
  const twice = kinds.filter((text) => {
    const keys = [...text.matchAll(KEY)].map(([, key]) => key)
    return new Set(keys).size < keys.length
  }).map((text) => text.slice(0, text.indexOf(',')))
  expect(kinds.length).toBeGreaterThan(2000)
  expect(twice).toEqual([])
})
