/** Whether an item has what a sentence wishes or refuses, as far as its facts say. */
import type { Facts } from './facts.ts'
import { brandKey } from './facts/brands.ts'
import { askedShade, colourKeys, isColour, isMaterial, materialKey } from './facts/appearance.ts'
import { deniedGroup, groupOf, type Group } from './groups.ts'
import { taxonomy } from '../goods/taxonomy.ts'
import { fold } from './fold.ts'
import { hanNumberAt } from './read/han-numbers.ts'
import { getLexicon, keyOf } from './lexicon.ts'
import type { Range } from './measures.ts'
import { profileOf } from './profile.ts'
import { says, saysPlainly } from './contains-word.ts'
import type { Measure, Wish } from './understanding.ts'
import { oppositesOf, synonymsOf } from './synonyms.ts'
import { SAME_UNITS } from './units.ts'
import { holds, type Holding } from './held-values.ts'

export type State = 'met' | 'unknown' | 'against'

const ABOUT = /左右|上下|约|大概|around|about|roughly/
const ABOUT_SHARE = 0.12
/** 15 metres are 50 feet. */
const FOREIGN = new RegExp('\\d ?-?(?:ft|feet|foot|yards?|oz|ounces?|lbs?|pounds?|gallons?'
  + '|quarts?|pints?)(?![a-z])', 'i')
const METRIC: ReadonlySet<string> = new Set(['mm', 'ml', 'g'])
const FOREIGN_SHARE = 0.06
const COUNTED = /^[瓶罐盒袋包支条只双个枚卷桶听块节杯根本张粒颗片抽件]$|^(?:packs?|count|ct)$/
/** A value is what was read of it: XL is not in 3XL, nor 6个月 in 6个月以上. */
const NUMBERED = /[\d一二两三四五六七八九十半单双]|^x*[sml]$/
/** 小 of 24小时 is no size. */
const ONE_HAN = /^\p{Script=Han}$/u
/** Of what nobody can judge by a title: 太大, 太夸张, too heavy. */
const VAGUE = /^(?:太|过于|too )/

/** What the goods hold of the values that the wish names, where it names any of their kind. */
function holdingOf({ values }: Wish, facts: Facts): Holding | undefined {
  if (!values) return undefined
  let surest: string | undefined
  for (const [kind, weight] of facts.kinds) {
    if (values.has(kind) && weight > (facts.kinds.get(surest ?? '') ?? 0)) surest = kind
  }
  const own = values.get(surest ?? '') ?? []
  return surest === undefined || own.length === 0 ? undefined : holds(surest, own, facts)
}

export function stateOf(wish: Wish, facts: Facts): State {
  const holding = holdingOf(wish, facts)
  if (holding === 'has') return 'met'
  const { anyOf, measure, more = [], text } = wish
  if (holding === 'other' && !measure) return isOfHue(wish, facts) ? 'met' : 'against'
  if (!measure) return best(anyOf.map((word) => wordState(word, facts, false)))
  const slack = ABOUT.test(text) ? ABOUT_SHARE
    : METRIC.has(measure.unit) && FOREIGN.test(text) ? FOREIGN_SHARE : 0
  // 230×250 has one of the two of 250×250.
  const isSquare = more.some(({ low, unit }) => low === measure.low && unit === measure.unit)
  if (isSquare && measure.unit === 'mm') return squareState(measure, facts)
  const state = worst([measure, ...more].map((one) => measureState(one, slack, facts)))
  // A word with its number says no more than the number that was read from it.
  const words = anyOf.filter((word) => !ONE_HAN.test(word)
    && (state === 'unknown' || !NUMBERED.test(word)))
  return best([state, ...words.map((word) => wordState(word, facts, true))])
}

/** 正红 is that red and no other. */
const EXACT_COLOUR = /[正纯]|(?<![a-z])(?:pure|true)(?![a-z])/

/** 藏青 and 浅蓝 are 蓝色, but neither is 正蓝 nor 深蓝 both. */
const isOfHue = ({ anyOf, text, isStrict }: Wish, facts: Facts): boolean =>
  isStrict !== true && anyOf.length > 0 && anyOf.every(isColour) && !EXACT_COLOUR.test(text)
    && best(anyOf.map((word) => wordState(word, facts, false))) === 'met'

const SIZE = /(\d+(?:\.\d+)?) ?(?:mm|cm|m|米|厘米)?[×x*](\d+(?:\.\d+)?)/g
/** Of millimetres, centimetres and metres. */
const SCALES = [1, 10, 1000]

function squareState({ low }: Measure, { said }: Facts): State {
  const sizes = [...said.matchAll(SIZE)]
  const isSquare = sizes.some(([, one, other]) => one === other
    && SCALES.some((scale) => Math.abs(Number(one) * scale - (low ?? 0)) < 1e-6))
  return isSquare ? 'met' : sizes.length > 0 ? 'against' : 'unknown'
}

