/** What the documents say about each operation and its schemas, read off the table at boot. */
import type { TSchema } from 'typebox'
import type { ErrorName } from '../../contract/errors.ts'
import type { Method } from '../../contract/http.ts'
import type { OperationSpec } from '../../contract/operation.ts'
import { errorsOf, isRequired } from '../../operations/define.ts'
import type { Locale } from '../../site/page.ts'
import { TITLES_ZH } from './words.ts'

export const IDEMPOTENCY_FIELD = 'idempotency_key'
const IDEMPOTENCY_HEADER = 'Idempotency-Key'

export interface Field {
  /** As MCP and the table call it. */
  readonly name: string
  /** As the location where REST takes it calls it. */
  readonly label: string
  readonly location: 'path' | 'query' | 'header' | 'body'
  readonly schema: TSchema
  readonly isRequired: boolean
  /** Undefined where the operation's example leaves it out. */
  readonly example: unknown
}

export interface Entry {
  readonly operation: OperationSpec
  readonly method: Method
  /** Below the base path, as OpenAPI writes it: `/goods/{sku_id}`. */
  readonly path: string
  readonly tag: string
  readonly fields: readonly Field[]
  readonly errors: readonly ErrorName[]
}

export function entryOf(operation: OperationSpec): Entry {
  const [method, pattern] = operation.route.split(' ') as [Method, string]
  const inPath = new Set([...pattern.matchAll(/:([A-Za-z]\w*)/g)].map(([, name]) => name))
  const example = operation.example as Readonly<Record<string, unknown>>
  const locationOf = (name: string): Field['location'] => {
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
      location: locationOf(name),
      schema,
      isRequired: inPath.has(name) || isRequired(operation, name),
      example: example[name],
    })),
    errors: errorsOf(operation),
  }
}

/** What of the table is over MCP, and what over REST alone. */
export function mcpShareOf(operations: readonly OperationSpec[]) {
  const tools = operations.filter(({ tool }) => tool !== false)
  return {
    tools,
    restNames: operations.filter(({ tool }) => tool === false).map(({ name }) => name),
    /** As `create_order.quote_token`. */
    restFields: tools.flatMap(({ name, input }) => Object.entries(input.properties)
      .filter(([, schema]) => 'restOnly' in schema)
      .map(([field]) => `${name}.${field}`)),
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

/** The description of a field, the schema's own where it has one. */
export const wordsFor = (path: string, description: string | undefined): string =>
  description || PLAIN_WORDS[path] || ''

export const fieldsIn = ({ fields }: Entry, ...locations: Field['location'][]): Field[] =>
  fields.filter(({ location }) => locations.includes(location))

/** The example's fields of one location, as an object. */
export function exampleIn(entry: Entry, location: Field['location']): Record<string, unknown> {
  const given = fieldsIn(entry, location).filter(({ example }) => example !== undefined)
  return Object.fromEntries(given.map(({ label, example }) => [label, example]))
}

export const titleOf = ({ name, title }: OperationSpec, locale: Locale): string =>
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
  { start: '/events', name: 'Events',
    description: 'What happened, as a feed that can be waited for. A key sees its own.',
    zh: { name: '事件', description: '可等待的事件流。每个密钥只看到自己的事件。' } },
  { start: '/webhooks', name: 'Webhooks',
    description: 'The same events, sent to a url as they happen, signed and repeated.',
    zh: { name: '事件推送', description: '同样的事件，在发生时签名推送到指定地址，失败会重试。' } },
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
export function groupsOf(operations: readonly OperationSpec[], locale: Locale = 'en'): Group[] {
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

export interface Row {
  /** Dotted; `[]` stands for each element of a list. */
  readonly path: string
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
  readonly bounds: string
}

interface SchemaNode {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly format?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

export function rowsOf(schema: TSchema, prefix = ''): Row[] {
  const { properties = {}, required = [] } = schema as SchemaNode
  return Object.entries(properties).flatMap(([name, inner]) =>
    [
      rowOf(`${prefix}${name}`, inner, required.includes(name)),
      ...inside(`${prefix}${name}`, inner),
    ])
}

export const rowOf = (path: string, schema: TSchema, isRequired: boolean): Row => ({
  path,
  type: typeOf(schema as SchemaNode),
  isRequired,
  description: describe(schema as SchemaNode),
  bounds: boundsOf(schema as SchemaNode),
})

/** What an object, or the objects in a list, hold. */
export function inside(path: string, schema: TSchema): Row[] {
  const { items, anyOf } = schema as SchemaNode
  if (items) return inside(`${path}[]`, items)
  if (anyOf) return anyOf.flatMap((part) => inside(path, part))
  return rowsOf(schema, `${path}.`)
}

function typeOf({ type, anyOf, items, format, const: exact }: SchemaNode): string {
  if (anyOf) return [...new Set(anyOf.map((part) => typeOf(part as SchemaNode)))].join(' or ')
  if (items) return `list of ${typeOf(items as SchemaNode)}s`.replace('null', 'nothing')
  if (format === 'uuid') return 'UUID'
  if (format === 'date-time') return 'time'
  return exact === undefined ? type ?? 'any value' : JSON.stringify(exact)
}

/** A description inside "this or null" is the field's own. */
const describe = ({ description, anyOf }: SchemaNode): string => description
  ?? (anyOf ?? []).map((part) => (part as SchemaNode).description).find(Boolean) ?? ''

/** Larger bounds guard the machine and tell a reader nothing. */
const WORTH_SAYING_MAX = 1_000_000

function boundsOf(node: SchemaNode): string {
  const { minimum, maximum, maxLength, minItems, maxItems } = node
  const said: string[] = []
  if (node.enum) said.push(`one of ${node.enum.join(', ')}`)
  const isSaid = node.description?.includes(String(maximum)) ?? false
  if (maximum !== undefined && maximum <= WORTH_SAYING_MAX && !isSaid) {
    said.push(minimum === undefined ? `up to ${digits(maximum)}`
      : `${digits(minimum)} to ${digits(maximum)}`)
  }
  if (maxLength !== undefined) said.push(`up to ${digits(maxLength)} characters`)
  if (maxItems !== undefined) {
    said.push(minItems === undefined ? `up to ${maxItems} entries` : `${minItems} to ${maxItems}`)
  }
  if (node.default !== undefined) said.push(`default ${JSON.stringify(node.default)}`)
  return said.join('; ')
}

const digits = (value: number): string => value.toLocaleString('en-US')
