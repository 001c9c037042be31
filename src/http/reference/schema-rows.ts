/** A schema as a list for people: one row a field, with its type and bounds in words. */
import type { TSchema } from 'typebox'

export interface Row {
  /** Dotted; `[]` stands for each element of a list. */
  readonly path: string
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
  readonly bounds: string
}

interface Node {
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
  const { properties = {}, required = [] } = schema as Node
  return Object.entries(properties).flatMap(([name, inner]) =>
    [
      rowOf(`${prefix}${name}`, inner, required.includes(name)),
      ...inside(`${prefix}${name}`, inner),
    ])
}

export const rowOf = (path: string, schema: TSchema, isRequired: boolean): Row => ({
  path,
  type: typeOf(schema as Node),
  isRequired,
  description: describe(schema as Node),
  bounds: boundsOf(schema as Node),
})

/** What an object, or the objects in a list, hold. */
export function inside(path: string, schema: TSchema): Row[] {
  const { items, anyOf } = schema as Node
  if (items) return inside(`${path}[]`, items)
  if (anyOf) return anyOf.flatMap((part) => inside(path, part))
  return rowsOf(schema, `${path}.`)
}

function typeOf({ type, anyOf, items, format, const: exact }: Node): string {
  if (anyOf) return [...new Set(anyOf.map((part) => typeOf(part as Node)))].join(' or ')
  if (items) return `list of ${typeOf(items as Node)}s`.replace('null', 'nothing')
  if (format === 'uuid') return 'UUID'
  if (format === 'date-time') return 'time'
  return exact === undefined ? type ?? 'any value' : JSON.stringify(exact)
}

/** A description inside "this or null" is the field's own. */
const describe = ({ description, anyOf }: Node): string => description
  ?? (anyOf ?? []).map((part) => (part as Node).description).find(Boolean) ?? ''

/** Larger bounds guard the machine and tell a reader nothing. */
const WORTH_SAYING_MAX = 1_000_000

function boundsOf(node: Node): string {
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
