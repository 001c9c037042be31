/** Values of goods for those whom a sentence names: 男童 of children's shoes, 中老年 of vitamins. */
import { taxonomy, valuesOf, type Attribute, type Audience } from '../../goods/taxonomy.ts'
import { areForOthers, audiencesIn, ofAge } from '../audience.ts'
import { fold } from '../fold.ts'
import { haveUnit } from '../profile.ts'
import type { Value } from '../understanding.ts'
import type { Place } from './claims.ts'
import type { DraftWish } from './draft.ts'

/** 男童运动鞋 names children's shoes, of which some are for boys. */
export function audienceNamed(
  text: string, { start, end }: Place, kinds: readonly string[],
): DraftWish[] {
  const wanted = audiencesIn(text.slice(start, end))
  const [first] = wanted
  if (!first) return []
  const values = suitedIn(kinds, wanted.map(({ audience }) => audience))
  const place = { start: start + first.start, end: start + first.end }
  return values.size > 0 ? [{ ...place, places: [place], values }] : []
}

/** A mother of seventy takes what is made for the old, where no age is stated. */
export function forAge(text: string, wish: DraftWish, kinds: readonly string[]): DraftWish {
  const months = wish.measure?.low
  if (wish.measure?.unit !== 'month' || wish.values || months == null || haveUnit(kinds, 'month')) {
    return wish
  }
  const stages = stagesOf(kinds, months)
  if (stages.size > 0) return { ...wish, values: stages }
  const said = audiencesIn(text.slice(wish.start, wish.end)).map(({ audience }) => audience)
  const wanted = said.length > 0 ? said : ofAge(months / MONTHS)
  const values = suitedIn(kinds, wanted)
  return wanted.length > 0 && values.size > 0 ? { ...wish, values } : wish
}

const MONTHS = 12
/** Dogs and cats are grown after a year, and old from seven on. */
const ANIMAL_STAGES = [[/^幼[犬猫年]/, 0], [/^成[犬猫年]|^室内/, MONTHS], [/^老年[犬猫]/, 7 * MONTHS]] as const
const ANY_STAGE = '全阶段'

/** 幼犬 for a dog of three months; what is for all stages does as well. */
const stagesOf = (kinds: readonly string[], months: number): Map<string, Value[]> =>
  new Map(kinds.flatMap((kind) => {
    const found = taxonomy().kinds.get(kind)?.attributes.find(({ values = [] }) =>
      values.some((value) => String(value) === ANY_STAGE))
    const texts = found?.values?.map((value) => fold(String(value))) ?? []
    const [stage] = ANIMAL_STAGES.filter(([name, least]) =>
      months >= least && texts.some((text) => name.test(text))).slice(-1)
    return !found || !stage ? [] : [[kind, texts.filter((text) =>
      text === ANY_STAGE || stage[0].test(text)).map((text) =>
      ({ text, attribute: found.name_zh }))] as const]
  }))

/** Kind → its values for those who are meant. */
const suitedIn = (kinds: readonly string[], wanted: readonly Audience[]): Map<string, Value[]> =>
  new Map(kinds.flatMap((kind) => {
    const suited = (taxonomy().kinds.get(kind)?.attributes ?? []).flatMap((attribute) =>
      suitedOf(attribute, wanted))
    return suited.length > 0 ? [[kind, suited] as const] : []
  }))

/** The values for those who are meant, of an attribute that parts them from others. */
function suitedOf({ name_zh, values = [] }: Attribute, wanted: readonly Audience[]): Value[] {
  const texts = values.map((value) => fold(String(value)))
  const suited = texts.filter((value) => {
    const made = audiencesIn(value).map(({ audience }) => audience)
    return made.length > 0 && !areForOthers(made, wanted)
  })
  const isParted = texts.some((value) => {
    const made = audiencesIn(value).map(({ audience }) => audience)
    return made.length > 0 && areForOthers(made, wanted)
  })
  // Of a woman, what is for women, and not what is for the pregnant.
  const own = suited.filter((value) =>
    audiencesIn(value).some(({ audience }) => wanted.includes(audience)))
  const made = own.length > 0 ? own : suited
  return isParted ? made.map((text) => ({ text, attribute: name_zh })) : []
}

const DENYING = /[不无非未没]/

/** "Waterproof jacket": of 冲锋衣 each tells how far, and so none has to say it. */
export function isOfAll({ values }: DraftWish, kind = ''): boolean {
  const own = values?.get(kind) ?? []
  if (own.length === 0 || own.some(({ attribute }) => attribute !== null)) return false
  const told = (taxonomy().kinds.get(kind)?.attributes ?? []).filter((attribute) =>
    attribute.name_zh.length > 1 && !valuesOf(attribute).some((one) => DENYING.test(String(one))))
  return own.every(({ text }) => told.some(({ name_zh }) => text.includes(fold(name_zh))))
}
