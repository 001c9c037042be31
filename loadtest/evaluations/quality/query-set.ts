/**
 * The labelled queries: ones made by rules from the taxonomy and from the first items of the
 * catalogue, and hand-written ones. They depend on the seed alone, so that everybody scores the
 * same set. A third is held out by its hash: what tunes the search may look at the other two
 * thirds only.
 */
import { createHash } from 'node:crypto'
import simplifiedPairs from 'opencc-js/dict/STCharacters'
import type { Sort } from '../../../src/goods/query.ts'
import { createRandom, type Random } from '../../../src/goods/random.ts'
import { type Attribute, type Kind, taxonomy, valuesOf } from '../../../src/goods/taxonomy.ts'
import { readJsonl } from '../jsonl.ts'
import {
  type Constraint, factsOf, type ItemFacts, kindsNamed, type Limits, type Wanted, wantKinds,
} from './label.ts'

export const CLASSES = [
  'kind', 'synonym', 'attribute', 'model', 'typo', 'two', 'price', 'script', 'phrase', 'nothing',
] as const
export type QueryClass = (typeof CLASSES)[number]

export interface LabelledQuery {
  readonly q: string
  readonly class: QueryClass
  /** Without one the right answer is empty, or says what it gave up. */
  readonly wanted?: Wanted
  readonly limits: Limits
  readonly isHandWritten: boolean
}

export type Part = 'tuned' | 'held out'

export const SORT: Sort = 'relevance'

export function partOf({ q, limits }: LabelledQuery): Part {
  const [byte = 0] = createHash('sha256').update(JSON.stringify([q, limits])).digest()
  return byte % 3 === 0 ? 'held out' : 'tuned'
}

/** A line of `hand-written.jsonl`: labels that were chosen by hand. */
interface HandWritten extends Omit<Wanted, 'model'> {
  readonly class: QueryClass
  readonly q: string
  /** Words instead of kinds: who says no more takes any kind that one of them names. */
  readonly named?: readonly string[]
  readonly limits?: Limits
}

const handWritten = (): LabelledQuery[] => readJsonl<HandWritten>('quality/hand-written.jsonl')
  .map(({ class: name, q, limits = {}, named = [], kinds, ...more }) => ({
    q, class: name, limits, isHandWritten: true,
    ...name !== 'nothing' && {
      wanted: wantKinds(kinds ?? [...new Set(named.flatMap(kindsNamed))], more),
    },
  }))

/** Each query once, however it came about. */
export function querySet(seed: string): LabelledQuery[] {
  const queries = new Map<string, LabelledQuery>()
  for (const query of [...handWritten(), ...generatedQueries(seed)]) {
    const key = JSON.stringify([query.q, query.limits])
    if (!queries.has(key)) queries.set(key, query)
  }
  return [...queries.values()]
}

/** Facts of queries come from this many items, which every catalogue that is scored has. */
export const ITEMS_MIN = 2400

interface Made {
  readonly q: string
  readonly wanted?: Wanted
  readonly limits?: Limits
}

type ItemAt = (index: number) => ItemFacts
type Maker = (random: Random, item: ItemFacts, kind: Kind, itemAt: ItemAt) => Made

const MAKERS: Record<QueryClass, readonly [count: number, maker: Maker]> = {
  kind: [42, (_, _item, { name_zh }) => ({ q: name_zh, wanted: wantKinds(kindsNamed(name_zh)) })],
  synonym: [60, synonym],
  attribute: [56, attribute],
  model: [42, model],
  typo: [40, misspelt],
  two: [56, two],
  price: [36, priced],
  script: [36, script],
  phrase: [48, phrase],
  nothing: [24, nothing],
}