/** Whether goods say that they have another value than those that are refused. */
export function avoids(wish: Wish, facts: Facts): State {
  const holding = holdingOf(wish, facts)
  return holding === 'other' ? 'met' : holding === 'has' ? 'against' : 'unknown'
}

const best = (states: readonly State[]): State =>
  states.includes('met') ? 'met' : states.includes('against') ? 'against' : 'unknown'
const worst = (states: readonly State[]): State =>
  states.includes('against') ? 'against' : states.includes('unknown') ? 'unknown' : 'met'

function measureState(
  { low, high, unit, isBeyond }: Measure, slack: number, facts: Facts,
): State {
  const edge = isBeyond ? -1e-9 : 1e-9
  const fits = (one: Range, factor: number): boolean => overlap(one, {
    low: (low ?? (high !== null && high < 0 ? -Infinity : 0)) * factor * (1 - slack) - edge,
    high: (high ?? Infinity) * factor * (1 + slack) + edge,
  }, unit === 'month')
  let state: State = 'unknown'
  for (const [name, factor] of SAME_UNITS[unit] ?? [[unit, 1] as const]) {
    const values = valuesOf(name, facts)
    if (values?.some((value) => fits(value, factor))) return 'met'
    if (values) state = 'against'
  }
  if (COUNTED.test(unit) && state !== 'against') {
    const { count, pieces } = facts.pack
    const counts = [count, pieces].filter((one) => one !== null)
    if (counts.some((one) => fits({ low: one, high: one }, 1))) return 'met'
    if (counts.length > 0) state = 'against'
  }
  return state
}

/** Of these goods say how many they have in characters, too: 双层, 三格, 五档. */
const PARTS: ReadonlyMap<string, string> = new Map([['layer', '层'], ['grade', '段'],
  ...[...'格档孔口门头键步轮抽位速倍音骨'].map((part): [string, string] => [part, part])])
const ONE_PART = new RegExp(String.raw`(?<![\d.十百千万])([单双一二两三四五六七八九十])(\p{L})(?![牛羊]?皮)`, 'gu')

/** What the goods state in a unit. */
function valuesOf(unit: string, { values, said }: Facts): readonly Range[] | undefined {
  const stated = values.get(unit)
  const part = PARTS.get(unit)
  if (stated || part === undefined || !said.includes(part)) return stated
  const counts = [...said.matchAll(ONE_PART)].filter(([, , noun]) => noun === part)
    .map(([, count = '']) => ({ 单: 1, 双: 2 })[count] ?? hanNumberAt(count, 0)?.low ?? 0)
  return counts.length === 0 ? undefined : counts.map((count) => ({ low: count, high: count }))
}

/** Beyond this nothing is near: twice as much. */
const FAR = Math.log(2)

/** Of what is worn each size is as far from the next; so many steps are half as near. */
const WORN: ReadonlySet<string> = new Set(['shoe', 'letter'])
const STEPS_HALF = 3

/** 1 where the nearest value of an item is the measure, 0 where it is twice as much or half. */
export function nearnessOf({ measure, more = [] }: Wish, facts: Facts): number {
  if (!measure) return 0
  const all = [measure, ...more].map((one) => nearnessTo(one, facts))
  return all.reduce((sum, one) => sum + one, 0) / all.length
}

function nearnessTo(measure: Measure, facts: Facts): number {
  const [low, high] = [measure.low ?? 0, measure.high ?? Infinity]
  if (WORN.has(measure.unit)) {
    const steps = (facts.values.get(measure.unit) ?? []).map((one) =>
      Math.max(0, low - one.high, one.low - high))
    return STEPS_HALF / (STEPS_HALF + Math.min(Infinity, ...steps))
  }
  const distances = (SAME_UNITS[measure.unit] ?? [[measure.unit, 1] as const])
    .flatMap(([name, factor]) => (valuesOf(name, facts) ?? []).map((one) =>
      one.high < low * factor ? Math.log(low * factor / Math.max(one.high, 1e-6))
        : one.low > high * factor ? Math.log(one.low / Math.max(high * factor, 1e-6)) : 0))
  return 1 - Math.min(FAR, ...distances) / FAR
}

/** Two ranges have a third of the shorter in common: 3-6个月 is not 0-3个月. */
function overlap(one: Range, other: Range, isWhole: boolean): boolean {
  const common = Math.min(one.high, other.high) - Math.max(one.low, other.low)
  const shorter = Math.min(one.high - one.low, other.high - other.low)
  // A stand for 11 to 17.3 inches holds 17; who is three will be too old for 0-3岁.
  if (other.high === Infinity && !isWhole) return common >= 0
  return shorter > 1e-6 && Number.isFinite(shorter) ? common >= shorter / 3 : common >= 0
}

