/** What a line of the unseen sets demands, and whether an answer meets it. */
import { taxonomy, type Kind } from '../../../src/goods/taxonomy.ts'

export interface Expectation {
  /** Slugs of all kinds that are right. */
  readonly kinds?: readonly string[]
  /** How many of the first items must hold; 0: whichever came, and none is right as well. */
  readonly first?: number
  /** Fen, for one piece. */
  readonly price?: { readonly min?: number, readonly max?: number }
  /** Regular expressions over title, specification and description. */
  readonly has?: readonly string[]
  readonly lacks?: readonly string[]
  readonly order?: 'price_asc'
  /** What the price is divided by where the unit price orders. */
  readonly unit?: Unit
  /** Fen for one unit, at most. */
  readonly unit_max?: number
  readonly none?: boolean
  readonly asks?: boolean
  /** A regular expression that a note or question must match. */
  readonly told?: string
  readonly lang?: 'zh' | 'en'
  /** One list of kinds for each of the goods wanted. */
  readonly goods?: readonly (readonly string[])[]
}

export interface Line { readonly class: string, readonly say: string, readonly expect: Expectation }
export interface Item {
  readonly title: string
  readonly price: number
  readonly reasons: readonly string[]
  readonly specs: readonly { readonly name: string, readonly value: string }[]
  readonly description: string
}
/** The items with their details, every note and question, and of the notes what was given up. */
export interface Answer {
  readonly items: readonly Item[]
  readonly relaxed: readonly string[]
  readonly notes: readonly string[]
  readonly questions: readonly string[]
}
type Unit = 'ml' | 'g' | 'piece'

/** How many of the first items must hold where a line does not say. */
export const FIRST = 3
/** Rounding of the fen in unit prices. */
const TOLERANCE = 1.01
const NOT_SOLD = new RegExp('没有|没找到|未找到|找不到|不卖|不售|不销售|无法|不是您要|相近|' +
  'not sold|not sell|no (goods|item|result)|not found|nothing|not what|cannot', 'iu')

/** Why the answer is wrong; undefined where it meets all demands. */
export function problemOf(expect: Expectation, answer: Answer): string | undefined {
  return spokenProblem(expect, answer) ??
    (expect.none ? soldProblem(answer)
      : expect.goods ? goodsProblem(expect, answer) : itemsProblem(expect, answer))
}

function spokenProblem(expect: Expectation, answer: Answer): string | undefined {
  const spoken = [...answer.notes, ...answer.questions]
  if (expect.asks && !answer.questions.length) return 'no question was asked'
  if (expect.told && !spoken.some((text) => matches(expect.told!, text))) {
    return `no note or question matches ${expect.told}`
  }
  if (!expect.lang) return undefined
  const texts = [...answer.items.flatMap(({ reasons }) => reasons), ...spoken]
  if (!texts.length) return 'no reasons were given'
  const foreign = texts.find((text) => /\p{Script=Han}/u.test(text) !== (expect.lang === 'zh'))
  return foreign === undefined ? undefined : `not in ${expect.lang}: ${foreign}`
}

function soldProblem({ items, notes, questions }: Answer): string | undefined {
  if (!items.length) return undefined
  return [...notes, ...questions].some((text) => NOT_SOLD.test(text)) ? undefined
    : 'goods came for what is not sold, and no note says so'
}

function goodsProblem(expect: Expectation, { items }: Answer): string | undefined {
  const missing = expect.goods!.find((kinds) =>
    !items.some((item) => itemProblem({ ...expect, kinds }, item) === undefined))
  return missing && `no item of ${missing.join(', ')}`
}

function itemsProblem(expect: Expectation, { items }: Answer): string | undefined {
  const { kinds, has, lacks, price, order, first } = expect
  if (!kinds && !has && !lacks && !price && !order) return undefined
  const wanted = first ?? FIRST
  if (items.length < wanted) return `${items.length} of ${wanted} items`
  const checked = items.slice(0, wanted || FIRST)
  for (const [index, item] of checked.entries()) {
    const problem = itemProblem(expect, item)
    if (problem) return `item ${index + 1}: ${problem}`
  }
  return order && orderProblem(expect, checked)
}

