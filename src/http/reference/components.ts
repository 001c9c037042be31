/** Schemas that several operations share, said once and referred to by name. */
import type { TSchema } from 'typebox'
import * as affiliateFields from '../../contract/affiliate-fields.ts'
import * as fields from '../../contract/fields.ts'
import * as goodsFields from '../../operations/goods-fields.ts'
import * as orderFields from '../../operations/order-fields.ts'
import { CATEGORIES } from '../../goods/categories.ts'
import { PLAIN_TEXT } from '../../validate.ts'
import { forGenerators, mergeScalars } from './generators.ts'

export type Json = Record<string, unknown>

/** The schema as plain JSON, without our own keywords. */
export const plain = (schema: TSchema): Json => JSON.parse(JSON.stringify(schema,
  (key, value: unknown) => (key === 'secret' || key === 'restOnly' ? undefined : value))) as Json

/** What is worth a name: things and words, not every number between two bounds. */
function deservesName(schema: Json): boolean {
  return ['object', 'string'].includes(String(schema['type']))
    && ['properties', 'enum', 'pattern', 'format'].some((word) => schema[word] !== undefined)
    || /^(sku|product|merchant)_id of|^Category/.test(String(schema['description'] ?? ''))
}

const isSchema = (value: unknown): value is TSchema =>
  typeof value === 'object' && value !== null && '~kind' in value
  || (value as Json | null)?.['enum'] !== undefined

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
type Way = (schema: Json) => Json
const ANSWERED: Way = (schema) => schema
/** The validator refuses control characters in every text: a form of its own excludes them. */
export const SENT: Way = (schema) => (schema['type'] === 'string'
  && ['pattern', 'format', 'enum', 'const'].every((word) => schema[word] === undefined)
  ? { ...schema, pattern: PLAIN_TEXT } : schema)

/** `create_order` as the generators of typed clients like it: CreateOrder. */
export const pascal = (name: string): string => name.split('_')
  .map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')

export class Components {
  readonly schemas: Record<string, Json> = {}

  /** What a caller sends, with what has a name replaced by a reference. */
  refer(schema: TSchema): Json {
    return this.walk(plain(schema), SENT)
  }

  /** The same, and the schema itself becomes a component if it is not one yet. */
  define(name: string, schema: TSchema, way: Way = ANSWERED): Json {
    const given = plain(schema)
    return NAMED.has(JSON.stringify(given)) ? this.walk(given, way)
      : this.add(name, () => this.inside(given, way))
  }

  /** The schema itself, even where an equal one has a name. */
  inline(schema: TSchema): Json {
    return this.inside(plain(schema), ANSWERED)
  }

  add(name: string, make: () => Json): Json {
    if (!Object.hasOwn(this.schemas, name)) {
      // Claimed before it is made: the order of components is the order of use.
      this.schemas[name] = {}
      this.schemas[name] = make()
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  private walk(schema: Json, way: Way): Json {
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

  private inside(schema: Json, way: Way): Json {
    const { patternProperties, ...rest } = schema
    const result: Json = { ...way(forGenerators(rest)) }
    if (rest['properties']) result['properties'] = this.each(rest['properties'] as Json, way)
    if (rest['items']) result['items'] = this.walk(rest['items'] as Json, way)
    if (rest['anyOf']) Object.assign(result, this.union(rest['anyOf'] as Json[], way))
    // A map: generators understand additionalProperties, and not every one patternProperties.
    const [any] = Object.values((patternProperties ?? {}) as Json)
    if (any) result['additionalProperties'] = this.walk(any as Json, way)
    return result
  }

  private each = (properties: Json, way: Way): Json => Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, this.walk(inner as Json, way)]))

  /** "A number or null" is a list of types; with a reference in it, it stays a union. */
  private union(parts: Json[], way: Way): Json {
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