export function generatedQueries(seed: string): LabelledQuery[] {
  const itemAt: ItemAt = (index) => factsOf(seed, index)
  let index = 0
  return Object.entries(MAKERS).flatMap(([name, [count, maker]]) =>
    Array.from({ length: count }, (): LabelledQuery => {
      const random = createRandom(`${seed} queries`, index += 1)
      const item = itemAt(random.integer('item', 0, ITEMS_MIN - 1))
      const { limits = {}, ...made } = maker(random, item, kindOf(item), itemAt)
      // Half of the queries are as search_goods asks them: our own goods only.
      const supply = random.unit('supply') < 0.5 ? { supply: 'own' as const } : {}
      return {
        ...made, class: name as QueryClass, limits: { ...limits, ...supply }, isHandWritten: false,
      }
    }))
}

const kindOf = ({ kind }: ItemFacts): Kind => taxonomy().kinds.get(kind) as Kind

function synonym(random: Random, _: ItemFacts, kind: Kind): Made {
  // The last characters of a name are what people shorten it to, if they are a word: no 萄酒.
  const short = kind.name_zh.length > 3
    ? [kind.name_zh.slice(-2), kind.name_zh.slice(-3)].filter((end) => allWords().has(end)) : []
  const q = random.pick('alias', [...kind.aliases, kind.name_en, ...short])
  return { q, wanted: wantKinds(kindsNamed(q)) }
}

let words: ReadonlySet<string> | undefined

const allWords = (): ReadonlySet<string> => words ??= new Set([...taxonomy().kinds.values()]
  .flatMap(({ name_zh, aliases, broader = [] }) => [name_zh, ...aliases, ...broader]))

/** The shortest Chinese word for a kind, as people type it. */
const shortName = ({ name_zh, aliases }: Kind): string =>
  [name_zh, ...aliases].filter((name) => /^\p{Script=Han}{2,}$/u.test(name))
    .toSorted((a, b) => a.length - b.length)[0] ?? name_zh

const COLOUR = /^.*([黑白灰红粉橙黄绿青蓝紫棕金银])$/

interface Asked {
  readonly text: string
  readonly constraint: Constraint
}

const titled = (kind: Kind): Attribute[] => kind.attributes.filter((one) => one.in_title
  && !/书名|尺寸$|规格$/.test(one.name_zh))

function constraintOf(random: Random, kind: Kind, field: string): Asked {
  const chosen = random.pick(field, titled(kind))
  const text = `${random.pick(`${field} value`, valuesOf(chosen))}${chosen.unit ?? ''}`
  const [, colour] = /色/.test(chosen.name_zh) ? COLOUR.exec(text) ?? [] : []
  if (colour) return { text: `${colour}色`, constraint: { colour } }
  return {
    text: random.pick(`${field} form`, unitForms(text)),
    constraint: { value: [chosen.name_zh, text] },
  }
}

const joined = (random: Random, ...parts: readonly string[]): string => parts.join(
  parts.some((part) => /^[\x21-\x7e]+$/.test(part)) ? ' ' : random.pick('gap', ['', ' ', ' ']))

function attribute(random: Random, _: ItemFacts, kind: Kind): Made {
  const { text, constraint } = constraintOf(random, kind, 'attribute')
  const name = random.unit('name') < 0.5 ? kind.name_zh : shortName(kind)
  const parts = random.unit('order') < 0.7 ? [text, name] : [name, text]
  return {
    q: joined(random, ...parts),
    wanted: wantKinds(kindsNamed(name), { constraints: [constraint] }),
  }
}

/** The next item that has a model: not every kind has. */
function withModel(item: ItemFacts, itemAt: ItemAt): ItemFacts & { model: string } {
  const { model, index } = item
  return model === null ? withModel(itemAt((index + 1) % ITEMS_MIN), itemAt) : { ...item, model }
}

function model(random: Random, item: ItemFacts, _: Kind, itemAt: ItemAt): Made {
  const found = withModel(item, itemAt)
  const kinds = [found.kind]
  const form = random.pick('form', modelForms(found.model))
  const brand = random.pick('brand', [...caseForms(found.latin), found.brand])
  const q = random.pick('how', [form, `${brand} ${form}`, `${brand} ${form}`, `${form} ${brand}`,
    `${brand}-${form}`, `${brand} ${form} ${kindOf(found).name_zh}`])
  return q === form ? { q, wanted: { model: found.model } }
    : { q, wanted: { kinds, brand: found.brand, model: found.model } }
}

