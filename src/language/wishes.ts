/** Whether an item has what a sentence wishes or refuses, as far as its facts say. */
import type { Facts } from './facts.ts'
import { brandKey } from './facts/brands.ts'
import { colourKeys, isColour, isMaterial, materialKey } from './facts/looks.ts'
import type { Unit } from './facts/sizes.ts'
import { deniedGroup, groupOf, type Group } from './groups.ts'
import { getLexicon, keyOf } from './lexicon.ts'
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
  const absent = deniedGroup(word)
  if (absent) return absenceState(absent, word, facts)
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
    // What may be chosen is not what this one has: 无糖可选.
    if (!isCut && !text.startsWith('可选', at + word.length)) return true
  }
  return false
}

function absenceState(group: Group, word: string, facts: Facts): State {
  if (isDenied(group, facts) || synonymsOf(word).some((one) => states(facts, one))) return 'met'
  return contains(group, facts) ? 'against' : 'unknown'
}

const states = ({ stated }: Facts, word: string): boolean => says(stated, word)

const isDenied = ({ denials }: Group, facts: Facts): boolean =>
  denials.some((denial) => states(facts, denial))

const contains = ({ members }: Group, { stated }: Facts): boolean =>
  members.some((member) => saysPlainly(stated, member))

/** Whether goods say that they are free of what is refused. */
export const absenceOf = (group: Group, facts: Facts): State =>
  isDenied(group, facts) ? 'met' : contains(group, facts) ? 'against' : 'unknown'

/** Whether it has what must not be: 无糖 has no sugar, and 非塑料 is no plastic. */
export function isRefused({ anyOf, measure }: Wish, facts: Facts): boolean {
  if (measure) return measureState(measure, 0, facts) === 'met'
  return anyOf.some((said) => !VAGUE.test(said) && has(plainWord(said), facts))
}

function has(word: string, facts: Facts): boolean {
  if (facts.brands.has(brandKey(word)) || isOfKind(word, facts)) return true
  const group = groupOf(word)
  if (group) return !isDenied(group, facts) && contains(group, facts)
  if (isColour(word) && facts.colours.size > 0) {
    return colourKeys(word).some((key) => facts.colours.has(key))
  }
  return [word, ...isMaterial(word) ? [materialKey(word)] : synonymsOf(word)]
    .some((one) => one.length > 0 && saysPlainly(facts.stated, one))
}

const PARTICLES = new RegExp('(?:的|那种|这种|那些|款式?|类的?|系列|牌子?|品牌|家|味儿?|味道|口味|材质|颜色|做的|制的|制成|成分)+$'
  + '| (?:ones?|products?|brands?|things?|stuff|colou?rs?|flavou?rs?|styles?|types?|items?|made)$')

/** 黑的 and 黑 are 黑色. */
function plainWord(said: string): string {
  if (groupOf(said) || isColour(said)) return said
  const word = said.replace(PARTICLES, '') || said
  return word.length === 1 && isColour(`${word}色`) ? `${word}色` : word
}

const SURE_KIND = 0.85

/** 绿茶 refuses green tea whatever its title calls it. */
const isOfKind = (word: string, { kinds }: Facts): boolean =>
  (getLexicon().senses.get(keyOf(word)) ?? []).some(({ kind, weight }) =>
    weight > SURE_KIND && (kinds.get(kind) ?? 0) > SURE_KIND)

const NEGATION = /(?:[无不非免零0去抗防脱仿]|不含有?|[不未无零0]添?加|拒绝|没有|free of|no|non|without)[ -]?$/

function saysPlainly(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.slice(Math.max(0, at - 8), at)
    const after = text.slice(at + word.length, at + word.length + 5)
    if (!NEGATION.test(before) && !/^[- ]free(?![a-z])/.test(after)
      && says(text.slice(Math.max(0, at - 1), at + word.length + 1), word)) return true
  }
  return false
}
