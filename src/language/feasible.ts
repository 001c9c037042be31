/** What a demanded measure says of the kinds that may be meant, and they of it. */
import { likelyKinds } from './likely-kinds.ts'
import { taxonomy } from '../goods/taxonomy.ts'
import { haveUnit, profileOf, type AttributeValues } from './profile.ts'
import type { Guess, Measure, PerUnit } from './understanding.ts'
import { SAME_UNITS } from './units.ts'

/** How far a demand may lie outside all values that goods state, and still be of these. */
const REACH = 1.5
/** A kind that has no such measure is so much less likely, and one without its unit. */
const CANNOT = 0.3
const NEVER = 0.1
/** Kinds so much less likely than the first state nothing that counts. */
const HALF = 0.5

/** Kinds that state what is demanded come before those that do not. */
export function likelyWith(
  kinds: readonly Guess<string>[], measures: readonly Measure[],
): readonly Guess<string>[] {
  if (measures.length === 0 || kinds.length < 2) return kinds
  // What no kind has tells none of them apart.
  const told = measures.filter((measure) => kinds.some(({ value }) => haveMeasure(value, measure)))
  const shareOf = (kind: string, measure: Measure): number =>
    haveMeasure(kind, measure) || inCups(measure, [kind]) ? 1
      : profileOf(kind).attributes.some((one) => hasUnit(one, measure)) ? CANNOT : NEVER
  const shares = kinds.map(({ value }) =>
    told.reduce((share, measure) => share * shareOf(value, measure), 1))
  const most = Math.max(...shares)
  if (shares.every((share) => share === most)) return kinds
  return kinds.map((one, at) => ({ ...one,
    confidence: Math.round(one.confidence * (shares[at] ?? 0) / most * 100) / 100 }))
    .filter(({ confidence }) => confidence > 0)
    .sort((left, right) => right.confidence - left.confidence)
}

/**
 * 6mm以上 of a yoga mat ends where its thicknesses end: the length of the mat is stated in
 * millimetres, too.
 */
export function withinValues(measure: Measure, kind: string | undefined): Measure {
  const { low, high } = measure
  if (kind === undefined || (low !== null) === (high !== null)) return measure
  const all = profileOf(kind).attributes.filter((one) => hasUnit(one, measure))
  const [attribute] = attributesFor(kind, measure)
  if (all.length < 2 || !attribute) return measure
  const [least, most] = rangeOf(attribute)
  return low === null ? { ...measure, low: least / REACH } : { ...measure, high: most * REACH }
}

/** 300乘600 of tiles are millimetres; without a unit centimetres are read. */
export function inMillimetres(
  sides: readonly Measure[], kind: string | undefined,
): readonly Measure[] {
  const small = sides.map((one) => one.unit === 'mm' ? scaled(one, 0.1, 'mm') : one)
  const isSmall = kind !== undefined && sides.length > 1
    && !sides.some((one) => attributesFor(kind, one).length > 0)
    && small.every((one) => attributesFor(kind, one).length > 0)
  return isSmall ? small : sides
}

const BEDS = { least: 800, most: 2400 } as const

/** 2米×1.5米 of what is called by the bed that it fits: a bed is longer than wide. */
export function asBedWidth(
  sides: readonly Measure[], kind: string | undefined,
): readonly Measure[] {
  const [one, other] = sides
  const isBed = one?.low != null && other?.low != null && sides.every(({ low, unit }) =>
    unit === 'mm' && (low ?? 0) >= BEDS.least && (low ?? 0) <= BEDS.most)
    && kind !== undefined && profileOf(kind).attributes.some(({ names }) =>
    names.includes('适用床'))
  return isBed ? [(one.low ?? 0) < (other.low ?? 0) ? one : other] : sides
}

/** What goods bear, cover or last: of these the next larger does as well. */
const CAPABLE = /承重|载重|负重|续航|待机|覆盖|面积|里程|距离|吨位|体重/

/** Of a room, however large. */
const COVERED = /覆盖|适用面积/

/** 一百三十公斤 of who runs, where treadmills bear 120 or 150. */
export function reached(measure: Measure, kind: string | undefined): Measure {
  const { low, high } = measure
  if (kind === undefined || low === null || low !== high) return measure
  const [attribute] = attributesFor(kind, measure)
  if (!attribute || !CAPABLE.test(attribute.names[0] ?? '')) return measure
  const isStated = attribute.values.some((one) => unitsOf(measure).some(([unit, factor]) =>
    unit === one.unit && one.low <= low * factor && one.high >= low * factor))
  return isStated && !COVERED.test(attribute.names[0] ?? '') ? measure : { ...measure, high: null }
}

/** Of liquids a litre is taken for a kilogram; alcohol of 75度 has 75 %. */
const ALSO_IN: Readonly<Record<string, string>> = { g: 'ml', ml: 'g', degree: 'percent' }
/** Sizes of children's clothes that are heights: 110码. */
const HEIGHT = { least: 50, most: 180 } as const

