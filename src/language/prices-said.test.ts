/** What one piece may cost, in the words of shoppers; numbers that are no price are none. */
import { expect, test } from 'vitest'
import { readJsonl } from '../../loadtest/evaluations/jsonl.ts'
import { boundsOf } from './bounds.ts'
import { understand } from './understand.ts'
import type { PerUnit } from './understanding.ts'

interface Said {
  readonly say: string
  /** Fen. */
  readonly min?: number
  readonly max?: number
  readonly about?: number
  /** Whatever number there is, it is no price. */
  readonly none?: boolean
  /** What is not wanted: nothing is limited but what costs no more. */
  readonly refused?: number
  /** What `max` limits where not a piece of goods: so many grams, millilitres or pieces. */
  readonly unit?: 'g' | 'ml' | 'piece'
  readonly of?: number
}

/** How many of a hundred sentences must be read rightly. */
const FLOOR = 97
/** Rounding to the fen and the yuan. */
const TOLERANCE = 1.02
/** How far to either side of a price that is only about named may be looked. */
const ABOUT = 1.4

const said = readJsonl<Said>(new URL('prices-said.jsonl', import.meta.url))

const isNear = (one: number, other: number): boolean =>
  one === other || (one <= other * TOLERANCE + 1 && other <= one * TOLERANCE + 1)

/** A roll or a box is one of what is counted. */
const unitOf = ({ unit }: PerUnit): string => unit === 'pack' ? 'piece' : unit

function isRight(
  { say, min = 0, max = Infinity, about, none, refused, unit, of = 1 }: Said,
): boolean {
  const understood = understand(say)
  const bounds = boundsOf(understood)
  if (none) return understood.budget === null
  if (refused !== undefined) return bounds.max === Infinity && bounds.min <= refused
  if (unit !== undefined) {
    const { per } = understood
    return understood.budget === null && per !== null && unitOf(per) === unit
      && isNear((per.max ?? 0) * of / per.amount, max)
  }
  // What is spent on all has no least price.
  return about === undefined ? isNear(bounds.min, min) && isNear(bounds.max, max)
    : bounds.max >= about * 0.99 && bounds.max <= about * ABOUT && bounds.min <= about
}

test(`of ${said.length} sentences ${FLOOR} % say what the goods may cost`, () => {
  const wrong = said.filter((one) => !isRight(one)).map(({ say }) => say)
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(said.length * (1 - FLOOR / 100))
})
