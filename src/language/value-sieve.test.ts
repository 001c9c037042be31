/** A word that a sieve holds back is no value of the kind. */
import { expect, test } from 'vitest'
import { taxonomy } from '../goods/taxonomy.ts'
import { makeSieve, mayPass } from './value-sieve.ts'
import { makeValues, namesValue, valueNames } from './values.ts'

const KINDS = [...taxonomy().kinds.values()].filter((_, at) => at % 40 === 0)
const names = new Map(KINDS.map((kind) => [kind.kind, valueNames(makeValues(kind))]))
const sieve = makeSieve(names)
const words = [...new Set([...names.values()].flat())]

test('every name of a value passes', () => {
  expect(words.length).toBeGreaterThan(5000)
  const held = [...names].flatMap(([kind, own]) =>
    own.filter((word) => !mayPass(sieve, kind, word)).map((word) => `${kind} ${word}`))
  expect(held).toEqual([])
})

test('of other words fewer than two of a hundred pass', () => {
  const kinds = KINDS.slice(0, 10).map(({ kind }) => kind)
  const others = kinds.flatMap((kind) => {
    const own = new Set(names.get(kind))
    return words.filter((word) => !own.has(word)).map((word) => mayPass(sieve, kind, word))
  })
  expect(others.filter(Boolean).length / others.length).toBeLessThan(0.02)
})

test('the names are those that tell goods of the kind apart', () => {
  for (const { kind } of KINDS.slice(0, 10)) {
    const own = new Set(names.get(kind))
    expect(words.filter((word) => namesValue(kind, word)).filter((word) => !own.has(word)))
      .toEqual([])
    expect([...own].filter((word) => !namesValue(kind, word))).toEqual([])
  }
})

test('a sieve of no kinds holds everything back', () => {
  expect(mayPass(makeSieve(new Map()), 'kettle', '不锈钢')).toBe(false)
})
