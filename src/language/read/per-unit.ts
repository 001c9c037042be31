/** What prices are to be compared by: 按斤算, 单抽价格, per 100 ml, by the sheet. */
import type { PerUnit } from '../understanding.ts'
import type { Place } from './claims.ts'
import { list } from './words.ts'

export interface FoundPer extends Place {
  /** Null where only "by the unit" was said: the goods tell which. */
  readonly per: PerUnit | null
  /** It stands beside what one may cost. */
  readonly isLimit?: true
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
  new RegExp(`(?:按照?|论|以)(?:每|单)?${WORD}(?:来|价)?(?:折?算|计算?|卖|比较?|买|论|换算)?(?:一下|看看)?`
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
const CHEAPEST = new RegExp(`${CHEAP}|cheap|lowest|best (?:value|price|deal)|least|性价比`)

export function perUnitIn(text: string): FoundPer | undefined {
  const forms = CHEAPEST.test(text) ? [...FORMS, EACH, ONE] : [...FORMS, ONE]
  const limit = limitIn(text)
  if (limit) return limit
  for (const form of forms) {
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

const namesOf = (test: (name: string, per: PerUnit) => boolean): string => [...UNITS]
  .filter(([name, per]) => test(name, per)).map(([name]) => name)
  .toSorted((left, right) => right.length - left.length).join('|')
const isSize = ({ unit }: PerUnit): boolean => unit === 'g' || unit === 'ml'
const MEAN = '(?:(?:平均|折合|折算|换算|均摊|分摊|算下来|摊下来|合下来|摊|合|折)(?:下来|到|成)?(?:每|一|单)?'
/** Of a piece it depends on the goods whether it is one of a pack, unless it is said: 平均一包. */
const ONE_OF = new RegExp(`${MEAN}(${namesOf((name) => !/[ ]/.test(name))})|(?:每一?|一|单)`
  + `(${namesOf((_, per) => isSize(per))}))(?<!两(?=[十百千万]))(?:的?(?:价格?|单价|均价|成本))?`, 'g')
const COMPARED = '(?:不要|不能|不可以?|不得|不|别|勿|要|能|可以|该|得|想|超过|超出?|[高大多贵]于|贵过|过|到|[低少小]于|最[多高贵]|顶多|至多'
  + '|控制|保持|压|限|定|在|为|是|大概|大约|约|差不多|就|都|也|只|:| )*'
const PRICE = '[¥$]?[\\d一二两三四五六七八九十百点.]+(?:(?:-|~|到|至)[\\d一二两三四五六七八九十百点.]+)?'
/** 不超过三块: it compares, or says that it is money. */
const COSTS = new RegExp(`^(?:(?=${COMPARED}(?:超|于|贵过|不过|最|顶多|至多|控制|压|限|不到))${COMPARED}${PRICE}`
  + `|${COMPARED}${PRICE} ?(?:块|元|毛|角|rmb|yuan|cny|刀|美元|以内|以下|之内|左右|上下|封顶|内))`)
/** 五块一斤, 十块以内每公斤. */
const COST_BEFORE = /(?:块|元|毛|角|钱|[块元][\d一二两三四五六七八九]|以内|以下|之内|左右|上下|rmb|yuan|cny|\d) ?的?$/
const ONE_LATIN = new RegExp(`(?<![a-z])(?:per|an?|each|every|for an?|/) ?(${namesOf((name, per) =>
  isSize(per) && /^[\da-z ]+$/.test(name))})(?![a-z])`, 'g')
const COSTS_LATIN = new RegExp('^ (?:is |costs? )?(?:under|below|less than|at most|no more than'
  + '|not over|max|up to|within|cheaper than) ?(?:[¥$]|rmb|cny)? ?\\d')

/** 一斤不超过五块, "under 10 yuan per kilo": what one may cost is no price of the goods. */
function limitIn(text: string): FoundPer | undefined {
  const found = [...text.matchAll(ONE_OF)].find((one) => {
    const end = one.index + one[0].length
    return COSTS.test(text.slice(end, end + COST_LENGTH)) || (one[2] !== undefined
      && COST_BEFORE.test(text.slice(0, one.index)) && !/^[装半\d一二两三]/.test(text.slice(end)))
  }) ?? [...text.matchAll(ONE_LATIN)].find((one) => {
    const end = one.index + one[0].length
    return AMOUNT_BEFORE.test(text.slice(0, one.index)) || COSTS_LATIN.test(text.slice(end))
  })
  return found && { ...placed(found, UNITS.get(found[1] ?? found[2] ?? '') ?? null), isLimit: true }
}

const COST_LENGTH = 24

/** What is told of one piece of goods that come in packs. */
export const unitNamed = (name: string): PerUnit | undefined => UNITS.get(name)

const placed = ({ 0: words, index }: RegExpExecArray, per: PerUnit | null): FoundPer => {
  const start = index + (/^[ ,;]/.test(words) ? 1 : 0)
  return { start, end: index + words.length, per }
}