function misspelt(random: Random, item: ItemFacts, kind: Kind): Made {
  const wrong = typo(item.latin, random)
  const { brand } = item
  const name = shortName(kind)
  return random.pick<Made>('how', [
    { q: wrong, wanted: { brand } },
    { q: `${wrong} ${name}`, wanted: wantKinds(kindsNamed(name), { brand }) },
    { q: `${wrong}${kind.name_zh}`, wanted: wantKinds(kindsNamed(kind.name_zh), { brand }) },
  ])
}

function two(random: Random, item: ItemFacts, kind: Kind): Made {
  const name = random.unit('name') < 0.5 ? kind.name_zh : shortName(kind)
  const kinds = kindsNamed(name)
  const { text, constraint } = constraintOf(random, kind, 'first')
  const brand = random.pick('brand', [item.brand, item.latin, item.latin.toLowerCase()])
  const feature = random.pick('feature', kind.features)
  return random.pick<() => Made>('how', [
    () => ({ q: joined(random, brand, name), wanted: wantKinds(kinds, { brand: item.brand }) }),
    () => ({ q: joined(random, brand, name, text),
      wanted: wantKinds(kinds, { brand: item.brand, constraints: [constraint] }) }),
    () => ({ q: `${text} ${name}`, limits: { category: item.category },
      wanted: wantKinds(kinds, { constraints: [constraint] }) }),
    () => ({ q: `${name} ${feature}`,
      wanted: wantKinds(kinds, { constraints: [{ feature }] }) }),
    () => {
      const other = constraintOf(random, kind, 'second')
      const constraints = other.text === text ? [constraint] : [constraint, other.constraint]
      return { q: [...new Set([text, other.text]), name].join(' '),
        wanted: wantKinds(kinds, { constraints }) }
    },
  ])()
}

function priced(random: Random, item: ItemFacts, kind: Kind): Made {
  const { min, max } = kind.price
  const middle = Math.round(min * (max / min) ** (0.3 + random.unit('middle') * 0.3))
  const limits = random.pick<Limits>('limits', [
    { max: middle }, { min: middle }, { min: Math.round(middle * 0.7), max: middle * 2 },
    { max: middle, category: item.category },
  ])
  const name = random.unit('name') < 0.5 ? kind.name_zh : shortName(kind)
  return { q: name, limits, wanted: wantKinds(kindsNamed(name)) }
}

function script(random: Random, item: ItemFacts, kind: Kind): Made {
  const name = random.pick('name', [kind.name_zh, shortName(kind)])
  const wanted = wantKinds(kindsNamed(name))
  const branded = { ...wanted, brand: item.brand }
  const { text, constraint } = constraintOf(random, kind, 'attribute')
  return random.pick<Made>('how', [
    { q: traditional(name), wanted },
    { q: traditional(`${text} ${name}`), wanted: { ...wanted, constraints: [constraint] } },
    { q: fullWidth(`${item.latin} ${name}`), wanted: branded },
    { q: fullWidth(`${text} ${name}`), wanted: { ...wanted, constraints: [constraint] } },
    { q: traditional(`${item.brand}${name}`), wanted: branded },
  ])
}

const PHRASES = [
  '我想买一个*', '有没有好用的*', '推荐一款*', '便宜的*', '帮我找*', '性价比高的*', '*哪个好',
  '送女朋友的*', '给爸妈买的*', '想给孩子买个*', '请问有*吗', '好看的*推荐', '质量好的*',
  '我要一个*，谢谢', '最近想买*',
]

function phrase(random: Random, _: ItemFacts, kind: Kind): Made {
  const name = random.unit('name') < 0.5 ? kind.name_zh : shortName(kind)
  const template = random.pick('phrase', PHRASES)
  if (random.unit('wish') < 0.5) {
    return { q: template.replace('*', name), wanted: wantKinds(kindsNamed(name)) }
  }
  const { text, constraint } = constraintOf(random, kind, 'wish')
  return { q: template.replace('*', `${text}的${name}`),
    wanted: wantKinds(kindsNamed(name), { constraints: [constraint] }) }
}

