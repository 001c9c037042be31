/** Queries made by rules from the taxonomy and from the first items of the catalogue. */
import { chance, type Chance } from '../chance.ts'
import { taxonomy, valuesOf, type Attribute, type Kind } from '../taxonomy.ts'
import { factsOf, type ItemFacts } from './facts.ts'
import { caseForms, fullWidth, modelForms, traditional, typo, unitForms } from './forms.ts'
import {
  coloured, hasFeature, hasValue, kindsNamed, wantKinds, type Limits, type Wanted, type Wish,
} from './label.ts'
import type { LabelledQuery, QueryClass } from './query-set.ts'

/** Facts of queries come from this many items, which every catalogue that is scored has. */
export const ITEMS_MIN = 2400

interface Made {
  readonly q: string
  readonly wanted?: Wanted
  readonly limits?: Limits
}

type ItemAt = (index: number) => ItemFacts
type Maker = (luck: Chance, item: ItemFacts, kind: Kind, itemAt: ItemAt) => Made

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
      const luck = chance(`${seed} queries`, index += 1)
      const item = itemAt(luck.integer('item', 0, ITEMS_MIN - 1))
      const { limits = {}, ...made } = maker(luck, item, kindOf(item), itemAt)
      // Half of the queries are as search_goods asks them: our own goods only.
      const supply = luck.unit('supply') < 0.5 ? { supply: 'own' as const } : {}
      return {
        ...made, class: name as QueryClass, limits: { ...limits, ...supply }, isHandWritten: false,
      }
    }))
}

const kindOf = ({ kind }: ItemFacts): Kind => taxonomy().kinds.get(kind) as Kind

