/**
 * Schemas that several operations share, defined once and referred to by name, in the words that
 * generators of typed clients need.
 */
import type { TSchema } from 'typebox'
import * as affiliateFields from '../../affiliate/fields.ts'
import * as fields from '../../contract/fields.ts'
import { CATEGORIES } from '../../goods/categories.ts'
import * as goodsFields from '../../operations/goods-fields.ts'
import * as orderFields from '../../operations/order-fields.ts'
import { PLAIN_TEXT } from '../../validate.ts'

export type JsonSchema = Record<string, unknown>

const INT32_MAX = 2 ** 31 - 1
/** A UUID as a text: some languages have a type for the format, and clients that cannot send it. */
const UUID = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'

/** The schema as plain JSON, without our own keywords. */
export const plain = (schema: TSchema): JsonSchema => JSON.parse(JSON.stringify(schema,
  (key, value: unknown) =>
    (value === true && (key === 'secret' || key === 'restOnly') ? undefined : value)))

/** What is worth a name: things and words, not every number between two bounds. */
function deservesName(schema: JsonSchema): boolean {
  return ['object', 'string'].includes(String(schema['type']))
    && ['properties', 'enum', 'pattern', 'format'].some((word) => schema[word] !== undefined)
    || /^(sku|product|merchant)_id of|^Category/.test(String(schema['description'] ?? ''))
}

const isSchema = (value: unknown): value is TSchema =>
  typeof value === 'object' && value !== null && '~kind' in value
  || (value as JsonSchema | null)?.['enum'] !== undefined

/** By the text of the schema: equal schemas are one, wherever they are written. */
const NAMED = new Map<string, string>()
for (const [name, value] of [fields, goodsFields, orderFields, affiliateFields]
  .flatMap((module) => Object.entries(module))) {
  if (!isSchema(value)) continue
  const schema = plain(value)
  if (deservesName(schema)) NAMED.set(JSON.stringify(schema), name)
}

/** Said once here, in full; the list of tools has no room for it. */
const IN_FULL: Readonly<Record<string, string>> = {
  CategoryId: CATEGORIES.map(([id, , en]) => `${id} ${en}`).join('; '),
  Time: 'ISO 8601 in UTC',
}

const FEN = JSON.stringify(plain(fields.Fen()))
const FEN_SCHEMA = { ...plain(fields.Fen()), description: 'CNY fen: 1500 is CNY 15.00' }

/** What holds for each schema on one way, to the service or from it. */
type Way = (schema: JsonSchema) => JsonSchema
const ANSWERED: Way = (schema) => schema
/** The validator refuses control characters in every text: a form of its own excludes them. */
export const SENT: Way = (schema) => (schema['type'] === 'string'
  && ['pattern', 'format', 'enum', 'const'].every((word) => schema[word] === undefined)
  ? { ...schema, pattern: PLAIN_TEXT } : schema)

/** `create_order` as the generators of typed clients like it: CreateOrder. */
export const pascal = (name: string): string => name.split('_')
  .map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')

export class Components {
  readonly schemas: Record<string, JsonSchema> = {}

  /** What a caller sends, with what has a name replaced by a reference. */
  refer(schema: TSchema): JsonSchema {
    return this.walk(plain(schema), SENT)
  }

  /** The same, and the schema itself becomes a component if it is not one yet. */
  define(name: string, schema: TSchema, way: Way = ANSWERED): JsonSchema {
    const given = plain(schema)
    return NAMED.has(JSON.stringify(given)) ? this.walk(given, way)
      : this.add(name, () => this.inside(given, way))
  }

  /** The schema itself, even where an equal one has a name. */
  inline(schema: TSchema): JsonSchema {
    return this.inside(plain(schema), ANSWERED)
  }

