/** What prices are to be compared by: 按斤算, 单抽价格, per 100 ml, by the sheet. */
import type { PerUnit } from '../understanding.ts'
import type { Place } from './claims.ts'
import { list } from './words.ts'

export interface FoundPer extends Place {
  /** Null where only "by the unit" was said: the goods tell which. */
  readonly per: PerUnit | null
}

const unit = (
  names: string, of: PerUnit['unit'], amount: number, zh: string, en: string,
): [string, PerUnit][] => list(names).map((name) => [name, { unit: of, amount, zh, en }])

const UNITS = new Map<string, PerUnit>([
  ...unit('斤|市斤', 'g', 500, '斤', '500 g'), ...unit('两', 'g', 50, '两', '50 g'),
  ...unit('公斤|千克|kg|kilo|kilogram|kilos', 'g', 1000, '公斤', 'kg'),
  ...unit('克|g|gram|grams', 'g', 1, '克', 'gram'),
  ...unit('百克|100克|100g|100 g|100 grams|hundred grams', 'g', 100, '100克', '100 g'),
  ...unit('pound|lb', 'g', 453.6, '磅', 'pound'), ...unit('ounce|oz', 'g', 28.35, '盎司', 'ounce'),
  ...unit('升|公升|l|liter|litre', 'ml', 1000, '升', 'litre'),
  ...unit('毫升|ml|millilitre|milliliter', 'ml', 1, '毫升', 'ml'),
  ...unit('百毫升|100毫升|100ml|100 ml', 'ml', 100, '100毫升', '100 ml'),
  ...[...'张抽片粒颗枚个只支根块条双贴件把节本枝']
    .flatMap((name) => unit(name, 'piece', 1, name, 'piece')),
  ...[...'包卷瓶盒罐袋提桶听箱']
    .flatMap((name) => unit(name, 'pack', 1, name, 'pack')),
  ...list('bottle|can|box|pack|packet|roll|carton|jar|case|tub|tube')
    .flatMap((name) => unit(name, 'pack', 1, '件', name)),
])
const WORD = `(${[...UNITS.keys()].filter((name) => /[^a-z ]/.test(name))
  .toSorted((left, right) => right.length - left.length).join('|')})`
const CHEAP = '最?(?:便宜|划算|实惠|低|省钱|合算|值)'
const COST = `(?:的?(?:单价|均价|价格?|成本)|多少钱|几块钱?|几毛钱?|${CHEAP}|哪[个种款]${CHEAP}|算|计|下来|均价)`
const FORMS: readonly RegExp[] = [
  // 按斤算, 按只最便宜.
  new RegExp(`(?:按照?|论|以)(?:每|单)?${WORD}(?:来|价)?(?:折?算|计算?|卖|比较?|买|论|换算)?`
    + '(?=$|[ ;,.。!?最哪谁便划价的下更比]|便宜|划算|合算)'),
  // 折合一片, 算下来一盒, 平均每包.
  new RegExp(`(?:折合|折算|换算|平均|均摊|分摊|算下来|摊下来|算起来|折)(?:下来|到|成|成到)?(?:每|一|单)?${WORD}`
    + `(?![\\d一二两三四五六七八九十])(?:的?价格?)?`),
  // 单抽价格最低, 一斤多少钱, 每升最便宜.
  new RegExp(`(?:每一?|单)${WORD}(?=${COST})(?:的?(?:单价|均价|价格?|成本)|下来|算|计)?`),
  new RegExp(`一${WORD}(?=的?(?:单价|均价|成本)|多少钱|几块钱?|几毛钱?|合多少`
    + `|最(?:便宜|划算|实惠)|(?:算|摊|均|折|合)(?:下来|起来|一下)?)(?:的?(?:单价|均价|成本)|(?:算|摊|均)下来)?`),
]
/** "Best value by weight": whatever the goods are weighed or measured by. */
const BY_SIZE = new RegExp('(?<![a-z])(?:by|per|for (?:the|its|their)) (?:weight|volume|size)'
  + '(?![a-z])'
  + '|按(?:重量|分量|容量|净含量)')
/** Where the cheapest is wished, 每升 needs no more. */
const EACH = new RegExp(`(?:每一?|单)${WORD}(?![\\d一二两三四五六七八九十不低少超最])`)
/** 一片尿不湿多少钱 asks for the price of one. */
const ONE = new RegExp(`(?:^|[ ,;])一${WORD}(?=.{1,8}(?:多少钱|最便宜(?:的)?(?:多少|是)))`)
const LATIN = new RegExp('(?<![a-z])(?:price |cost |costs )?'
  + '(?:per|by the|for each|a single|for one|for every) '
  + '((?:100 ?|hundred )?[a-z]+)(?![a-z])', 'g')
/** 30 yuan per piece is a budget. */
const AMOUNT_BEFORE = /(?:\d|yuan|rmb|cny|bucks|dollars?|euros?|pounds?|usd|each|max) ?$/
const NO_UNIT = new Set(list(`person|head|month|day|year|night|hour|guest|way|kid|child|time|week
  |set|me|my|us|her|him|the|a|an|this|that|lowest|cheapest|best|price`))
const PLAIN = /单价(?:最?低(?!于)|(?![不高低超大小在]))|单位价格|unit price|price per unit|per unit/
/** 一斤五块以内: what a unit may cost is no price of the goods; prices are compared by it. */
const UNIT_COST = new RegExp('(?:平均|折合|折算|换算|摊|算下来|算)?(?:下来)?(?:每|一)'
  + '(斤|公斤|千克|kg|升|百克|100克|100g|100毫升|100ml|片|张|抽|粒|颗)(?:的?价格|大概|大约|控制)?'
  + '(?:不到|不超过|低于|少于|在|最多)?[0-9一二两三四五六七八九十百点.]+(?:块|元|毛)[0-9一二三四五六七八九]?'
  + '(?:以内|以下|之内|左右|上下)?(?:的|$)?')
const CHEAPEST = new RegExp(`${CHEAP}|cheap|lowest|best (?:value|price|deal)|least|性价比`)

export function perUnitIn(text: string): FoundPer | undefined {
  const forms = CHEAPEST.test(text) ? [...FORMS, EACH, ONE] : [...FORMS, ONE]
  for (const form of [UNIT_COST, ...forms]) {
    const found = form.exec(text)
    if (found) return placed(found, UNITS.get(found[1] ?? '') ?? null)
  }
  const [latin] = [...text.matchAll(LATIN)].filter(({ 1: name = '', index }) =>
    !NO_UNIT.has(name) && name !== 'unit' && !AMOUNT_BEFORE.test(text.slice(0, index)))
  const name = latin?.[1] ?? ''
  if (latin && CHEAPEST.test(text)) {
    return placed(latin, UNITS.get(name) ?? UNITS.get(name.replace(/s$/, ''))
      ?? { unit: 'piece', amount: 1, zh: '件', en: name })
  }
  const plain = PLAIN.exec(text) ?? BY_SIZE.exec(text)
  // 单价200以内 is what one may cost.
  return plain && CHEAPEST.test(text) ? placed(plain, null) : undefined
}

const placed = ({ 0: words, index }: RegExpExecArray, per: PerUnit | null): FoundPer => {
  const start = index + (/^[ ,;]/.test(words) ? 1 : 0)
  return { start, end: index + words.length, per }
}
