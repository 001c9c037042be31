/**
 * The frozen set of sentences, each with what a person reads in it, and how an understanding is
 * compared with that, field by field.
 */
import { taxonomy } from '../../../src/goods/taxonomy.ts'
import type { Mode, Understanding, Wish } from '../../../src/language/understanding.ts'
import { readJsonl } from '../jsonl.ts'

/**
 * A field that is left out says that there is nothing of it: a budget that was invented is as
 * wrong as one that was missed.
 */
export interface Expected {
  readonly say: string
  /** Yuan. */
  readonly min?: number
  readonly max?: number
  readonly about?: true
  readonly per?: 'each' | 'total'
  readonly quantity?: number
  /** Folded, in the order of the sentence; `a|b` is one constraint with two ways to meet it. */
  readonly must?: readonly string[]
  readonly must_not?: readonly string[]
  readonly prefer?: readonly string[]
  readonly keywords?: readonly string[]
  /** `any` where people would not agree. Its category is expected with it. */
  readonly kind?: string
  readonly category?: number | 'any'
  readonly mode?: Mode
  readonly food?: 'yes' | 'maybe'
  /** Why it is not understood yet; its test fails when it is. */
  readonly known?: string
  /** Why a person reads it so, where that is not plain. */
  readonly why?: string
}

const read = (name: string): Expected[] => readJsonl(`sentences/${name}.jsonl`)

/** In the order in which they were written, the first before there were any rules. */
export const SETS: Readonly<Record<string, readonly Expected[]>> = {
  beforeRules: read('before-rules'), budgets: read('budgets'), traps: read('traps'),
  wishes: read('wishes'), mixed: read('mixed'), afterRules: read('after-rules'),
}

export const allSentences: readonly Expected[] = Object.values(SETS).flat()

export const FIELDS = ['budget', 'quantity', 'must', 'must_not', 'prefer', 'keywords', 'kind',
  'category', 'mode', 'food'] as const
export type Field = (typeof FIELDS)[number]

export type Reading = Readonly<Record<Field, unknown>>

/** Both sides in the same form, so that a difference reads well. */
export function expectedReading(expected: Expected): Reading {
  const { min, max, about, per, kind } = expected
  const hasBudget = min !== undefined || max !== undefined
  return {
    budget: hasBudget ? {
      min: min === undefined ? null : min * 100, max: max === undefined ? null : max * 100,
      kind: about ? 'about' : 'hard', per: per ?? null,
    } : null,
    quantity: expected.quantity ?? null,
    must: expected.must ?? [],
    must_not: expected.must_not ?? [],
    prefer: expected.prefer ?? [],
    keywords: expected.keywords ?? [],
    kind: kind ?? null,
    category: expected.category ?? (kind && kind !== 'any'
      ? taxonomy().kinds.get(kind)?.category_id : null),
    mode: expected.mode ?? null,
    food: expected.food ?? null,
  }
}

export function actualReading(understood: Understanding, expected: Expected): Reading {
  const { budget } = understood
  return {
    budget: budget && { min: budget.min, max: budget.max, kind: budget.kind, per: budget.per },
    quantity: understood.quantity?.count ?? null,
    must: textsOf(understood.must),
    must_not: textsOf(understood.must_not),
    prefer: textsOf(understood.prefer),
    keywords: understood.keywords.map(({ folded }) => folded),
    kind: expected.kind === 'any' ? 'any' : understood.kind?.value ?? null,
    category: expected.category === 'any' ? 'any' : understood.category?.value ?? null,
    mode: understood.mode?.value ?? null,
    food: understood.food?.meant ?? null,
  }
}

const textsOf = (wishes: readonly Wish[]): string[] => wishes.map(({ anyOf }) => anyOf.join('|'))

export const isSame = (left: unknown, right: unknown): boolean =>
  JSON.stringify(left) === JSON.stringify(right)

export const wrongFields = (expected: Expected, understood: Understanding): Field[] => {
  const [wanted, got] = [expectedReading(expected), actualReading(understood, expected)]
  return FIELDS.filter((field) => !isSame(wanted[field], got[field]))
}
