/** What generators of typed clients need said in other words than a validator. */
import type { Json } from './components.ts'

const INT32_MAX = 2 ** 31 - 1
/** A UUID as a text: some languages have a type for the format, and clients that cannot send it. */
const UUID = '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'

/** One schema, without those inside it. */
export function forGenerators(schema: Json): Json {
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
export function mergeScalars(parts: readonly Json[]): Json | undefined {
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
export function nameEnumValues(schemas: Readonly<Record<string, Json>>): void {
  const enums = Object.entries(schemas)
    .flatMap(([name, { enum: values }]) => (values ? [{ name, values: values as string[] }] : []))
  const all = enums.flatMap(({ values }) => values)
  for (const { name, values } of enums) {
    if (!values.some((value) => all.filter((other) => other === value).length > 1)) continue
    const schema = schemas[name] as Json
    schema['x-enum-varnames'] = values.map((value) => constantOf(name, value))
  }
}

/** `OrderStatus`, `paid`: ORDER_STATUS_PAID */
const constantOf = (name: string, value: string): string =>
  `${name.replaceAll(/\B[A-Z]/g, '_$&')}_${value}`.toUpperCase()
