/** An operation's example as a line for the shell: what a reader copies must run. */
import { exampleIn, type Entry } from './model.ts'

/** In single quotes nothing is special but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value))

/** `baseUrl` ends in the base path. The key is read from the variable KEY. */
export function curl(entry: Entry, baseUrl: string): string {
  const { method, operation: { access } } = entry
  const path = entry.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(textOf(exampleIn(entry, 'path')[name])))
  const query = Object.entries(exampleIn(entry, 'query'))
  const body = exampleIn(entry, 'body')
  const hasBody = Object.keys(body).length > 0
  const isPost = method === 'POST'
  const parts = [
    `curl ${query.length > 0 ? '-G ' : ''}${isPost && !hasBody ? '-X POST ' : ''}`
      + quoted(`${baseUrl}${path}`),
    ...(access === 'key' ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...Object.keys(exampleIn(entry, 'header')).map((name) => `-H "${name}: $(uuidgen)"`),
    ...query.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${textOf(value)}`)}`),
    ...(hasBody ? [
      "-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`,
    ] : []),
  ]
  return parts.join(' \\\n  ')
}
