/** Where clauses of the sentence, or the sentence and explicit parameters, say different things. */
import type { Say } from '../answer-language.ts'
import { yuanText } from '../../contract/money.ts'
import type { Budget, ModeWish, Parameters, Span } from '../understanding.ts'
import type { BudgetClause } from './budget.ts'
import type { FoundMode } from './modes.ts'

const FEN_MAX = 100_000_000

interface Bounds {
  readonly min: number | null
  readonly max: number | null
  readonly kind: 'hard' | 'about'
  readonly per: 'each' | 'total' | null
}

export interface SettledClauses {
  readonly bounds: Bounds | null
  readonly used: readonly BudgetClause[]
  readonly unused: readonly BudgetClause[]
  readonly notes: readonly string[]
}

/** One budget of all clauses: the strong before the weak, and of two the later. */
export function settleClauses(all: readonly BudgetClause[], say: Say): SettledClauses {
  const notes: string[] = []
  const domestic = all.filter(({ min, max }) => isMoney(min, max))
  const currency = domestic.find((clause) => clause.currency)?.currency
  if (currency) {
    notes.push(say(`按 1 ${currency.zh} ≈ ${currency.rate} 元折算。`,
      `Converted at 1 ${currency.en} ≈ CNY ${currency.rate}.`))
  }
  if (domestic.length < all.length) {
    notes.push(say('有一个金额超出范围，没有使用。',
      'An amount in the sentence is out of range and is not used.'))
  }
  const strong = domestic.filter(({ isStrong }) => isStrong)
  const candidates = strong.length > 0 ? strong : domestic
  const used: BudgetClause[] = []
  for (const clause of candidates.toReversed()) {
    if (used.every((one) => complete(one, clause))) used.unshift(clause)
  }
  if (candidates.length > used.length) {
    notes.push(say('句子里有多个预算，按最后一个。',
      'The sentence names more than one budget; the last one is used.'))
  }
  const unused = all.filter((clause) => !used.includes(clause))
  if (used.length === 0) return { bounds: null, used, unused, notes }
  const fen = (yuan: number | null | undefined): number | null =>
    yuan === null || yuan === undefined ? null : Math.round(yuan * 100)
  return {
    used, unused, notes,
    bounds: {
      min: fen(used.find(({ min }) => min !== null)?.min),
      max: fen(used.find(({ max }) => max !== null)?.max),
      kind: used.every(({ kind }) => kind === 'about') ? 'about' : 'hard',
      per: used.find(({ per }) => per !== null)?.per ?? null,
    },
  }
}

const isMoney = (min: number | null, max: number | null): boolean =>
  [min, max].every((yuan) => yuan === null || (yuan > 0 && yuan * 100 <= FEN_MAX))

/** A range that is wider than what "about" one price means. */
const RANGE = 1.6

/** 一百到两百的都行，别超过三百 says the range, and its end once more. */
const isWithin = (range: BudgetClause, limit: BudgetClause): boolean =>
  range.min !== null && range.max !== null && range.max >= range.min * RANGE
  && limit.min === null && limit.max !== null && limit.max >= range.max

/** 100以上 and 200以下 are one range. */
const complete = (left: BudgetClause, right: BudgetClause): boolean =>
  isWithin(left, right) || isWithin(right, left)
  || (left.min === null && right.max === null && (right.min ?? 0) < (left.max ?? 0))
  || (left.max === null && right.min === null && (left.min ?? 0) < (right.max ?? 0))

/** Explicit parameters win, bound by bound; what the sentence said otherwise is told. */
export function settleBudget(
  said: Bounds | null, spans: readonly Span[], parameters: Parameters, say: Say,
): { budget: Budget | null, notes: string[] } {
  const { budget_min: min, budget_max: max } = parameters
  const notes: string[] = []
  if (min === undefined && max === undefined) {
    return { budget: said && { ...said, from: 'sentence', spans }, notes }
  }
  let merged = { min: min ?? said?.min ?? null, max: max ?? said?.max ?? null }
  // "About 300" is one wish: a parameter that changes half of it replaces it.
  if (said?.kind === 'about') merged = { min: min ?? null, max: max ?? null }
  if (merged.min !== null && merged.max !== null && merged.min > merged.max) {
    if (min !== undefined && max !== undefined) {
      notes.push(say(`budget_min ${yuanText(min)} 高于 budget_max ${yuanText(max)}，没有使用。`,
        `budget_min ${yuanText(min)} is above budget_max ${yuanText(max)}; it is not used.`))
      merged = { min: null, max }
    } else merged = { min: min ?? null, max: max ?? null }
  }
  for (const [name, given, told] of [['budget_min', min, said?.min],
    ['budget_max', max, said?.max]] as const) {
    if (given === undefined || told === undefined || told === null || told === given) continue
    notes.push(say(`句子说的是${yuanText(told)}，${name} 是${yuanText(given)}，按 ${name}。`,
      `The sentence says ${yuanText(told)}, ${name} says ${yuanText(given)}; ${name} is used.`))
  }
  const keeps = said !== null
    && ((merged.min !== null && min === undefined) || (merged.max !== null && max === undefined))
  return { notes, budget: {
    ...merged, kind: 'hard', per: said?.per ?? null, from: keeps ? 'both' : 'parameters',
    spans: keeps ? spans : [],
  } }
}

export function settleMode(
  found: FoundMode, spans: readonly Span[], given: Parameters['mode'], say: Say,
): { mode: ModeWish | null, notes: string[] } {
  const { mode } = found
  if (given === undefined) {
    return { mode: mode && { value: mode, from: 'sentence', spans }, notes: [] }
  }
  const notes = mode && mode !== given
    ? [say(`句子要的是 ${mode}，参数是 ${given}，按参数。`,
      `The sentence asks for ${mode}, the parameter for ${given}; ${given} is used.`)] : []
  return { mode: { value: given, from: 'parameters', spans: mode === given ? spans : [] }, notes }
}
