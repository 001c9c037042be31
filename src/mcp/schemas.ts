/** The schemas of the table, cut to what a model that reads tools/list can use. */
import type { TSchema } from 'typebox'

export type Json = Record<string, unknown>

/** Bounds beyond it guard the machine; that counts start at one goes without saying. */
const BOUND_MAX = 1_000_000
const isWorthSaying = (name: string, bound: unknown): boolean =>
  typeof bound === 'number' && (name === 'minimum' ? bound > 1 : bound < BOUND_MAX)

const PLAIN = ['type', 'const', 'enum', 'description', 'default', 'format', 'minItems', 'maxItems']

/** Nested objects deeper than this are only said to be objects. */
export const OUTPUT_DEPTH = 2

export function inputSchema(schema: TSchema): Json {
  const source = schema as Json
  const brief: Json = {}
  for (const name of PLAIN) if (source[name] !== undefined) brief[name] = source[name]
  for (const name of ['minimum', 'maximum', 'maxLength']) {
    if (isWorthSaying(name, source[name])) brief[name] = source[name]
  }
  if (source['items']) brief['items'] = inputSchema(source['items'] as TSchema)
  if (source['properties']) {
    brief['properties'] = mapValues(source['properties'] as Json, inputSchema)
    if ((source['required'] as string[] | undefined)?.length) brief['required'] = source['required']
  }
  if (source['anyOf']) Object.assign(brief, union(source['anyOf'] as TSchema[], inputSchema))
  return brief
}

/**
 * Types and names only. Nothing is required and nothing is excluded: clients also check the
 * structured content of an error against it, which is `{ error }`.
 */
export function outputSchema(schema: TSchema, depth = OUTPUT_DEPTH): Json {
  const source = schema as Json
  if (source['anyOf']) {
    return union(source['anyOf'] as TSchema[], (part) => outputSchema(part, depth))
  }
  const type = source['type']
  if (type === undefined) return {}
  if (type === 'array' && depth > 0 && source['items']) {
    return { type, items: outputSchema(source['items'] as TSchema, depth) }
  }
  if (type === 'object' && depth > 0 && source['properties']) {
    const properties = mapValues(source['properties'] as Json,
      (property) => outputSchema(property, depth - 1))
    return { type, properties }
  }
  return { type }
}

/** "T or null" as a list of types, which every client and model understands. */
function union(parts: readonly TSchema[], brief: (part: TSchema) => Json): Json {
  const others = parts.filter((part) => (part as Json)['type'] !== 'null')
  const [only] = others
  if (others.length !== 1 || only === undefined) return { anyOf: parts.map(brief) }
  const { type, ...rest } = brief(only)
  if (parts.length === 1 || typeof type !== 'string') return brief(only)
  return { type: [type, 'null'], ...rest }
}

const mapValues = (record: Json, map: (value: TSchema) => Json): Json =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value as TSchema)]))
