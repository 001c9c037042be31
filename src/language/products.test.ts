import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import wabt from 'wabt'
import { inGroups, products } from './products.ts'

const inRoot = (path: string): URL => new URL(`../../${path}`, import.meta.url)

test('the code is what its source compiles to', async () => {
  const { parseWat } = await wabt()
  const source = parseWat('products.wat', readFileSync(inRoot('src/language/products.wat'), 'utf8'),
    { simd: true })
  const { buffer } = source.toBinary({})
  source.destroy()
  expect(readFileSync(inRoot('config/products.wasm')).equals(buffer)).toBe(true)
})

test.each([
  [1, 1, 16, 1], [3, 5, 16, 5], [2, 12, 32, 4], [7, 288, 96, 96], [0, 4, 16, 4],
  [2, 0, 16, 4],
])('%i rows of %i numbers and %i columns, a row each %i numbers', (rows, length, columns, step) => {
  const { reserve, add } = products(8000 + length * columns)
  const numbered = (size: number): Float32Array => {
    const found = reserve(size)
    for (const at of found.keys()) found[at] = (at * 37) % 11 - 5
    return found
  }
  const numbers = numbered(rows * step + length)
  const matrix = numbered(length * columns)
  const sums = numbered(rows * columns)
  const behind = numbered(16)
  const expected = Array.from(sums, (sum, at) => {
    const row = Math.floor(at / columns)
    return Array.from({ length }).reduce<number>((all, _, index) =>
      all + numbers[row * step + index]! * matrix[index * columns + at % columns]!, sum)
  })
  const untouched = [...behind]
  add({ numbers, step, rows, length, matrix, columns, sums })
  expect([...sums]).toEqual(expected)
  expect([...behind]).toEqual(untouched)
})

test.each([[0, 0], [1, 16], [16, 16], [17, 32]])('%i numbers take the room of %i', (size, room) => {
  expect(inGroups(size)).toBe(room)
})
