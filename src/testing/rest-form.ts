/** An operation's input as REST takes it. */
import type { Operation } from '../operations/define.ts'

/** As a client would write it: a hostile object's toString is never asked. */
const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value) ?? '')

/** Where each field of an input goes over REST. */
export function restForm(operation: Pick<Operation, 'route'>, input: object) {
  const [method, pattern] = operation.route.split(' ') as [string, string]
  const rest: Record<string, unknown> = { ...input }
  const headers: Record<string, string> = {}
  const path = pattern.replaceAll(/:([a-z_]+)/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(textOf(value))
  })
  if ('idempotency_key' in rest) {
    headers['Idempotency-Key'] = textOf(rest['idempotency_key'])
    delete rest['idempotency_key']
  }
  if (method === 'POST') return { method, path: `/v1${path}`, body: rest, headers }
  const query = new URLSearchParams(
    Object.entries(rest).map(([name, value]): [string, string] => [name, textOf(value)]),
  ).toString()
  return { method, path: `/v1${path}${query && `?${query}`}`, body: undefined, headers }
}