/** Why one item is wrong. */
export function itemProblem({ kinds, price, has = [], lacks = [] }: Expectation, item: Item):
string | undefined {
  const kind = kindOf(item)
  if (kinds && !kinds.includes(kind?.kind ?? '')) return `is ${kind?.kind ?? 'of no known kind'}`
  if (price && (item.price < (price.min ?? 0) || item.price > (price.max ?? Infinity))) {
    return `costs ${item.price}`
  }
  const text = textOf(item, kind)
  const absent = has.find((pattern) => !matches(pattern, text))
  if (absent) return `lacks ${absent}`
  const refused = lacks.find((pattern) => matches(pattern, text))
  return refused && `has ${refused}`
}

function orderProblem({ unit, unit_max = Infinity }: Expectation, items: readonly Item[]):
string | undefined {
  const prices = items.map(({ title, price }) => price / (unit ? amountOf(title, unit) : 1))
  if (prices.some((price) => !Number.isFinite(price))) return 'a title without its amount'
  const dear = prices.findIndex((price) => price > unit_max * TOLERANCE)
  if (dear >= 0) return `item ${dear + 1} costs ${prices[dear]!.toPrecision(3)} for one ${unit}`
  const index = prices.findIndex((price, at) => at > 0 && price * TOLERANCE < prices[at - 1]!)
  return index < 0 ? undefined : `item ${index + 1} is cheaper than the one before`
}

const matches = (pattern: string, text: string): boolean => new RegExp(pattern, 'iu').test(text)

/**
 * The kind that the specification names, else the first in the title: values follow the noun, and a
 * brand such as 芝麻爪Zimazow stands before it.
 */
function kindOf({ title, specs }: Item): Kind | undefined {
  const named = specs.find(({ name }) => name === '品类')?.value
  const goods = title.replace(/^\p{Script=Han}+[A-Za-z]+ /u, '')
  const place = ({ name_zh }: Kind): number => named === undefined ? goods.indexOf(name_zh) : 0
  return [...taxonomy().kinds.values()]
    .filter(({ name_zh }) => named === undefined ? goods.includes(name_zh) : name_zh === named)
    .toSorted((a, b) => place(a) - place(b) || b.name_zh.length - a.name_zh.length)[0]
}

/**
 * Title, specification and description, the last without the other names of the kind: they stand
 * in every description of the kind, whether the item is such a one or not.
 */
function textOf({ title, specs, description }: Item, kind: Kind | undefined): string {
  const names = new Set(kind?.aliases)
  const pieces = description.split(/[，、；。]/u).filter((piece) => !names.has(piece))
  return [title, ...specs.map(({ name, value }) => `${name}：${value}`), ...pieces].join(' ')
}

const SCALES: Readonly<Record<string, number>> =
  { ml: 1, 毫升: 1, l: 1000, 升: 1000, g: 1, 克: 1, kg: 1000, 千克: 1000, 公斤: 1000, 斤: 500 }
const SIZES: Readonly<Record<Unit, RegExp>> = {
  ml: /(\d+(?:\.\d+)?) ?(ml|毫升|L|升)/iu,
  g: /(\d+(?:\.\d+)?) ?(kg|千克|公斤|g|克|斤)/iu,
  piece: /(\d+) ?(片|包|卷|枚|颗|只|粒|支|条|个|盒|瓶|罐|袋|双)(?!装)/u,
}
const COUNT = /(\d+) ?(?:瓶|罐|盒|包|袋|桶|听)(?!装)/u
const PACK = /([两二三四五六]|\d+)(?:瓶|罐|盒|包|袋|桶|提|只|支|件)(?:箱)?装/u
const NUMERALS: Readonly<Record<string, number>> = { 两: 2, 二: 2, 三: 3, 四: 4, 五: 5, 六: 6 }

/** How much of the unit a title promises in all its packs; NaN where it does not say. */
export function amountOf(title: string, unit: Unit): number {
  const size = SIZES[unit].exec(title)
  if (!size) return Number.NaN
  const pack = PACK.exec(title)?.[1]
  const packs = pack === undefined ? 1 : NUMERALS[pack] ?? Number(pack)
  if (unit === 'piece') return Number(size[1]) * packs
  const count = Number(COUNT.exec(title)?.[1] ?? 1)
  return Number(size[1]) * SCALES[size[2]!.toLowerCase()]! * count * packs
}
