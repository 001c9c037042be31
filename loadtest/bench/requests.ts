/** HTTP requests as bytes that a load generator repeats without a thought. */
import { writeFileSync } from 'node:fs'

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'OPTIONS'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Stands in no request. */
const SEPARATOR = '\u001e'

export function encodeCall({ method, path, headers = {}, body }: HttpCall): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  if (body !== undefined) {
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

export function writeCalls(path: string, calls: Iterable<HttpCall>): number {
  const encoded = Array.from(calls, encodeCall)
  writeFileSync(path, encoded.join(SEPARATOR), { mode: 0o600 })
  return encoded.length
}

/** Each call with the next of the keys: no key's rate is the limit, and each is checked. */
export function withKeys(calls: readonly HttpCall[], apiKeys: readonly string[]): HttpCall[] {
  // Fewer calls than keys are repeated until every key has had each of them.
  const count = calls.length >= apiKeys.length ? calls.length : calls.length * apiKeys.length
  return Array.from({ length: count }, (_, at) => {
    const call = calls[at % calls.length] as HttpCall
    const authorization = `Bearer ${apiKeys[at % apiKeys.length]}`
    return { ...call, headers: { Authorization: authorization, ...call.headers } }
  })
}

export async function send(
  port: number, call: HttpCall,
): Promise<{ status: number, text: string }> {
  const { method, path, headers = {}, body } = call
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(10_000),
  })
  return { status: response.status, text: await response.text() }
}
