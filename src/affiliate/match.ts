/**
 * Whether two items are the same product: how sure it is, and why. A contradiction (another model,
 * size, number, an accessory, a used one) makes it 0; a difference of appearance, or a statement of
 * one side alone, keeps it below the threshold.
 */
import type { Facts } from '../language/facts.ts'
import { stateOthers } from '../language/stated.ts'

export interface OfferMatch {
  /** 0..1; the same for both directions. */
  readonly confidence: number
  readonly reasons: readonly string[]
}

/** From here on two items are shown as one, and "lowest" may be claimed over both. */
export const SAME = 0.8
/** The most for a pair with a doubt. */
const DOUBT = 0.6

export function match(left: Facts, right: Facts): OfferMatch {
  const contradiction = contradictionOf(left, right)
  if (contradiction) return { confidence: 0, reasons: [contradiction] }
  const reasons: string[] = []
  const agree = (isSo: boolean, reason: string): boolean => {
    if (isSo) reasons.push(reason)
    return isSo
  }
  const isBrand = agree(meets(left.brands, right.brands), 'same brand')
  const isModel = agree(meets(left.models, right.models), 'same model')
  const isSize = agree(shareSizes(left, right), 'same size')
  const isCount = agree(left.pack.count !== null && left.pack.count === right.pack.count,
    'same number in a pack')
  const alike = likeness(left.tokens, right.tokens)
  const isText = agree(left.text === right.text, 'same title')
  if (!isText && alike >= 0.5) reasons.push(`titles ${Math.round(alike * 100)}% alike`)
  const evidence = isModel ? byModel(isBrand, isSize, alike)
    : byWords(left, right, { isBrand, isText, isSize, isCount, alike })
  const doubts = [...doubtsOf(left, right), ...evidence >= SAME && isOtherVariant(left, right)
    ? ['another variant'] : []]
  const confidence = doubts.length > 0 ? Math.min(evidence, DOUBT) : evidence
  return { confidence: Math.round(confidence * 100) / 100, reasons: [...reasons, ...doubts] }
}

/** Titles that differ in a size or a colour only share so much; other goods of a brand less. */
const VARIANT_ALIKE = 0.6

/** Whether two items are one product in different sizes, colours or packs, as far as titles say. */
export function areVariants(left: Facts, right: Facts): boolean {
  if (left.isUsed !== right.isUsed || left.isAccessory !== right.isAccessory
    || left.isPart !== right.isPart || !meets(left.brands, right.brands)
    || !meets(kindsOf(left), kindsOf(right))) return false
  return left.models.size + right.models.size > 0 ? meets(left.models, right.models)
    : likeness(left.tokens, right.tokens) >= VARIANT_ALIKE
}

const isOtherVariant = (left: Facts, right: Facts): boolean =>
  [...left.kinds.keys()].some((kind) =>
    right.kinds.has(kind) && stateOthers(kind, left.text, right.text))

const kindsOf = ({ kinds }: Facts): ReadonlySet<string> => new Set(kinds.keys())

const byModel = (isBrand: boolean, isSize: boolean, alike: number): number =>
  Math.min(1, (isBrand ? 0.86 : 0.72) + (isSize ? 0.06 : 0) + 0.08 * alike)

interface Evidence {
  readonly isBrand: boolean
  readonly isText: boolean
  readonly isSize: boolean
  readonly isCount: boolean
  readonly alike: number
}

/** Without a model: the same brand and nearly the same words. */
function byWords(left: Facts, right: Facts, evidence: Evidence): number {
  const { isBrand, isText, isSize, isCount, alike } = evidence
  if (left.models.size > 0 !== right.models.size > 0) return Math.min(DOUBT, alike)
  if (isText) return isBrand ? 0.97 : 0.9
  const isLead = left.lead !== null && left.lead === right.lead
  const base = (isBrand ? 0.3 : isLead ? 0.2 : 0) + (isSize ? 0.1 : 0) + (isCount ? 0.05 : 0)
  return Math.min(isBrand ? 0.95 : isLead ? 0.85 : 0.75, base + 0.65 * alike)
}

