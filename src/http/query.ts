/** Text from paths and query strings, turned into the types that an operation's input has. */
import type { TObject } from 'typebox'
import { Refusal, type FieldProblem } from '../contract/errors.ts'

/** A canonical integer; anything else stays text, and validation says what is wrong with it. */
const INTEGER = /^(0|-?[1-9][0-9]{0,15})$/

const ENCODED = /[%+]/

export function typed(schema: TObject, name: string, text: string): unknown {
  const type = (schema.properties[name] as { type?: string } | undefined)?.type
  if (type === 'integer' && INTEGER.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** Adds the query's parameters to `input`; one given twice or in a bad encoding is refused. */
export function readQuery(
  schema: TObject, query: string, input: Record<string, unknown>,
): Record<string, unknown> {
  if (query === '') return input
  const problems: FieldProblem[] = []
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    const value = decode(at < 0 ? '' : pair.slice(at + 1))
    if (name === undefined || value === undefined) {
      problems.push({ path: name ?? 'query', problem: 'must be percent-encoded UTF-8' })
    } else if (Object.hasOwn(input, name)) {
      problems.push({ path: name.slice(0, 80), problem: 'is given more than once' })
    } else {
      assign(input, name, typed(schema, name, value))
    }
  }
  if (problems.length > 0) throw new Refusal('invalid_request', { fields: problems.slice(0, 20) })
  return input
}

function assign(input: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') input[name] = value
  // Assigned, it would change what the object is; defined, it is an unknown field like others.
  else Object.defineProperty(input, name, { value, enumerable: true, configurable: true })
}

function decode(text: string): string | undefined {
  if (!ENCODED.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
