/** A value that fits a schema, for answers that no running node has given yet. */
import type { TSchema } from 'typebox'

interface Node {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
  readonly minimum?: number
  readonly minLength?: number
  readonly pattern?: string
  readonly format?: string
}

/** Undefined where a text must have a form of which the schema shows no example. */
export function sample(schema: TSchema): unknown {
  try {
    return valueOf(schema, '')
  } catch (error) {
    if (error instanceof NoExample) return undefined
    throw error
  }
}

class NoExample extends Error {}

/** `name` stands in for texts that have no example of their own. */
function valueOf(schema: TSchema, name: string): unknown {
  const node = schema as Node
  const [shown = node.const ?? node.default ?? node.enum?.[0]] = node.examples ?? []
  if (shown !== undefined) return shown
  if (node.anyOf) return valueOf(node.anyOf[0] as TSchema, name)
  switch (node.type) {
    case 'object':
      return Object.fromEntries(Object.entries(node.properties ?? {})
        .map(([key, inner]) => [key, valueOf(inner, key)]))
    case 'array': return node.items ? [valueOf(node.items, name)] : []
    case 'integer': case 'number': return node.minimum ?? 0
    case 'boolean': return false
    case 'null': return null
    default: return textFor(node, name)
  }
}

function textFor({ pattern, format, minLength = 0 }: Node, name: string): string {
  const text = name.replaceAll('_', ' ')
  if (pattern !== undefined || format !== undefined || text.length < minLength) {
    throw new NoExample()
  }
  return text
}
