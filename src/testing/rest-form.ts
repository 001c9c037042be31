/** An operation's input as REST takes it. Tests and k6 scripts send by it: it imports nothing. */

/** As a client would write it: a hostile object's toString is never asked. */
const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value) ?? '')

/** Where each field of an input goes over REST. */
export function restForm(operation: { readonly route: string }, input: object) {
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
  if (method !== 'GET') return { method, path: `/v1${path}`, body: rest, headers }
  const query = Object.entries(rest)
    .map(([name, value]) => [name, textOf(value)].map(encodeURIComponent).join('=')).join('&')
  return { method, path: `/v1${path}${query && `?${query}`}`, body: undefined, headers }
}
