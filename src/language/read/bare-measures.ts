/** Numbers that have no unit, and are told by what they are said of: 我穿37, "pack of 20". */
import { taxonomy } from '../../goods/taxonomy.ts'
import { haveUnit, profileOf } from '../profile.ts'
import { COUNTED_PARTS } from '../value-words.ts'
import type { Measure } from '../understanding.ts'
import type { Place } from './claims.ts'
import type { NumberWord } from './numbers.ts'

const NEAR = 16
const WORN = new RegExp('(?:(?:平时|一般|平常|日常|脚|鞋)?(?:是|都)?穿(?:的是|个)?|[的我他她爸妈公婆子]脚(?:是|大概)?'
  + '|(?<![a-z])(?:wears?|take|takes|i am|i\'m|he\'s|she\'s|foot|feet|eu)(?: an?| eu| size)* ?) ?$')
const FOOT = /^ ?(?:的大?|大)?脚(?!踏|垫|架|凳|轮)|^[ -](?:feet|foot|waist|neck|collar)(?![a-z])/
const SHOES = { least: 15, most: 50 } as const
/** Children's clothes are called by heights. */
const HEIGHTS = { least: 50, most: 180 } as const

/** 37 is a size of shoes where goods have such sizes. */
export function wornAt(
  text: string, { start, end, low, high }: NumberWord, kindsOf: () => readonly string[],
): (Place & { readonly measure: Measure }) | undefined {
  const before = WORN.exec(text.slice(Math.max(0, start - NEAR), start))?.[0]
  const behind = FOOT.exec(text.slice(end, end + NEAR))?.[0]
  // "Wears 5 inch heels".
  const isOther = behind === undefined && /^ ?[\d.%a-z]/.test(text.slice(end, end + 2))
  if ((before === undefined && behind === undefined) || isOther) return undefined
  const kinds = kindsOf()
  const place = { start: start - (before?.length ?? 0), end: end + (behind?.length ?? 0) }
  if (low >= SHOES.least && high <= SHOES.most && haveUnit(kinds, 'shoe')) {
    return { ...place, measure: { low, high, unit: 'shoe' } }
  }
  const isHeight = low >= HEIGHTS.least && high <= HEIGHTS.most && !haveUnit(kinds, 'shoe')
    && !haveUnit(kinds, 'letter') && haveUnit(kinds, 'mm') && low % 5 === 0
  const measure = { low: low * 10, high: high * 10, unit: 'mm' }
  return isHeight ? { ...place, measure } : undefined
}

const YOUNG = '儿子|女儿|闺女|弟弟|妹妹|孩子|娃|宝宝|孙子|孙女|侄子|侄女|外甥'
const OLD = '爸爸?|妈妈?|爷爷|奶奶|外公|外婆|姥姥|姥爷|老人家?|老爷子|老太太|父亲|母亲|公公|婆婆|岳父|岳母|老爸|老妈'
const AGED = new RegExp(`(?:(${YOUNG}|猫咪?|狗狗?|狗子|喵)|(${OLD}))(?:今年|都|也|快|刚|才|满|已经|大概|年纪|马上|虚岁)*$`
  + '|(?<![a-z])(?:(?:my|our|his|her|the) (?:[a-z]+ )?(cat|dog|kitten|puppy|son|daughter|boy|girl'
  + '|nephew|niece)|(?:my|our|his|her|the) (?:[a-z]+ )?(mum|mom|dad|mother|father|grandma|grandpa'
  + '|granny|grandmother|grandfather|aunt|uncle))(?: is|\'s| just| turned| turns| almost| now)+ $')
const AGE_BEHIND = /^(?:了|多了)?(?=$|[ ,;.。!?])(?! ?(?:cm|kg|yuan|rmb|块|元|码|pounds|lbs))/
const YEARS = { young: [1, 25], old: [45, 105] } as const

