/** One request over REST, MCP or the cashier's form, and what became of it. Never rejects. */
import { Agent, request } from 'node:http'
import type { Operation } from '../../contract/operation.ts'
import { restForm } from '../rest-form.ts'

export type Via = 'rest' | 'mcp' | 'form'

export type Reply =
  | { readonly kind: 'answer', readonly status: number, readonly text: string }
  /** The connection ended without a whole answer. */
  | { readonly kind: 'broken', readonly why: string }
  /** Neither an answer nor an end, long after every deadline. */
  | { readonly kind: 'silent' }

export interface Sent {
  readonly reply: Promise<Reply>
  abort(): void
}

/** Far beyond any deadline of the service: a node that hangs is heard of before it. */
const SILENT_MS = 45_000

export interface Wire {
  operation(
    port: number, via: 'rest' | 'mcp', operation: Operation, input: object, apiKey: string,
  ): Sent
  pay(port: number, payUrl: string): Sent
  close(): void
}

interface Form {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string | undefined
}

export function createWire(): Wire {
  const connections = new Agent({ keepAlive: true, maxSockets: 64 })

  function send(port: number, { method, path, headers, body }: Form): Sent {
    let abort = (): void => undefined
    const reply = new Promise<Reply>((resolve) => {
      const broken = ({ message }: Error): void => resolve({ kind: 'broken', why: message })
      const outgoing = request({
        agent: connections, host: '127.0.0.1', port, method, path,
        headers: { ...headers, ...(body && { 'Content-Length': Buffer.byteLength(body) }) },
      }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => { parts.push(part) })
          .on('error', broken).on('aborted', () => broken(new Error('cut short')))
          .on('end', () => resolve({
            kind: 'answer', status: response.statusCode ?? 0, text: Buffer.concat(parts).toString(),
          }))
      })
      const silence = setTimeout(() => {
        resolve({ kind: 'silent' })
        outgoing.destroy()
      }, SILENT_MS)
      outgoing.on('error', broken).on('close', () => clearTimeout(silence)).end(body)
      abort = () => outgoing.destroy(new Error('given up'))
    })
    return { reply, abort: () => abort() }
  }

  return {
    operation(port, via, operation, input, apiKey) {
      const headers = { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' }
      if (via === 'rest') {
        const form = restForm(operation, input)
        return send(port, {
          ...form, headers: { ...headers, ...form.headers },
          body: form.body && JSON.stringify(form.body),
        })
      }
      return send(port, {
        method: 'POST', path: '/mcp',
        headers: { ...headers, 'MCP-Protocol-Version': '2025-11-25' },
        body: JSON.stringify({
          jsonrpc: '2.0', id: 1, method: 'tools/call',
          params: { name: operation.name, arguments: input },
        }),
      })
    },
    pay(port, payUrl) {
      const { pathname, searchParams } = new URL(payUrl)
      return send(port, {
        method: 'POST', path: pathname,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ t: searchParams.get('t') ?? '' }).toString(),
      })
    },
    close: () => connections.destroy(),
  }
}
