/**
 * Examples of the documents: answers, recorded from a running node or made by the code that makes
 * real ones, and requests as programs, which must run as they are copied.
 */
import type { TSchema } from 'typebox'
import { errorData, type ErrorName, ERRORS, Refusal } from '../../contract/errors.ts'
import type { HttpReply } from '../../contract/http.ts'
import { parseJson } from '../../contract/json.ts'
import type { OperationSpec } from '../../contract/operation.ts'
import { failure, success } from '../envelope.ts'
import { wholeBody } from '../reply.ts'
import recorded from './answers.json' with { type: 'json' }
import { ERROR_NOTES } from './error-notes.ts'
import { type Entry, exampleIn } from './model.ts'

/** Where the recording node said it was: replaced by where this one is. */
export const RECORDED_URL = 'http://localhost:8080'
export const AGENT_EXAMPLE = 'ag_5R2K8M0Q7T3VYXNC'
const REQUEST_ID_EXAMPLE = '6f0c2b9e-58a1-4d35-9a4e-2f7d1c0b8e63'

export const ERROR_NAMES = Object.keys(ERRORS) as ErrorName[]
export const ERRORS_BY_CODE: readonly ErrorName[] =
  ERROR_NAMES.toSorted((one, other) => ERRORS[one].code - ERRORS[other].code)

export const SAMPLE_LANGUAGES =
  { curl: 'curl', javascript: 'JavaScript', python: 'Python' } as const
export type SampleLanguage = keyof typeof SAMPLE_LANGUAGES
export type Samples = Readonly<Record<SampleLanguage, string>>

const ANSWERS = recorded as Readonly<Record<string, unknown>>

export interface AnswerExample {
  readonly data: unknown
  /** Given by a node; otherwise made from the schema. */
  readonly isRecorded: boolean
}

/** Undefined where there is no recording and the schema does not say enough to make a value. */
export function answerExample(
  operation: OperationSpec, publicUrl: string,
): AnswerExample | undefined {
  const { name, output } = operation
  const isRecorded = Object.hasOwn(ANSWERS, name)
  const data = isRecorded ? ANSWERS[name] : sample(output)
  if (data === undefined) return undefined
  const text = JSON.stringify(data).replaceAll(RECORDED_URL, publicUrl)
  return { data: JSON.parse(text), isRecorded }
}

export function successBody(data: unknown, agent: string | null): unknown {
  return json(success(Buffer.from(JSON.stringify(data)), agent, [], false))
}

const NOBODY: readonly ErrorName[] = [
  'key_required', 'key_invalid', 'too_large', 'headers_too_large', 'method_not_allowed',
]

/** The whole body of an error answer, as a node would send it. */
export function errorBody(name: ErrorName, detail = ERROR_NOTES[name].detail): unknown {
  const refusal = new Refusal(name, detail)
  const agent = NOBODY.includes(name) ? null : AGENT_EXAMPLE
  return json(failure(errorData(refusal, REQUEST_ID_EXAMPLE), agent, []))
}

const json = ({ body }: HttpReply): unknown => parseJson(wholeBody(body))

interface SchemaNode {
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

/**
 * A value that fits a schema, for answers that no node has given yet. Undefined where a text must
 * have a form of which the schema shows no example.
 */
function sample(schema: TSchema): unknown {
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
  const node = schema as SchemaNode
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

function textFor({ pattern, format, minLength = 0 }: SchemaNode, name: string): string {
  const text = name.replaceAll('_', ' ')
  if (pattern !== undefined || format !== undefined || text.length < minLength) {
    throw new NoExample()
  }
  return text
}

/** What the sample sends; the key and the UUID are made by the program itself. */
interface SampleRequest {
  readonly method: string
  readonly url: string
  readonly query: readonly (readonly [name: string, value: string])[]
  readonly needsKey: boolean
  /** Headers whose values are new UUIDs. */
  readonly uuids: readonly string[]
  readonly body: Readonly<Record<string, unknown>> | undefined
}

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value))

function requestOf(entry: Entry, baseUrl: string): SampleRequest {
  const path = entry.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(textOf(exampleIn(entry, 'path')[name])))
  const body = exampleIn(entry, 'body')
  return {
    method: entry.method,
    url: `${baseUrl}${path}`,
    query: Object.entries(exampleIn(entry, 'query')).map(([name, value]) => [name, textOf(value)]),
    needsKey: entry.operation.access === 'key',
    uuids: Object.keys(exampleIn(entry, 'header')),
    body: Object.keys(body).length > 0 ? body : undefined,
  }
}

