/** The tools that MCP offers: computed from the operation table, once, at boot. */
import type { ListToolsResult, Tool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import { isRequired } from '../operations/common-errors.ts'
import type { Operation } from '../contract/operation.ts'
import { inputSchema, outputSchema } from './schemas.ts'

/** What the narrowest known client accepts. */
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/

export interface Tools {
  readonly byName: ReadonlyMap<string, Operation>
  /** The result of tools/list. */
  readonly list: Buffer
}

export function createTools(operations: readonly Operation[]): Tools {
  const byName = new Map<string, Operation>()
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

export function toTool(operation: Operation): Tool {
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
function annotationsOf(operation: Operation): ToolAnnotations {
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
