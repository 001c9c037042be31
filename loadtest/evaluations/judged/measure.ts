/**
 * Ranks each judged sentence over the simulated sources and scores the order. A product is graded
 * by the generator's own structures, no title is read for it: 3 is the right kind with all that
 * was asked for, each constraint that is not met costs one, 1 is the least for the right kind;
 * what is refused or over the budget is 0.
 */
import type { Item } from '../../../adapters/contract.ts'
import { mallKeywords } from '../../../src/affiliate/collect-offers.ts'
import { rank } from '../../../src/affiliate/result/index.ts'
import { generatedProduct, type GeneratedProduct } from '../../../src/goods/generated-product.ts'
import { type Kind, taxonomy } from '../../../src/goods/taxonomy.ts'
import { planOf } from '../../../src/language/fit.ts'
import { understand } from '../../../src/language/understand.ts'
import { SEED, type World } from './world.ts'

export interface Wanted {
  readonly kinds: readonly string[]
  /** Attribute → value, with its unit. */
  readonly values?: Readonly<Record<string, string>>
  readonly refused?: Readonly<Record<string, string>>
  readonly features?: readonly string[]
  readonly brand?: string
  readonly model?: string
  /** Fen. */
  readonly max?: number
}

export type Grade = 0 | 1 | 2 | 3

export function gradeOf(product: GeneratedProduct, fen: number, wanted: Wanted): Grade {
  const { kinds, values = {}, refused = {}, features = [], brand, model, max = Infinity } = wanted
  if (!kinds.includes(product.kind.kind) || fen > max) return 0
  const text = (name: string): string | undefined =>
    product.attributes.find(({ attribute }) => attribute.name_zh === name)?.text
  if (Object.entries(refused).some(([name, value]) => text(name) === value)) return 0
  if (model !== undefined && product.model !== model) return 0
  const lacking = Object.entries(values).filter(([name, value]) => text(name) !== value).length
    + features.filter((feature) => !product.features.includes(feature)).length
    + (brand !== undefined && product.brand.zh !== brand ? 2 : 0)
  return Math.max(1, 3 - lacking) as Grade
}

/** Discounted gain of the grades in their order, over that of the best order; null without gain. */
export function ndcg(grades: readonly number[], all: readonly number[], depth: number):
number | null {
  const gain = (list: readonly number[]): number => list.slice(0, depth)
    .reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0)
  const ideal = gain(all.toSorted((left, right) => right - left))
  return ideal === 0 ? null : gain(grades) / ideal
}

export interface Measured {
  readonly sentence: JudgedSentence
  /** Null where the sources found nothing that is worth anything. */
  readonly ndcg: number | null
  /** Of the order in which the sources answer. */
  readonly before: number | null
  readonly first: Grade
  /** Products that stand in the answer more than once. */
  readonly repeated: number
}

const DEPTH = 10
const OVER_BUDGET = 1.3

export function measure(world: World, sentence: JudgedSentence): Measured {
  const understood = understand(sentence.say)
  const max = understood.budget?.max
  const items = mallKeywords(understood, planOf(understood)).flatMap((q) =>
    world.search(q, max == null ? undefined : Math.ceil(max * OVER_BUDGET)))
  const answer = rank(understood, items, { pageSize: DEPTH,
    buy: () => ({ tool: null, arguments: {}, purchase_url: null }) })
  const grade = (id: string, fen: number): Grade =>
    gradeOf(generatedProduct(SEED, Number(id)), fen, sentence.wanted)
  const seen = new Set<string>()
  let repeated = 0
  const grades = answer.items.map(({ item_id, price }) => {
    const id = item_id.slice(item_id.indexOf(':') + 1)
    if (seen.has(id)) repeated += 1
    const value = seen.has(id) ? 0 : grade(id, price.payable)
    seen.add(id)
    return value
  })
  const all = [...cheapest(items)].map(([id, fen]) => grade(id, fen))
  return {
    sentence, repeated, first: grades[0] ?? 0,
    ndcg: ndcg(grades, all, DEPTH),
    before: ndcg([...new Map(items.map(({ id, price }) => [id, price.payable]))]
      .map(([id, fen]) => grade(id, fen)), all, DEPTH),
  }
}

