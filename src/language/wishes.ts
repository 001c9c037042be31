/** Whether an item has what a sentence wishes or refuses, as far as its facts say. */
import type { Facts } from './facts.ts'
import { brandKey } from './facts/brands.ts'
import { colourKeys, isColour, isMaterial, materialKey } from './facts/looks.ts'
import type { Unit } from './facts/sizes.ts'
import type { Measure, Wish } from './understanding.ts'
import { oppositesOf, synonymsOf } from './synonyms.ts'

export type State = 'met' | 'unknown' | 'against'

/** Units of sentences in the units of titles; g may be storage. */
const UNITS: Readonly<Record<string, readonly (readonly [Unit, number])[]>> = {
  g: [['g', 1], ['gb', 1]], tb: [['gb', 1024]], h: [['hour', 1]], 码: [['shoe', 1]],
  人: [['person', 1]], 人份: [['person', 1]], 层: [['layer', 1]], 级: [['grade', 1]],
  段: [['grade', 1]], 度: [['degree', 1]], 岁: [['year', 1]], '%': [['percent', 1]],
  页: [['page', 1]], 匹: [['w', 735]], 年: [['year', 1]], 个月: [['month', 1]],
}
const ABOUT = /左右|上下|约|大概|around|about|roughly/
const ABOUT_SHARE = 0.12
const COUNTED = /^[瓶罐盒袋包支条只双个枚卷桶听块节杯根本张粒颗片抽]装?$|件套|件装|^(?:packs?|count|ct)$/
/** Of what nobody can judge by a title: 太大, 太夸张, too heavy. */
const VAGUE = /^(?:太|过于|too )/

export function stateOf({ anyOf, measure, text }: Wish, facts: Facts): State {
  const states = [
    ...measure ? [measureState(measure, ABOUT.test(text) ? ABOUT_SHARE : 0, facts)] : [],
    ...anyOf.map((word) => wordState(word, facts, measure !== undefined)),
  ]
  return states.includes('met') ? 'met' : states.includes('against') ? 'against' : 'unknown'
}

function measureState({ low, high, unit }: Measure, slack: number, facts: Facts): State {
  const fits = (value: number, factor: number): boolean =>
    value >= (low ?? 0) * factor * (1 - slack) - 1e-9
    && value <= (high ?? Infinity) * factor * (1 + slack) + 1e-9
  let state: State = 'unknown'
  for (const [name, factor] of UNITS[unit] ?? [[unit as Unit, 1] as const]) {
    const values = facts.sizes.get(name)
    if (values && [...values].some((value) => fits(value, factor))) return 'met'
    if (values) state = 'against'
  }
  if (COUNTED.test(unit)) {
    const counts = [facts.pack.count, facts.pack.pieces].filter((count) => count !== null)
    if (counts.some((count) => fits(count, 1))) return 'met'
    if (counts.length > 0) state = 'against'
  }
  return state
}

function wordState(word: string, facts: Facts, isMeasure: boolean): State {
  if (!isMeasure && isColour(word)) {
    if (colourKeys(word).some((key) => facts.colours.has(key))) return 'met'
    return facts.said.includes(word) ? 'met' : facts.colours.size > 0 ? 'against' : 'unknown'
  }
  if (!isMeasure && isMaterial(word)) return materialState(word, facts)
  if (synonymsOf(word).some((one) => says(facts.said, one))) return 'met'
  return oppositesOf(word).some((one) => says(facts.said, one)) ? 'against' : 'unknown'
}

function materialState(word: string, { materials, said }: Facts): State {
  const key = materialKey(word)
  const isMet = says(said, word) || [...materials].some((material) => material.includes(key))
  return isMet ? 'met' : materials.size > 0 ? 'against' : 'unknown'
}

/** Latin words as words, Han anywhere. */
export function says(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isCut = /[a-z]/.test(word) && (/[a-z]/.test(text.charAt(at - 1))
      && /^[a-z]/.test(word) || /[a-z]/.test(text.charAt(at + word.length))
      && /[a-z]$/.test(word))
    if (!isCut) return true
  }
  return false
}

/** Whether it has what must not be: 无糖 has no sugar, and 非塑料 is no plastic. */
export function isRefused({ anyOf, measure }: Wish, facts: Facts): boolean {
  if (measure) return measureState(measure, 0, facts) === 'met'
  return anyOf.some((word) => !VAGUE.test(word) && (
    facts.brands.has(brandKey(word))
    || (isColour(word) && facts.colours.size > 0
      && colourKeys(word).some((key) => facts.colours.has(key)))
    || [word, ...isMaterial(word) ? [materialKey(word)] : synonymsOf(word)]
      .some((one) => one.length > 0 && saysPlainly(facts.said, one))))
}

const NEGATION = /(?:[无不非免零0去抗防]|不含|无添加|零添加|拒绝|没有|free of|no|non|without)[ -]?$/

function saysPlainly(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.slice(Math.max(0, at - 8), at)
    const after = text.slice(at + word.length, at + word.length + 5)
    if (!NEGATION.test(before) && !/^[- ]free(?![a-z])/.test(after)
      && says(text.slice(Math.max(0, at - 1), at + word.length + 1), word)) return true
  }
  return false
}
