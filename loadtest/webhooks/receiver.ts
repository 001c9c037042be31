/**
 * The receiver of all endpoints, as a process of its own: those below `/hang` get no answer. Told
 * to, it says how long events took to come to the others, by what they say of themselves.
 */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { nowMs } from '../../src/contract/time.ts'

export interface Received {
  /** From event to delivery, ms, each event of an endpoint once. */
  readonly waits: readonly number[]
  readonly repeated: number
  /** Deliveries that were left without an answer. */
  readonly hanging: number
}

interface Message {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly challenge?: string
}

const seen = new Set<string>()
let waits: number[] = []
let [repeated, hanging] = [0, 0]

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
    const message = JSON.parse(Buffer.concat(chunks).toString()) as Message
    if (message.type === 'webhook.challenge') {
      response.end(JSON.stringify({ challenge: message.challenge }))
    } else if (request.url?.startsWith('/hang')) {
      hanging += 1
    } else {
      note(`${request.url} ${message.id}`, nowMs() - Date.parse(message.timestamp))
      response.writeHead(204).end()
    }
  })
})

function note(delivery: string, ms: number): void {
  if (seen.has(delivery)) {
    repeated += 1
    return
  }
  seen.add(delivery)
  waits.push(ms)
}

process.on('message', () => {
  process.send?.({ waits, repeated, hanging } satisfies Received)
  waits = []
  ;[repeated, hanging] = [0, 0]
  seen.clear()
}).on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.send?.({ port: (server.address() as AddressInfo).port })