  add(name: string, make: () => JsonSchema): JsonSchema {
    if (!Object.hasOwn(this.schemas, name)) {
      // Claimed before it is made: the order of components is the order of use.
      this.schemas[name] = {}
      this.schemas[name] = make()
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  private walk(schema: JsonSchema, way: Way): JsonSchema {
    const { description, ...rest } = schema
    if (JSON.stringify(rest) === FEN) {
      const reference = this.add('Fen', () => forGenerators(FEN_SCHEMA))
      return description === undefined ? reference : { ...reference, description }
    }
    const name = NAMED.get(JSON.stringify(schema))
    if (name === undefined) return this.inside(schema, way)
    const inFull = IN_FULL[name]
    return this.add(name, () =>
      this.inside(inFull ? { ...schema, description: inFull } : schema, way))
  }

  private inside(schema: JsonSchema, way: Way): JsonSchema {
    const { patternProperties, ...rest } = schema
    const result: JsonSchema = { ...way(forGenerators(rest)) }
    if (rest['properties']) result['properties'] = this.each(rest['properties'] as JsonSchema, way)
    if (rest['items']) result['items'] = this.walk(rest['items'] as JsonSchema, way)
    if (rest['anyOf']) Object.assign(result, this.union(rest['anyOf'] as JsonSchema[], way))
    // A map: generators understand additionalProperties, and not every one patternProperties.
    const [any] = Object.values((patternProperties ?? {}) as JsonSchema)
    if (any) result['additionalProperties'] = this.walk(any as JsonSchema, way)
    return result
  }

  private each = (properties: JsonSchema, way: Way): JsonSchema => Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, this.walk(inner as JsonSchema, way)]))

  /** "A number or null" is a list of types; with a reference in it, it stays a union. */
  private union(parts: JsonSchema[], way: Way): JsonSchema {
    const merged = mergeScalars(parts.map((part) => way(forGenerators(part))))
    if (merged) return { anyOf: undefined, ...merged }
    const walked = parts.map((part) => this.walk(part, way))
    const [only, end, ...more] = walked
    const isSimple = only?.['$ref'] === undefined && only?.['properties'] === undefined
      && only?.['enum'] === undefined && typeof only?.['type'] === 'string'
    if (end?.['type'] !== 'null' || more.length > 0 || !isSimple) return { anyOf: walked }
    return { anyOf: undefined, ...only, type: [only?.['type'], 'null'] }
  }
}

/** One schema, without those inside it. */
function forGenerators(schema: JsonSchema): JsonSchema {
  const { const: exact, format, ...rest } = schema
  const { type, maximum = Infinity } = rest
  // Without a format an integer has 32 bits in Go and Java.
  if (type === 'integer' && exact === undefined && Number(maximum) > INT32_MAX) {
    return { ...schema, format: 'int64' }
  }
  // OpenAPI Generator makes an enum of a constant, which does not compile with a boolean.
  if (type === 'boolean' && exact !== undefined) return rest
  return format === 'uuid' ? { ...rest, pattern: UUID } : schema
}

const SCALARS: readonly unknown[] = ['string', 'integer', 'number', 'boolean']

/**
 * A union of texts is a text of any of their forms, one of other scalars is any value: some
 * generators make an empty class of a union, which can hold neither. Undefined for other unions.
 */
function mergeScalars(parts: readonly JsonSchema[]): JsonSchema | undefined {
  if (!parts.every(({ type }) => SCALARS.includes(type))) return undefined
  const types = [...new Set(parts.map(({ type }) => type))]
  if (types[0] !== 'string' || types.length > 1) {
    return { description: `Of type ${types.join(' or ')}` }
  }
  const patterns = parts.flatMap(({ pattern }) => (pattern === undefined ? [] : [pattern]))
  const lengths = parts.map(({ maxLength = Infinity }) => Number(maxLength))
  return {
    type: 'string',
    ...(patterns.length === parts.length && { pattern: patterns.join('|') }),
    ...(lengths.every(Number.isFinite) && { maxLength: Math.max(...lengths) }),
  }
}

/** Go has one space of names for the values of all enums: those that share one say whose it is. */
export function nameEnumValues(schemas: Readonly<Record<string, JsonSchema>>): void {
  const enums = Object.entries(schemas)
    .flatMap(([name, { enum: values }]) => (values ? [{ name, values: values as string[] }] : []))
  const all = enums.flatMap(({ values }) => values)
  for (const { name, values } of enums) {
    if (!values.some((value) => all.filter((other) => other === value).length > 1)) continue
    const schema = schemas[name] as JsonSchema
    schema['x-enum-varnames'] = values.map((value) => constantOf(name, value))
  }
}

/** `OrderStatus`, `paid`: ORDER_STATUS_PAID */
const constantOf = (name: string, value: string): string =>
  `${name.replaceAll(/\B[A-Z]/g, '_$&')}_${value}`.toUpperCase()