/** 儿子十五, "my cat is 14": years, of who can be so old. */
export function agedAt(
  text: string, { start, end, low, high }: NumberWord,
): (Place & { readonly measure: Measure }) | undefined {
  const found = AGED.exec(text.slice(Math.max(0, start - 2 * NEAR), start))
  if (!found || !AGE_BEHIND.test(text.slice(end, end + NEAR))) return undefined
  const [least, most] = found[1] ?? found[3] ? YEARS.young : YEARS.old
  return low >= least && high <= most
    ? { start, end, measure: { low: low * 12, high: high * 12, unit: 'month' } } : undefined
}

const PACK_BEFORE =
  /(?<![a-z])(?:packs?|box(?:es)?|sets?|cases?|bags?|cartons?|bundles?|tubs?) of $/
const PACK_BEHIND = /^[ -]?(?:packs?|count|ct|pk|per (?:pack|box|bag))(?![a-z])/
/** What is counted in goods. */
const COUNTED = /^[瓶罐盒袋包支条只双个枚卷桶听块节杯根本张粒颗片抽件枝贴对把套册份副]$/

/** "Pack of 20", "box of 24", 20-count: how many the goods have of what they count. */
export function packAt(
  text: string, { start, end, low, high }: NumberWord, kindsOf: () => readonly string[],
): (Place & { readonly measure: Measure }) | undefined {
  const before = PACK_BEFORE.exec(text.slice(Math.max(0, start - NEAR), start))?.[0]
  const behind = before === undefined ? PACK_BEHIND.exec(text.slice(end, end + NEAR))?.[0] : ''
  if (behind === undefined || low !== high) return undefined
  for (const kind of kindsOf()) {
    for (const { written } of profileOf(kind).attributes) {
      const value = written.get(low)
      if (!value || !COUNTED.test(value.unit)) continue
      return { start: start - (before?.length ?? 0), end: end + behind.length,
        measure: { low, high, unit: value.unit } }
    }
  }
  return undefined
}

/** What puzzles and bricks are counted in. */
const PIECES = ['片', '粒', '颗', '块']
const MONEY = /^(?:钱|大洋|以[内下]|之[内下]|封顶|预算)/
const FEN = 100

/** 1000块的拼图: a number of pieces that such goods have, and more yuan than any of them costs. */
export function puzzleCountAt(
  text: string, { low, end }: NumberWord, kindsOf: () => readonly string[],
): { readonly end: number, readonly unit: string, readonly factor: number } | undefined {
  if (text.charAt(end) !== '块' || MONEY.test(text.slice(end + 1))) return undefined
  for (const kind of kindsOf()) {
    const counted = profileOf(kind).attributes.flatMap(({ written }) => written.get(low) ?? [])
      .find(({ unit }) => PIECES.includes(unit))
    const most = taxonomy().kinds.get(kind)?.price.max ?? Infinity
    if (counted && low * FEN > most) return { end: end + 1, unit: counted.unit, factor: 1 }
  }
  return undefined
}

const NOUN = /^[ -]([a-z]{3,})(?![a-z]| of(?![a-z]))/

/** "4 slices" of a toaster, "48 colours" of pencils: what such goods have a number of. */
export function partsAt(
  text: string, { end }: NumberWord, kindsOf: () => readonly string[],
): { readonly end: number, readonly unit: string, readonly factor: 1 } | undefined {
  const [, noun = ''] = NOUN.exec(text.slice(end, end + NEAR)) ?? []
  const parts = PARTS_CALLED.get(noun)
  const unit = parts && kindsOf().flatMap((kind) => profileOf(kind).attributes)
    .flatMap(({ values }) => values).find((value) => parts.includes(value.unit))?.unit
  return unit === undefined ? undefined : { end: end + 1 + noun.length, unit, factor: 1 }
}

/** English nouns, in both numbers, with the units of values that count such parts. */
const PARTS_CALLED = new Map<string, string[]>()
for (const [unit, nouns] of COUNTED_PARTS) {
  for (const noun of nouns.flatMap((one) => [one, `${one}s`])) {
    PARTS_CALLED.set(noun, [...PARTS_CALLED.get(noun) ?? [], unit])
  }
}
