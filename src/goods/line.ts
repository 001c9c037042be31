/**
 * One line of a catalogue file: what import takes, export writes and the generator makes, and the
 * check that lets it into the catalogue.
 */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { type Static, Type } from 'typebox'
import { withoutForged } from '../../adapters/text.ts'
import {
  CategoryId, CLOSED, Fen, GroupId, OneOf, Optional, ProductId, Spec, Text,
} from '../contract/fields.ts'
import { compile } from '../validate.ts'

export const SUPPLIES = ['own', 'mall_a', 'mall_b', 'mall_c'] as const
export type Supply = (typeof SUPPLIES)[number]

export const CatalogueLine = Type.Object({
  product_id: ProductId,
  supply: OneOf(SUPPLIES),
  title: Text(120),
  category_id: CategoryId,
  kind: Optional(Text(60)),
  /** Lines that have the same are variants of one product, such as its sizes and colours. */
  group_id: Optional(GroupId),
  brand: Text(60),
  retail_price: Type.Integer({ minimum: 1, maximum: 100_000_000 }),
  /** Units; taken for a new own product only. */
  stock: Optional(Type.Integer({ minimum: 0, maximum: 100_000_000 })),
  qty_cap: Type.Integer({ minimum: 1, maximum: 99 }),
  /** 0 for affiliate supplies. */
  merchant_id: Type.Integer({ minimum: 0, maximum: 9_999_999_999 }),
  shop: Text(60),
  ship_within_hours: Type.Integer({ minimum: 1, maximum: 8760 }),
  free_ship_threshold: Fen(),
  freight: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  agent_desc: Text(2000),
  aftersale_rules: Text(500),
  specs: Type.Array(Spec, { maxItems: 24 }),
  sales: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }),
  rating: Type.Number({ minimum: 0, maximum: 5 }),
  coupon: Optional(Type.Object({
    amount: Type.Integer({ minimum: 1, maximum: 100_000_000 }), threshold: Fen(),
  }, CLOSED)),
  /** The platform's own id of an affiliate item. */
  external_id: Optional(Type.String({ pattern: '^[0-9A-Za-z_-]{1,64}$' })),
  /** Absolute image addresses; without any, the node draws one. */
  images: Optional(Type.Array(Type.String({ pattern: '^https?://[^\\s"<>\\\\]{1,500}$' }),
    { maxItems: 9 })),
  /** True hides the item from the shelf and keeps its orders. */
  delisted: Optional(Type.Boolean()),
}, CLOSED)

export type CatalogueLine = Static<typeof CatalogueLine>

export type Checked =
  | { readonly line: CatalogueLine, readonly reason?: undefined }
  | { readonly line?: undefined, readonly reason: string }

const refused = (reason: string): Checked => ({ reason })

/** Cleans the text first: bounds hold for what will be shown, not for what is thrown away. */
export function checkLine(value: unknown): Checked {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refused('is not an object')
  }
  const given = cleaned(value as Record<string, unknown>)
  // Here and not above: a start that finds its data reads no line.
  const isValid = compile(CatalogueLine)
  if (!isValid(given)) return refused(reasonOf(isValid.errors?.[0]))
  const line = given as unknown as CatalogueLine
  const reason = line.supply === 'own' ? ownProblem(line) : mallProblem(line)
  return reason ? refused(reason) : { line }
}

function ownProblem(line: CatalogueLine): string | undefined {
  if (line.merchant_id === 0) return 'merchant_id must name the merchant of an own item'
  if (line.coupon) return 'coupon is for affiliate supplies: our own price is the price'
  if (line.external_id) return 'external_id is for affiliate supplies'
  return undefined
}

function mallProblem(line: CatalogueLine): string | undefined {
  if (line.merchant_id !== 0) return 'merchant_id must be 0 for an affiliate supply'
  if (line.stock !== undefined) return 'stock is for own items: a mall keeps its own'
  if (!line.external_id) return 'external_id must say which item of the platform it is'
  if (line.coupon && line.coupon.amount >= line.retail_price) {
    return 'coupon must be smaller than the price'
  }
  return undefined
}

/** Not the kind, which is a slug of the taxonomy or nothing. */
const ONE_LINE = ['title', 'brand', 'shop'] as const
const MANY_LINES = ['agent_desc', 'aftersale_rules'] as const

function cleaned(given: Record<string, unknown>): Record<string, unknown> {
  // Object.entries and not a spread assignment: a key `__proto__` stays a key, and is refused.
  const line: Record<string, unknown> = Object.fromEntries(Object.entries(given))
  for (const name of ONE_LINE) line[name] = clean(line[name], cleanLine)
  for (const name of MANY_LINES) line[name] = clean(line[name], cleanGoodsText)
  if (line['kind'] === undefined) delete line['kind']
  if (Array.isArray(line['specs'])) {
    line['specs'] = line['specs'].map((spec: unknown) =>
      typeof spec === 'object' && spec !== null
        ? Object.fromEntries(Object.entries(spec)
          .map(([key, text]) => [key, clean(text, cleanLine)]))
        : spec)
  }
  return line
}

const clean = (value: unknown, how: (text: string) => string): unknown =>
  typeof value === 'string' ? how(value) : value

/** Names our own fields only: a foreign name is text from outside. */
function reasonOf(error: ErrorObject | undefined): string {
  if (!error) return 'is not valid'
  const where = error.instancePath.slice(1).replaceAll('/', '.')
  const place = where ? `${where} ` : ''
  switch (error.keyword) {
    case 'required': return `${place}lacks ${String(error.params['missingProperty'])}`
    case 'additionalProperties': return `${place}has a field that is not known`
    case 'enum': return `${place}must be one of ${error.params['allowedValues'].join(', ')}`
    case 'pattern': return `${place}does not have the form that it must have`
    default: return `${place}${error.message ?? 'is not valid'}`
  }
}

/** Unseen: zero-width, direction, filler and tag characters, variation selectors, surrogates. */
const UNSEEN = new RegExp('['
  + '\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e'
  + '\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\ufdd0-\ufdef'
  + '\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}'
  + '\\p{Surrogate}]', 'gu')
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g
/** Letters and digits in disguise: full-width, mathematical, circled, squared. */
const DISGUISED = new RegExp('['
  + '\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u24b6-\u24e9'
  + '\\u{1d400}-\\u{1d7ff}\\u{1f110}-\\u{1f12b}\\u{1f130}-\\u{1f149}]+', 'gu')

/**
 * Product text is somebody else's. It must not hide anything from a reader, nor pass for the
 * words of a system or a tool when an agent reads it. Keeps line breaks; `cleanLine` has none.
 */
export function cleanGoodsText(text: string): string {
  let clean = text.replace(/\r\n?/g, '\n').replace(CONTROL, ' ').replace(UNSEEN, '')
    .replace(DISGUISED, (part) => part.normalize('NFKC')).normalize('NFC')
  clean = withoutForged(clean)
  return clean.replace(/[^\S\n]+/g, ' ').replace(/ ?\n ?/g, '\n').replace(/\n{3,}/g, '\n\n').trim()
}

export const cleanLine = (text: string): string => cleanGoodsText(text).replace(/\s+/g, ' ')