function wordState(word: string, facts: Facts, isMeasure: boolean): State {
  if (!isMeasure && isColour(word)) {
    const keys = colourKeys(word)
    const shade = askedShade(word)
    const isMet = (keys.length === 0 || keys.some((key) => facts.colours.has(key)))
      && (shade === undefined || facts.shades.has(shade)) && keys.length + (shade ? 1 : 0) > 0
    if (isMet || facts.said.includes(word)) return 'met'
    return facts.colours.size > 0 ? 'against' : 'unknown'
  }
  if (!isMeasure && isMaterial(word)) return materialState(word, facts)
  const absent = deniedGroup(word)
  if (absent) return absenceState(absent, word, facts)
  if (synonymsOf(word).some((one) => says(facts.said, one))) return 'met'
  return oppositesOf(word).some((one) => says(facts.said, one)) ? 'against' : 'unknown'
}

function materialState(word: string, { materials, said }: Facts): State {
  const key = materialKey(word)
  const isMet = synonymsOf(word).some((one) => says(said, one))
    || [...materials].some((material) => material.includes(key))
  return isMet ? 'met' : materials.size > 0 ? 'against' : 'unknown'
}

function absenceState(group: Group, word: string, facts: Facts): State {
  if (isDenied(group, facts) || synonymsOf(word).some((one) => states(facts, one))) return 'met'
  return contains(group, facts) ? 'against' : 'unknown'
}

const states = ({ stated }: Facts, word: string): boolean => says(stated, word)

const isDenied = ({ denials, surely = [] }: Group, facts: Facts): boolean =>
  denials.some((denial) => states(facts, denial))
    && !surely.some((member) => saysPlainly(facts.stated, member))

const contains = ({ members, form }: Group, { stated }: Pick<Facts, 'stated'>): boolean =>
  members.some((member) => saysPlainly(stated, member)) || (form?.test(stated) ?? false)

/** Whether goods say that they are free of what is refused. */
export const absenceOf = (group: Group, facts: Facts): State =>
  isDenied(group, facts) ? 'met' : contains(group, facts) ? 'against' : 'unknown'

/** Whether it has what must not be: 无糖 has no sugar, and 非塑料 is no plastic. */
export function isRefused(wish: Wish, facts: Facts): boolean {
  const { anyOf, measure, more = [] } = wish
  const holding = holdingOf(wish, facts)
  if (holding === 'has') return true
  if (measure) {
    return [measure, ...more].every((one) => measureState(one, 0, facts) === 'met')
  }
  return anyOf.some((said) => !VAGUE.test(said)
    && has(plainWord(said), facts, holding === 'other'))
}

/** `isOther`: 船袜 is a value of socks, which have another, and their name as well. */
function has(word: string, facts: Facts, isOther: boolean): boolean {
  if (facts.brands.has(brandKey(word)) || (!isOther && isOfKind(word, facts))) return true
  const group = groupOf(word)
  // A 皮带 of canvas is leather by its name only.
  if (group) return !isDenied(group, facts) && contains(group,
    !group.isInNames && (isOther || isMaterial(word)) ? unnamed(facts) : facts)
  if (isColour(word) && facts.colours.size > 0) {
    return colourKeys(word).some((key) => facts.colours.has(key))
  }
  return [word, ...isMaterial(word) ? [materialKey(word)] : synonymsOf(word)]
    .some((one) => one.length > 0 && saysPlainly(facts.stated, one))
}

/** What is stated besides the names of the goods. */
const unnamed = ({ stated, kinds }: Facts): Pick<Facts, 'stated'> => ({
  stated: [...kinds.keys()].reduce((text, kind) =>
    text.replaceAll(fold(taxonomy().kinds.get(kind)?.name_zh ?? ' '), ' '), stated) })

const PARTICLES = new RegExp('(?:的|那种|这种|那些|款式?|类的?|系列|牌子?|品牌|家|味儿?|味道|口味|材质|颜色|做的|制的|制成|成分)+$'
  + '| (?:ones?|kinds?|sorts?|products?|'
  + 'brands?|things?|stuff|colou?rs?|flavou?rs?|styles?|types?|items?'
  + '|made)$')

/** 黑的 and 黑 are 黑色. */
function plainWord(said: string): string {
  if (groupOf(said) || isColour(said)) return said
  const word = said.replace(PARTICLES, '') || said
  return word.length === 1 && isColour(`${word}色`) ? `${word}色` : word
}

const SURE_KIND = 0.85

/** 绿茶 refuses green tea whatever its title calls it; 毛尖 is one of several green teas. */
const isOfKind = (word: string, { kinds }: Facts): boolean =>
  (getLexicon().senses.get(keyOf(word)) ?? []).some(({ kind, weight }) =>
    weight > SURE_KIND && (kinds.get(kind) ?? 0) > SURE_KIND && !profileOf(kind).values.has(word))