/** In the unit in which the goods state it: 110码 in centimetres, 3kg in litres, 75度 in percent. */
export function inUnits(measure: Measure, kinds: readonly Guess<string>[]): Measure {
  const likely = likelyKinds(kinds, HALF)
  const { low, high, unit } = measure
  if (likely.length === 0) return measure
  const number = low ?? high ?? 0
  if (unit === 'shoe' && number >= HEIGHT.least && number <= HEIGHT.most
    && !haveUnit(likely, 'shoe') && haveUnit(likely, 'mm')) return scaled(measure, 10, 'mm')
  // Shoes come in whole sizes: 42码半 is between two of them.
  if (unit === 'shoe' && !Number.isInteger(number)) {
    return { ...measure, low: low && Math.floor(low), high: high && Math.ceil(high) }
  }
  const cups = inCups(measure, likely.slice(0, 1))
  if (cups) return cups
  const other = ALSO_IN[unit]
  const isStorage = unitsOf(measure).some(([name]) => name === 'gb' && haveUnit(likely, name))
  if (isStorage && low !== null && low === high && low % 1000 === 0) {
    return scaled(measure, 1.024, 'gb')
  }
  if (other && !isStorage && !haveUnit(likely, unit) && haveUnit(likely, other)) {
    return scaled(measure, 1, other)
  }
  // Of -25 degrees the coldest that is stated comes nearest.
  if (unit === 'celsius' && high !== null) {
    const least = Math.min(...likely.flatMap((kind) => profileOf(kind).attributes)
      .flatMap(({ values }) => values).filter((value) => value.unit === unit).map((one) => one.low))
    return Number.isFinite(least) ? { ...measure, high: Math.max(high, least) } : measure
  }
  return measure
}

/** XL among letters, and 85 of bands, of which ten times as much is counted. */
const LARGE = { letter: 5, cup: 850 } as const

/** 大码 of what comes in 75B and 85C. */
function inCups(measure: Measure, kinds: readonly string[]): Measure | undefined {
  const { low, high, unit } = measure
  const isLarge = unit === 'letter' && high === null && low !== null && low >= LARGE.letter
  return isLarge && kinds.some(comesInCups) && !haveUnit(kinds, 'letter')
    ? { ...measure, low: LARGE.cup, unit: 'cup' } : undefined
}

/** 75D of stockings is how dense they are. */
const comesInCups = (kind: string): boolean => profileOf(kind).attributes
  .some(({ names, values }) => names.includes('尺码') && values.some(({ unit }) => unit === 'cup'))

const scaled = (measure: Measure, factor: number, unit: string): Measure => {
  const { low, high } = measure
  return { ...measure, low: low === null ? null : low * factor,
    high: high === null ? null : high * factor, unit }
}

/** Formula is told by stages, not by months. */
const FORMULA_STAGES = [6, 12, 36]

export function inStages(measure: Measure, kinds: readonly Guess<string>[]): Measure {
  const { low, high, unit } = measure
  const likely = likelyKinds(kinds, HALF)
  if (unit !== 'month' || haveUnit(likely, 'month') || !haveUnit(likely, 'grade')) return measure
  const stage = (month: number | null): number | null => month === null ? null
    : 1 + FORMULA_STAGES.filter((end) => month > end).length
  return { ...measure, low: stage(low), high: stage(high), unit: 'grade' }
}

const unitsOf = ({ unit }: Measure): readonly (readonly [string, number])[] =>
  SAME_UNITS[unit] ?? [[unit, 1]]

const hasUnit = ({ values }: AttributeValues, measure: Measure): boolean =>
  values.some(({ unit }) => unitsOf(measure).some(([name]) => name === unit))

/** Attributes that have a value of the unit and of the size. */
const attributesFor = (kind: string, measure: Measure): AttributeValues[] =>
  profileOf(kind).attributes.filter((attribute) => isAbout(attribute, measure))

/** Whether goods of the kind state a measure of the unit and of about the size. */
export const haveMeasure = (kind: string, measure: Measure): boolean =>
  profileOf(kind).attributes.some((attribute) => isAbout(attribute, measure))

function isAbout(attribute: AttributeValues, measure: Measure): boolean {
  const factor = unitsOf(measure).find(([name]) =>
    attribute.values.some(({ unit }) => unit === name))?.[1]
  if (factor === undefined) return false
  const [least, most] = rangeOf(attribute)
  const low = measure.low ?? measure.high ?? 0
  const high = measure.high ?? measure.low ?? 0
  return high * factor * REACH >= least && low * factor <= most * REACH
}

/** Whether what is so measured varies within a product, as the length of a cable does. */
export function variesIn(kind: string, measure: Measure): boolean {
  const stated = taxonomy().kinds.get(kind)?.attributes.filter((_, at) => {
    const attribute = profileOf(kind).attributes[at]
    return attribute !== undefined && hasUnit(attribute, measure)
  }) ?? []
  return stated.length > 0 && stated.every(({ variant }) => variant === true)
}

function rangeOf({ values }: AttributeValues): readonly [least: number, most: number] {
  let [least, most] = [Infinity, -Infinity]
  for (const { low, high } of values) {
    least = Math.min(least, low)
    most = Math.max(most, Number.isFinite(high) ? high : low)
  }
  return [least, most]
}

const UNITS: readonly PerUnit[] = [
  { unit: 'g', amount: 100, zh: '100克', en: '100 g' },
  { unit: 'ml', amount: 100, zh: '100毫升', en: '100 ml' },
]

/** What goods of the kind are compared by, where only "unit price" was said. */
export const usualUnit = (kind: string | undefined): PerUnit =>
  UNITS.find(({ unit }) => kind !== undefined && profileOf(kind).attributes.some(({ values }) =>
    values.some((value) => value.unit === unit)))
    ?? { unit: 'piece', amount: 1, zh: '件', en: 'piece' }
