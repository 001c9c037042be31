/** An operation's example as a program: what a reader copies must run. */
import { exampleIn, type Entry } from './model.ts'

export const SAMPLE_LANGUAGES =
  { curl: 'curl', javascript: 'JavaScript', python: 'Python' } as const
export type SampleLanguage = keyof typeof SAMPLE_LANGUAGES
export type Samples = Readonly<Record<SampleLanguage, string>>

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
  return [
    `curl ${query.length > 0 ? '-G ' : ''}${method === 'POST' && !body ? '-X POST ' : ''}`
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
  if (Array.isArray(value)) return `[${list(value.map(inside), '    ')}\n]`
  if (typeof value !== 'object' || value === null) {
    return PYTHON_NAMES.get(value) ?? JSON.stringify(value)
  }
  const entries = Object.entries(value).map(([name, one]) =>
    `${JSON.stringify(name)}: ${inside(one)}`)
  return `{${list(entries, '    ')}\n}`
}

const inside = (value: unknown): string => indented(pythonLiteral(value), '    ')
