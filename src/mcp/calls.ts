/** Results of tools/call: the data itself, and refusals that an agent can act on. */
import { ERRORS, type ErrorData } from '../errors.ts'

const TEXT = Buffer.from('{"content":[{"type":"text","text":')
const STRUCTURED = Buffer.from('}],"structuredContent":')
const END = Buffer.from('}')
const FAILED_END = Buffer.from(',"isError":true}')

/**
 * JSON as a JSON string, with its quotes. UTF-8 bytes pass as Latin-1 characters, which need no
 * escape above ASCII: that saves decoding and encoding, and is as fast as a loop over the bytes.
 */
export const jsonString = (json: Buffer): Buffer =>
  Buffer.from(JSON.stringify(json.toString('latin1')), 'latin1')

/** The data twice, without parsing it: as it is, and as text for hosts that show only text. */
export const successResult = (data: Buffer): Buffer[] =>
  [TEXT, jsonString(data), STRUCTURED, data, END]

export function failureResult(error: ErrorData, publicUrl: string): Buffer[] {
  const text = Buffer.from(JSON.stringify(failureText(error, publicUrl)))
  return [TEXT, text, STRUCTURED, Buffer.from(JSON.stringify({ error })), FAILED_END]
}

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