const NONSENSE = ['量子挪移仪', 'qzxvwk', '恒星发动机', 'Wumboflex', '时光沙漏胶囊', '反重力滑板靴',
  'zzkjqx 9981', '龙鳞护甲', '独角兽鞍']

/** What is in no catalogue, and brands that do not make the kind. */
function nothing(random: Random, item: ItemFacts): Made {
  const kinds = [...taxonomy().kinds.values()].filter((one) => one.category_id !== item.category)
  return { q: random.pick('nothing', [
    random.pick('nonsense', NONSENSE),
    `${item.latin} ${random.pick('kind', kinds).name_zh}`,
    `${random.pick('kind', kinds).name_zh} ${random.pick('nonsense', NONSENSE)}`,
  ]) }
}

// How people write the same thing: units, joined and spaced names, typing errors, scripts.

/** Spellings of a value that ends in a unit; the first is the catalogue's own. */
function unitForms(value: string): string[] {
  const [, number, unit] = /^([\d.]+)(\D+)$/.exec(value) ?? []
  const others = UNITS.find((forms) => forms.includes(unit ?? ''))
  if (number === undefined || !others) return [value]
  return [value, ...others.filter((form) => form !== unit).map((form) => number + form)]
}

const UNITS = [
  ['GB', 'G', 'gb'], ['ml', '毫升', ' ml', 'ML'], ['L', '升', ' L', 'l'], ['g', '克', ' g'],
  ['克', 'g'], ['kg', '公斤', 'KG', '千克'], ['W', '瓦', 'w', ' W'], ['mAh', '毫安', 'mah'],
  ['英寸', '寸', ' 英寸'], ['寸', '英寸'], ['cm', '厘米', ' cm', 'CM'], ['mm', '毫米'],
  ['Hz', 'hz', ' Hz'], ['TB', 'T', 'tb'], ['斤', ' 斤'], ['小时', ' 小时'],
]

/** `PX-0965` as it is, joined, spaced, in small letters. */
const modelForms = (model: string): string[] => [
  model, model.replaceAll('-', ''), model.replaceAll('-', ' '), model.toLowerCase(),
  model.toLowerCase().replaceAll('-', ''), model.toUpperCase(),
]

const caseForms = (word: string): string[] =>
  [word, word.toLowerCase(), word.toUpperCase()]

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** One letter wrong, missing, doubled or swapped with its neighbour; never the first. */
function typo(word: string, random: Random): string {
  const letters = [...word.toLowerCase()]
  const at = random.integer('typo at', 1, letters.length - 2)
  const letter = letters[at] ?? ''
  const how = random.pick('typo', ['wrong', 'missing', 'doubled', 'swapped'] as const)
  if (how === 'wrong') {
    letters[at] = random.pick('letter', [...LETTERS].filter((other) => other !== letter))
  }
  if (how === 'missing') letters.splice(at, 1)
  if (how === 'doubled') letters.splice(at, 0, letter)
  if (how === 'swapped') letters.splice(at, 2, letters[at + 1] ?? '', letter)
  const wrong = letters.join('')
  return wrong === word.toLowerCase() ? word.slice(0, -1).toLowerCase() : wrong
}

const TRADITIONAL = new Map(simplifiedPairs.split('|').map((pair): [string, string] => {
  const [simplified = '', traditional = ''] = pair.split(' ')
  return [simplified, traditional]
}))

const traditional = (text: string): string =>
  [...text].map((character) => TRADITIONAL.get(character) ?? character).join('')

const fullWidth = (text: string): string => text.replaceAll(/[!-~]/g, (character) =>
  String.fromCharCode(character.charCodeAt(0) + 0xfee0)).replaceAll(' ', '\u3000')
