/** Results of tools/call: the data itself, and refusals that an agent can act on. */
import { ERRORS, type ErrorData } from '../contract/errors.ts'
import type { JsonText } from '../contract/json.ts'

const TEXT = Buffer.from('{"content":[{"type":"text","text":')
const STRUCTURED = Buffer.from('}],"structuredContent":')

/** JSON in pieces, ready to send. */
export type Pieces = readonly Buffer[]

export interface CallResults {
  /** The data twice, without parsing it: as it is, and as text for hosts that show only text. */
  success(data: JsonText): Pieces
  failure(error: ErrorData): Pieces
}

/** `stamp` is what every result of an era has beside its content. */
export function createCallResults(stamp: object, publicUrl: string): CallResults {
  const members = stamped({}, stamp).subarray(1)
  const end = members.length > 1 ? Buffer.concat([Buffer.from(','), members]) : members
  const failedEnd = Buffer.concat([Buffer.from(',"isError":true'), end])
  return {
    success: (data) => [TEXT, data.asString, STRUCTURED, data.bytes, end],
    failure(error) {
      const text = Buffer.from(JSON.stringify(failureText(error, publicUrl)))
      return [TEXT, text, STRUCTURED, Buffer.from(JSON.stringify({ error })), failedEnd]
    },
  }
}

/** A result that is made at boot and sent as it is. */
export const stamped = (result: object, stamp: object): Buffer =>
  Buffer.from(JSON.stringify({ ...result, ...stamp }))

/** One paragraph: what happened, what to do, and the facts that a decision needs. */
export function failureText(data: ErrorData, publicUrl: string): string {
  const { error, hint, fields = [], retry_after_s, request_id, ...facts } = data
  const parts = [`${error}: ${ERRORS[error].msg}`]
  if (fields.length > 0) {
    const problems = fields.map(({ path, problem }) => `${path || 'arguments'} ${problem}`)
    parts.push(`${problems.join('; ')}.`)
  }
  for (const [name, value] of Object.entries(facts)) {
    if (value !== undefined) parts.push(`${name}: ${factText(value)}.`)
  }
  parts.push(error === 'key_required' ? keyHint(publicUrl) : hint)
  if (retry_after_s !== undefined) parts.push(`Retry after ${retry_after_s} s.`)
  parts.push(`(request_id ${request_id})`)
  return parts.join(' ')
}

const factText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** Over MCP the header is set in the host's configuration, which the agent may not reach. */
const keyHint = (publicUrl: string): string =>
  `Get a key at once with POST ${publicUrl}/v1/trial-keys and have your user put the header `
  + '"Authorization: Bearer <API_KEY>" into the configuration of this MCP server. Without a key, '
  + 'searching works.'