function synonym(luck: Chance, _: ItemFacts, kind: Kind): Made {
  // The last characters of a name are what people shorten it to, if they are a word: no 萄酒.
  const short = kind.name_zh.length > 3
    ? [kind.name_zh.slice(-2), kind.name_zh.slice(-3)].filter((end) => allWords().has(end)) : []
  const q = luck.pick('alias', [...kind.aliases, kind.name_en, ...short])
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

interface Wished {
  readonly text: string
  readonly wish: Wish
}

const titled = (kind: Kind): Attribute[] => kind.attributes.filter((one) => one.in_title
  && !/书名|尺寸$|规格$/.test(one.name_zh))

function wishOf(luck: Chance, kind: Kind, field: string): Wished {
  const chosen = luck.pick(field, titled(kind))
  const text = `${luck.pick(`${field} value`, valuesOf(chosen))}${chosen.unit ?? ''}`
  const [, colour] = /色/.test(chosen.name_zh) ? COLOUR.exec(text) ?? [] : []
  if (colour) return { text: `${colour}色`, wish: coloured(colour) }
  return { text: luck.pick(`${field} form`, unitForms(text)), wish: hasValue(chosen.name_zh, text) }
}

const joined = (luck: Chance, ...parts: readonly string[]): string => parts.join(
  parts.some((part) => /^[\x21-\x7e]+$/.test(part)) ? ' ' : luck.pick('gap', ['', ' ', ' ']))

function attribute(luck: Chance, _: ItemFacts, kind: Kind): Made {
  const { text, wish } = wishOf(luck, kind, 'attribute')
  const name = luck.unit('name') < 0.5 ? kind.name_zh : shortName(kind)
  const parts = luck.unit('order') < 0.7 ? [text, name] : [name, text]
  return { q: joined(luck, ...parts), wanted: wantKinds(kindsNamed(name), { wishes: [wish] }) }
}

/** The next item that has a model: not every kind has. */
function withModel(item: ItemFacts, itemAt: ItemAt): ItemFacts & { model: string } {
  const { model, index } = item
  return model === null ? withModel(itemAt((index + 1) % ITEMS_MIN), itemAt) : { ...item, model }
}

function model(luck: Chance, item: ItemFacts, _: Kind, itemAt: ItemAt): Made {
  const found = withModel(item, itemAt)
  const kinds = [found.kind]
  const form = luck.pick('form', modelForms(found.model))
  const brand = luck.pick('brand', [...caseForms(found.latin), found.brand])
  const q = luck.pick('how', [form, `${brand} ${form}`, `${brand} ${form}`, `${form} ${brand}`,
    `${brand}-${form}`, `${brand} ${form} ${kindOf(found).name_zh}`])
  return q === form ? { q, wanted: { model: found.model } }
    : { q, wanted: { kinds, brand: found.brand, model: found.model } }
}

function misspelt(luck: Chance, item: ItemFacts, kind: Kind): Made {
  const wrong = typo(item.latin, luck)
  const { brand } = item
  const name = shortName(kind)
  return luck.pick<Made>('how', [
    { q: wrong, wanted: { brand } },
    { q: `${wrong} ${name}`, wanted: wantKinds(kindsNamed(name), { brand }) },
    { q: `${wrong}${kind.name_zh}`, wanted: wantKinds(kindsNamed(kind.name_zh), { brand }) },
  ])
}

function two(luck: Chance, item: ItemFacts, kind: Kind): Made {
  const name = luck.unit('name') < 0.5 ? kind.name_zh : shortName(kind)
  const kinds = kindsNamed(name)
  const { text, wish } = wishOf(luck, kind, 'first')
  const brand = luck.pick('brand', [item.brand, item.latin, item.latin.toLowerCase()])
  const feature = luck.pick('feature', kind.features)
  return luck.pick<() => Made>('how', [
    () => ({ q: joined(luck, brand, name), wanted: wantKinds(kinds, { brand: item.brand }) }),
    () => ({ q: joined(luck, brand, name, text),
      wanted: wantKinds(kinds, { brand: item.brand, wishes: [wish] }) }),
    () => ({ q: `${text} ${name}`, limits: { category: item.category },
      wanted: wantKinds(kinds, { wishes: [wish] }) }),
    () => ({ q: `${name} ${feature}`,
      wanted: wantKinds(kinds, { wishes: [hasFeature(feature)] }) }),
    () => {
      const other = wishOf(luck, kind, 'second')
      const wishes = other.text === text ? [wish] : [wish, other.wish]
      return { q: [...new Set([text, other.text]), name].join(' '),
        wanted: wantKinds(kinds, { wishes }) }
    },
  ])()
}

function priced(luck: Chance, item: ItemFacts, kind: Kind): Made {
  const { min, max } = kind.price
  const middle = Math.round(min * (max / min) ** (0.3 + luck.unit('middle') * 0.3))
  const limits = luck.pick<Limits>('limits', [
    { max: middle }, { min: middle }, { min: Math.round(middle * 0.7), max: middle * 2 },
    { max: middle, category: item.category },
  ])
  const name = luck.unit('name') < 0.5 ? kind.name_zh : shortName(kind)
  return { q: name, limits, wanted: wantKinds(kindsNamed(name)) }
}

function script(luck: Chance, item: ItemFacts, kind: Kind): Made {
  const name = luck.pick('name', [kind.name_zh, shortName(kind)])
  const wanted = wantKinds(kindsNamed(name))
  const branded = { ...wanted, brand: item.brand }
  const { text, wish } = wishOf(luck, kind, 'attribute')
  return luck.pick<Made>('how', [
    { q: traditional(name), wanted },
    { q: traditional(`${text} ${name}`), wanted: { ...wanted, wishes: [wish] } },
    { q: fullWidth(`${item.latin} ${name}`), wanted: branded },
    { q: fullWidth(`${text} ${name}`), wanted: { ...wanted, wishes: [wish] } },
    { q: traditional(`${item.brand}${name}`), wanted: branded },
  ])
}

const PHRASES = [
  '我想买一个*', '有没有好用的*', '推荐一款*', '便宜的*', '帮我找*', '性价比高的*', '*哪个好',
  '送女朋友的*', '给爸妈买的*', '想给孩子买个*', '请问有*吗', '好看的*推荐', '质量好的*',
  '我要一个*，谢谢', '最近想买*',
]

function phrase(luck: Chance, _: ItemFacts, kind: Kind): Made {
  const name = luck.unit('name') < 0.5 ? kind.name_zh : shortName(kind)
  const template = luck.pick('phrase', PHRASES)
  if (luck.unit('wish') < 0.5) {
    return { q: template.replace('*', name), wanted: wantKinds(kindsNamed(name)) }
  }
  const { text, wish } = wishOf(luck, kind, 'wish')
  return { q: template.replace('*', `${text}的${name}`),
    wanted: wantKinds(kindsNamed(name), { wishes: [wish] }) }
}

const NONSENSE = ['量子挪移仪', 'qzxvwk', '恒星发动机', 'Wumboflex', '时光沙漏胶囊', '反重力滑板靴',
  'zzkjqx 9981', '龙鳞护甲', '独角兽鞍']

/** What is in no catalogue, and brands that do not make the kind. */
function nothing(luck: Chance, item: ItemFacts): Made {
  const kinds = [...taxonomy().kinds.values()].filter((one) => one.category_id !== item.category)
  return { q: luck.pick('nothing', [
    luck.pick('nonsense', NONSENSE),
    `${item.latin} ${luck.pick('kind', kinds).name_zh}`,
    `${luck.pick('kind', kinds).name_zh} ${luck.pick('nonsense', NONSENSE)}`,
  ]) }
}
