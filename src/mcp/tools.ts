/**
 * The tools that MCP offers, computed from the operation table at boot, with its schemas cut to
 * what a model that reads tools/list can use.
 */
import type { ListToolsResult, Tool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { TSchema } from 'typebox'
import type { OperationSpec } from '../contract/operation.ts'
import { isRequired, type NodeOperation } from '../operations/define.ts'

/** What the narrowest known client accepts. */
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/

type Json = Record<string, unknown>

/** Bounds beyond it, and lengths, guard the machine. */
const BOUND_MAX = 1_000_000
const isInformative = (bound: unknown): boolean =>
  typeof bound === 'number' && bound > 0 && bound < BOUND_MAX

const PLAIN = ['type', 'const', 'enum', 'description', 'default', 'minItems', 'maxItems']
/** Gemini refuses the whole list for any other format of a text. */
const FORMATS = new Set<unknown>(['date-time'])

export interface Tools {
  readonly byName: ReadonlyMap<string, NodeOperation>
  /** The result of tools/list. */
  readonly list: Buffer
}

export function createTools(operations: readonly NodeOperation[]): Tools {
  const byName = new Map<string, NodeOperation>()
  for (const operation of operations) {
    if (operation.tool === false) continue
    if (!TOOL_NAME.test(operation.name) || byName.has(operation.name)) {
      throw new Error(`${operation.name} is not a tool name, or is used twice.`)
    }
    byName.set(operation.name, operation)
  }
  const result: ListToolsResult = { tools: [...byName.values()].map(toTool) }
  return { byName, list: Buffer.from(JSON.stringify(result)) }
}

export function toTool(operation: OperationSpec): Tool {
  const { name, title, access, input, output } = operation
  const outcome = outputSchema(output, input)
  if (outcome['type'] !== 'object') throw new Error(`${name} must answer with an object.`)
  return {
    name,
    title,
    description: access === 'key'
      ? `${operation.description} Needs a key.` : operation.description,
    inputSchema: inputSchema(input) as Tool['inputSchema'],
    outputSchema: outcome as NonNullable<Tool['outputSchema']>,
    annotations: annotationsOf(operation),
  }
}

/** Hints that no reader of the list has to guess, from the operation's one word. */
function annotationsOf(operation: OperationSpec): ToolAnnotations {
  const { effect, openWorld } = operation
  const openWorldHint = openWorld === true
  if (effect === 'read') return { readOnlyHint: true, openWorldHint }
  return {
    readOnlyHint: false,
    destructiveHint: effect === 'update',
    ...isRequired(operation, 'idempotency_key') && { idempotentHint: true },
    openWorldHint,
  }
}

export function inputSchema(schema: TSchema): Json {
  const source = schema as Json
  const brief: Json = {}
  for (const name of PLAIN) if (source[name] !== undefined) brief[name] = source[name]
  for (const name of ['minimum', 'maximum']) {
    if (isInformative(source[name])) brief[name] = source[name]
  }
  if (FORMATS.has(source['format'])) brief['format'] = source['format']
  if (source['items']) brief['items'] = inputSchema(source['items'] as TSchema)
  if (source['properties']) {
    brief['properties'] = mapValues(offered(source['properties']), inputSchema)
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
export function outputSchema(schema: TSchema, input: TSchema): Json {
  const { type, properties } = schema as Json
  const asked = offered((input as Json)['properties'])
  const shown = Object.entries(offered(properties))
    // A page number that is repeated in the answer says nothing new.
    .filter(([name, { type: kind }]) => kind !== 'integer' || !asked[name])
  return { type, properties: mapValues(Object.fromEntries(shown), outline) }
}

function outline(schema: TSchema): Json {
  const { anyOf, type, items } = schema as Json
  if (anyOf) return union(anyOf as TSchema[], outline)
  if (type === undefined) return {}
  const names = (items as Json | undefined)?.['properties']
  if (!names) return { type }
  return { type, items: { type: 'object', properties: mapValues(offered(names), () => ({})) } }
}

/** "T or null" as a list of types, which every client and model understands. */
function union(parts: readonly TSchema[], brief: (part: TSchema) => Json): Json {
  const others = distinct(parts.filter((part) => (part as Json)['type'] !== 'null'))
  const [only] = others
  if (others.length !== 1 || only === undefined) return { anyOf: parts.map(brief) }
  const { type, ...rest } = brief(only)
  const isNullable = parts.some((part) => (part as Json)['type'] === 'null')
  if (!isNullable || typeof type !== 'string') return brief(only)
  return { type: [type, 'null'], ...rest }
}

const offered = (properties: unknown = {}): Record<string, Json> =>
  Object.fromEntries(Object.entries(properties as Record<string, Json>)
    .filter(([, property]) => property['restOnly'] !== true))

/** An item's id or its link: two patterns, and to a model one text. */
function distinct(parts: readonly TSchema[]): readonly TSchema[] {
  const types = new Set(parts.map((part) => (part as Json)['type']))
  return types.size === 1 && types.has('string') ? parts.slice(0, 1) : parts
}

const mapValues = (record: Json, map: (value: TSchema) => Json): Json =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value as TSchema)]))
