/** An understanding against what a person reads in the same sentence, field by field. */
import { taxonomy } from '../../goods/taxonomy.ts'
import type { Understanding, Wish } from '../understanding.ts'
import type { Expected } from './expected.ts'

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
