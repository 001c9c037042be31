/** What the documents say about each operation, read off the table once at boot. */
import type { TSchema } from 'typebox'
import type { ErrorName } from '../../contract/errors.ts'
import { errorsOf, isRequired } from '../../operations/common-errors.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Method } from '../../contract/http.ts'
import { TITLES_ZH } from '../../operations/titles-zh.ts'
import type { Locale } from '../../site/locale.ts'

export const IDEMPOTENCY_FIELD = 'idempotency_key'
const IDEMPOTENCY_HEADER = 'Idempotency-Key'

export interface Field {
  /** As MCP and the table call it. */
  readonly name: string
  /** As the place where REST takes it calls it. */
  readonly label: string
  readonly place: 'path' | 'query' | 'header' | 'body'
  readonly schema: TSchema
  readonly isRequired: boolean
  /** Undefined where the operation's example leaves it out. */
  readonly example: unknown
}

export interface Entry {
  readonly operation: Operation
  readonly method: Method
  /** Below the base path, as OpenAPI writes it: `/goods/{sku_id}`. */
  readonly path: string
  readonly tag: string
  readonly fields: readonly Field[]
  readonly errors: readonly ErrorName[]
}

export function entryOf(operation: Operation): Entry {
  const [method, pattern] = operation.route.split(' ') as [Method, string]
  const inPath = new Set([...pattern.matchAll(/:([A-Za-z]\w*)/g)].map(([, name]) => name))
  const example = operation.example as Readonly<Record<string, unknown>>
  const placeOf = (name: string): Field['place'] => {
    if (inPath.has(name)) return 'path'
    if (name === IDEMPOTENCY_FIELD) return 'header'
    return method === 'GET' ? 'query' : 'body'
  }
  return {
    operation,
    method,
    path: pattern.replaceAll(/:([A-Za-z]\w*)/g, '{$1}'),
    tag: tagOf(pattern),
    fields: Object.entries(operation.input.properties).map(([name, schema]): Field => ({
      name,
      label: name === IDEMPOTENCY_FIELD ? IDEMPOTENCY_HEADER : name,
      place: placeOf(name),
      schema,
      isRequired: inPath.has(name) || isRequired(operation, name),
      example: example[name],
    })),
    errors: errorsOf(operation),
  }
}

/** For fields that the tool list leaves unexplained, because each word there costs every agent. */
const PLAIN_WORDS: Readonly<Record<string, string>> = {
  page: 'Which page, from 1; pages of goods reach to item 1,000',
  page_size: 'Items a page',
  updated_after: 'Only what changed after this time (ISO 8601, UTC)',
  with_coupon: 'Only items with a coupon',
  mode: 'What counts most',
  sources: 'Ask only these',
  type: 'Money only, or goods back for money',
  reason_class: 'Decides who pays the return freight',
  'receiver.phone': 'Digits, with + and spaces where they belong',
}

/** What a reader is told about a field, in the schema's words where it has some. */
export const wordsFor = (path: string, description: string | undefined): string =>
  description || PLAIN_WORDS[path] || ''

export const fieldsIn = ({ fields }: Entry, ...places: Field['place'][]): Field[] =>
  fields.filter(({ place }) => places.includes(place))

/** The example's fields of one place, as an object. */
export function exampleIn(entry: Entry, place: Field['place']): Record<string, unknown> {
  const given = fieldsIn(entry, place).filter(({ example }) => example !== undefined)
  return Object.fromEntries(given.map(({ label, example }) => [label, example]))
}

export const titleOf = ({ name, title }: Operation, locale: Locale): string =>
  (locale === 'zh' ? TITLES_ZH[name] ?? title : title)

interface Tag {
  readonly start: string
  readonly name: string
  readonly description: string
  readonly zh: { readonly name: string, readonly description: string }
}

/** Groups in the order of the documents, by how a path begins; the longest beginning wins. */
const TAGS: readonly Tag[] = [
  { start: '/trial-keys', name: 'Keys',
    description: 'A key to try everything with, without an account.',
    zh: { name: '密钥', description: '无需账户即可试用一切的密钥。' } },
  { start: '/goods', name: 'Goods',
    description: 'Our own goods, which can be ordered here. Open without a key.',
    zh: { name: '商品', description: '可在此下单的自营商品。无需密钥。' } },
  { start: '/orders', name: 'Orders',
    description: 'Placing an order, following it to the door, after-sales. A key sees its own.',
    zh: { name: '订单', description: '下单、跟踪到家、售后。每个密钥只看到自己的订单。' } },
  { start: '/cps/local', name: 'Shelf',
    description: 'The curated shelf: own goods and chosen mall offers. No key, no quota.',
    zh: { name: '货架', description: '精选货架：自营商品与商城优选。无需密钥，不计配额。' } },
  { start: '/cps', name: 'Affiliate',
    description: 'Offers of three malls and of food delivery, bought through a link.',
    zh: { name: '联盟', description: '三家商城与外卖的商品，通过链接购买。' } },
  { start: '/categories', name: 'Categories',
    description: 'What goods are sorted into. Open without a key.',
    zh: { name: '类目', description: '商品的分类。无需密钥。' } },
]

function tagOf(path: string): string {
  const known = TAGS.filter(({ start }) => path === start || path.startsWith(`${start}/`))
    .toSorted((a, b) => b.start.length - a.start.length)[0]
  if (known) return known.name
  const [, first = ''] = path.split('/')
  return first.charAt(0).toUpperCase() + first.slice(1)
}

export interface Group {
  /** Of its heading; the same in both languages. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly entries: readonly Entry[]
}

/** Entries by tag, in the order of the documents; within one, in the order of the table. */
export function groupsOf(operations: readonly Operation[], locale: Locale = 'en'): Group[] {
  const byTag = new Map<string, Entry[]>(TAGS.map(({ name }) => [name, []]))
  for (const entry of operations.map(entryOf)) {
    byTag.set(entry.tag, [...byTag.get(entry.tag) ?? [], entry])
  }
  return [...byTag].filter(([, entries]) => entries.length > 0).map(([name, entries]) => {
    const tag = TAGS.find((one) => one.name === name)
    const shown = locale === 'zh' ? tag?.zh : tag
    return {
      id: `group-${name.toLowerCase()}`, name: shown?.name ?? name,
      description: shown?.description ?? `Operations on ${name}.`, entries,
    }
  })
}