/** `baseUrl` ends in the base path. The key is read from the variable KEY. */
export function samplesOf(entry: Entry, baseUrl: string): Samples {
  const request = requestOf(entry, baseUrl)
  return { curl: curl(request), javascript: javascript(request), python: python(request) }
}

/** In single quotes nothing is special but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

function curl({ method, url, query, needsKey, uuids, body }: SampleRequest): string {
  const implied = body ? 'POST' : 'GET'
  return [
    `curl ${query.length > 0 ? '-G ' : ''}${method === implied ? '' : `-X ${method} `}`
      + quoted(url),
    ...(needsKey ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...uuids.map((name) => `-H "${name}: $(uuidgen)"`),
    ...query.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
    ...(body ? [
      "-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`,
    ] : []),
  ].join(' \\\n  ')
}

const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)
const list = (lines: readonly string[], by: string): string =>
  lines.map((line) => `\n${by}${line},`).join('')

function javascript({ method, url, query, needsKey, uuids, body }: SampleRequest): string {
  const address = query.length === 0 ? JSON.stringify(url)
    : `${JSON.stringify(`${url}?`)} + new URLSearchParams({${
      list(query.map(([name, value]) => `${name}: ${JSON.stringify(value)}`), '  ')}\n})`
  const headers = [
    ...(needsKey ? ['Authorization: `Bearer ${process.env.KEY}`'] : []),
    ...uuids.map((name) => `"${name}": crypto.randomUUID()`),
    ...(body ? ['"Content-Type": "application/json"'] : []),
  ]
  const literal = body && JSON.stringify(body, null, 2).replaceAll(/^( *)"(\w+)":/gm, '$1$2:')
  const options = [
    ...(method === 'GET' ? [] : [`method: "${method}"`]),
    ...(headers.length > 0 ? [`headers: {${list(headers, '    ')}\n  }`] : []),
    ...(literal === undefined ? [] : [`body: JSON.stringify(${indented(literal, '  ')})`]),
  ]
  return `const response = await fetch(${address}${
    options.length > 0 ? `, {${list(options, '  ')}\n}` : ''})\n`
    + 'const { code, msg, data } = await response.json()\n'
    + 'console.log(code === 0 ? data : msg)'
}

function python({ method, url, query, needsKey, uuids, body }: SampleRequest): string {
  const headers = [
    ...(needsKey ? [`"Authorization": "Bearer " + os.environ["KEY"]`] : []),
    ...uuids.map((name) => `"${name}": str(uuid.uuid4())`),
    ...(body ? ['"Content-Type": "application/json"'] : []),
  ]
  const modules = [
    'json', ...(needsKey ? ['os'] : []), ...(query.length > 0 ? ['urllib.parse'] : []),
    'urllib.request', ...(uuids.length > 0 ? ['uuid'] : []),
  ]
  const address = query.length === 0 ? JSON.stringify(url)
    : `${JSON.stringify(`${url}?`)} + urllib.parse.urlencode({${
      list(query.map((pair) => pair.map((text) => JSON.stringify(text)).join(': ')), '        ')
    }\n    })`
  const parts = [
    address,
    ...(method === 'GET' ? [] : [`method="${method}"`]),
    ...(headers.length > 0 ? [`headers={${list(headers, '        ')}\n    }`] : []),
    ...(body ? [`data=json.dumps(${indented(pythonLiteral(body), '    ')}).encode()`] : []),
  ]
  return `import ${modules.join(', ')}\n\n`
    + `request = urllib.request.Request(${list(parts, '    ')}\n)\n`
    + 'with urllib.request.urlopen(request, timeout=10) as response:\n'
    + '    print(json.load(response)["data"])'
}

const PYTHON_NAMES = new Map<unknown, string>([[true, 'True'], [false, 'False'], [null, 'None']])

function pythonLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${list(value.map(nestedLiteral), '    ')}\n]`
  if (typeof value !== 'object' || value === null) {
    return PYTHON_NAMES.get(value) ?? JSON.stringify(value)
  }
  const entries = Object.entries(value).map(([name, one]) =>
    `${JSON.stringify(name)}: ${nestedLiteral(one)}`)
  return `{${list(entries, '    ')}\n}`
}

const nestedLiteral = (value: unknown): string => indented(pythonLiteral(value), '    ')