/** What each product costs where it is cheapest. */
function cheapest(items: readonly Item[]): Map<string, number> {
  const prices = new Map<string, number>()
  for (const { id, price } of items) {
    prices.set(id, Math.min(prices.get(id) ?? Infinity, price.payable))
  }
  return prices
}

export const mean = (values: readonly (number | null)[]): number => {
  const known = values.filter((value) => value !== null)
  return known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length)
}

export interface JudgedSentence {
  readonly say: string
  readonly form: string
  readonly wanted: Wanted
}

/** A product that exists, so that every sentence has an answer. */
type Form = (product: GeneratedProduct) => Omit<JudgedSentence, 'form'> | null

const shown = ({ attributes }: GeneratedProduct) =>
  attributes.filter(({ attribute }) => attribute.in_title)
const kindsOf = ({ kind }: GeneratedProduct): string[] => [kind.kind]
const priceFor = ({ basePrice }: GeneratedProduct): number => Math.ceil(basePrice * 1.2 / 1000) * 10
const aliasOf = ({ aliases, name_zh }: Kind): string =>
  aliases.find((alias) => /^\p{Script=Han}+$/u.test(alias)
    && [...taxonomy().kinds.values()].filter((one) =>
      one.aliases.includes(alias) || one.name_zh === alias).length === 1) ?? name_zh

const FORMS: Readonly<Record<string, Form>> = {
  'one value': (product) => {
    const [one] = shown(product)
    return one ? { say: `${one.text}的${product.kind.name_zh}`,
      wanted: { kinds: kindsOf(product), values: { [one.attribute.name_zh]: one.text } } } : null
  },
  'two values and a budget': (product) => {
    const [one, other] = shown(product)
    const yuan = priceFor(product)
    return one && other ? {
      say: `${aliasOf(product.kind)} ${one.text} ${other.text} ${yuan}元以内`,
      wanted: { kinds: kindsOf(product), max: yuan * 100, values: {
        [one.attribute.name_zh]: one.text, [other.attribute.name_zh]: other.text } },
    } : null
  },
  'a refused value': (product) => {
    const one = shown(product).find(({ attribute }) =>
      attribute.values?.some((value) => typeof value === 'string'))
    const other = one?.attribute.values?.find((value) => `${value}` !== one.text)
    return one && other !== undefined ? { say: `${product.kind.name_zh} 不要${other}`,
      wanted: { kinds: kindsOf(product), refused: { [one.attribute.name_zh]: `${other}` } } } : null
  },
  'a feature': (product) => ({
    say: `想买个${product.features[0]}的${aliasOf(product.kind)}`,
    wanted: { kinds: kindsOf(product), features: product.features.slice(0, 1) },
  }),
  'english with a budget': (product) => ({
    say: `${product.kind.name_en} under ${priceFor(product)} yuan`,
    wanted: { kinds: kindsOf(product), max: priceFor(product) * 100 },
  }),
  'a brand': (product) => ({
    say: `${product.brand.zh}的${product.kind.name_zh}`,
    wanted: { kinds: kindsOf(product), brand: product.brand.zh },
  }),
  'a model': (product) => product.model === null ? null : {
    say: `${product.brand.latin} ${product.model} ${product.kind.name_zh}`,
    wanted: { kinds: kindsOf(product), model: product.model, brand: product.brand.zh },
  },
  'good quality with a value': (product) => {
    const one = shown(product).at(-1)
    return one ? { say: `质量好的${aliasOf(product.kind)}，要${one.text}`,
      wanted: { kinds: kindsOf(product), values: { [one.attribute.name_zh]: one.text } } } : null
  },
}

/** The forms in turn, over kinds of all categories. */
export function judgedSentences(count: number): JudgedSentence[] {
  const sentences: JudgedSentence[] = []
  const forms = Object.entries(FORMS)
  // A step that is prime to both categories and kinds meets them all.
  for (let index = 0; sentences.length < count; index += 31) {
    const [form, make] = forms[sentences.length % forms.length] as [string, Form]
    const made = make(generatedProduct(SEED, index % PRODUCTS))
    // Goods of a kind that differ in nothing that is said make the same sentence.
    if (made && !sentences.some(({ say }) => say === made.say)) sentences.push({ ...made, form })
  }
  return sentences
}

/** About twenty of each kind. */
export const PRODUCTS = 6000
