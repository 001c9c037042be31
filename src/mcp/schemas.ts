/** The schemas of the table, cut to what a model that reads tools/list can use. */
import type { TSchema } from 'typebox'

export type Json = Record<string, unknown>

/** Bounds beyond it, and lengths, guard the machine; that counts start at one is understood. */
const BOUND_MAX = 1_000_000
const isWorthSaying = (name: string, bound: unknown): boolean =>
  typeof bound === 'number' && (name === 'minimum' ? bound > 1 : bound < BOUND_MAX)

const PLAIN = ['type', 'const', 'enum', 'description', 'default', 'format', 'minItems', 'maxItems']

export function inputSchema(schema: TSchema): Json {
  const source = schema as Json
  const brief: Json = {}
  for (const name of PLAIN) if (source[name] !== undefined) brief[name] = source[name]
  for (const name of ['minimum', 'maximum']) {
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
 * The names and types of the fields, and for lists the names in their elements: what a plan needs.
 * Nothing is required and nothing is excluded, because clients also check the structured content
 * of an error against it, which is `{ error }`.
 */
export function outputSchema(schema: TSchema): Json {
  const { type, properties } = schema as Json
  return { type, properties: mapValues((properties ?? {}) as Json, outline) }
}

function outline(schema: TSchema): Json {
  const { anyOf, type, items } = schema as Json
  if (anyOf) return union(anyOf as TSchema[], outline)
  if (type === undefined) return {}
  const names = (items as Json | undefined)?.['properties']
  if (!names) return { type }
  return { type, items: { type: 'object', properties: mapValues(names as Json, () => ({})) } }
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