/** Why they cannot be the same, if they cannot; what most pairs differ in first. */
function contradictionOf(left: Facts, right: Facts): string | undefined {
  if (differ(left.models, right.models) || isOtherOfSeries(left, right)) return 'another model'
  if (left.isUsed !== right.isUsed) return 'one is used or refurbished'
  if (left.isAccessory !== right.isAccessory || left.isPart !== right.isPart) {
    return 'one is an accessory'
  }
  if (!equal(left.variants, right.variants)
    && (left.models.size > 0 || right.models.size > 0 || areKnown(left.variants, right.variants))) {
    return 'another version'
  }
  if (otherSize(left, right)) return 'another size'
  if (!sameCount(left.pack.count, right.pack.count)
    || !sameCount(left.pack.pieces, right.pack.pieces)) return 'another number in a pack'
  if (!equal(left.pack.bundles, right.pack.bundles)) return 'one is a bundle'
  return differ(left.brands, right.brands) && !namesBrand(left, right) && !namesBrand(right, left)
    ? 'another brand' : undefined
}

/** A brand from the other's field may be a word of the title. */
const namesBrand = (from: Facts, to: Facts): boolean => [...from.brands].some((brand) =>
  brand.length > 1 && (/^\p{Script=Han}/u.test(brand) ? to.text.includes(brand)
    : new RegExp(`(?<![a-z])${brand.replace(/[^a-z0-9]/g, '.?')}(?![a-z])`).test(to.text)))

/** Besides one that they share, each has one of its own of the same series: SM-9210, SM-9260. */
function isOtherOfSeries({ models: left }: Facts, { models: right }: Facts): boolean {
  if (left.size < 2 || right.size < 2) return false
  const series = (model: string): string => /^[a-z]+/.exec(model)?.[0] ?? ''
  const own = [...left].filter((model) => !right.has(model))
  return own.some((model) => [...right].some((other) =>
    !left.has(other) && series(other) === series(model) && series(model).length > 0))
}

/** True where neither side has all values of the other, of a unit that both state. */
function otherSize({ sizes: left }: Facts, { sizes: right }: Facts): boolean {
  for (const [unit, values] of left) {
    const others = right.get(unit)
    if (others && !within(values, others) && !within(others, values)) return true
  }
  return false
}

const shareSizes = ({ sizes: left }: Facts, { sizes: right }: Facts): boolean =>
  [...left].some(([unit, values]) => meets(values, right.get(unit) ?? new Set<number>()))

/** Without a number it is one. */
const sameCount = (left: number | null, right: number | null): boolean =>
  left === right || (left ?? 1) === (right ?? 1)

function doubtsOf(left: Facts, right: Facts): string[] {
  const unlike = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
    one.size > 0 && other.size > 0 && ![...one].some((word) =>
      [...other].some((also) => also.includes(word) || word.includes(also)))
  const doubts = [
    differ(left.colours, right.colours) && 'another colour',
    unlike(left.materials, right.materials) && 'another material',
    differ(left.years, right.years) && 'another year',
    differ(kindsOf(left), kindsOf(right)) && 'another kind of goods',
  ]
  return doubts.filter((doubt) => doubt !== false)
}

/** Jaccard: the share of common tokens of all tokens. */
function likeness(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0
  for (const token of left) if (right.has(token)) shared += 1
  const all = left.size + right.size - shared
  return all === 0 ? 0 : shared / all
}

const areKnown = (left: ReadonlySet<unknown>, right: ReadonlySet<unknown>): boolean =>
  left.size > 0 && right.size > 0
function meets<T>(left: ReadonlySet<T>, right: ReadonlySet<T>): boolean {
  for (const one of left) if (right.has(one)) return true
  return false
}
const differ = <T>(left: ReadonlySet<T>, right: ReadonlySet<T>): boolean =>
  areKnown(left, right) && !meets(left, right)
function within<T>(left: ReadonlySet<T>, right: ReadonlySet<T>): boolean {
  for (const one of left) if (!right.has(one)) return false
  return true
}
const equal = <T>(left: ReadonlySet<T>, right: ReadonlySet<T>): boolean =>
  left.size === right.size && within(left, right)
