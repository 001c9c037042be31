/**
 * Who gets what agents' webhooks deliver: a server for each of them, which answers as it is told
 * and notes what came and what it took.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { sleep, withDeadline } from '../../src/contract/time.ts'
import type { Certificates } from './certificates.ts'
import type { Buyer } from './model.ts'

/** How a receiver answers. */
export type Manner = 'right' | 'error' | 'hang' | 'drip' | 'reset' | 'flood'

export interface Arrival {
  readonly id: string
  readonly type: string
  readonly orderNo: string | undefined
  readonly body: string
  readonly isSigned: boolean
  /** It was answered with 2xx. */
  isTaken: boolean
}

/** A delivery whose answer is held back. */
export interface Held {
  readonly webhookId: string
  /** Whether its sender is gone. */
  isCut(): boolean
  answer(): void
}

interface Message {
  readonly id: string
  readonly type: string
  readonly challenge?: string
  readonly data?: { readonly order_no?: string }
}

/** However busy the machine. */
const PROVEN_MS_MAX = 240_000
const DRIP_MS = 700
const FLOOD_BYTES = 50_000_000
const CHUNK = Buffer.alloc(65_536, 0x61)
const POLL_MS = 50
/** Answered one byte at a time, it takes longer than an attempt may. */
const STATUS_LINE = 'HTTP/1.1 200 OK\r\n\r\n'

export class Receiver {
  readonly buyer: Buyer
  readonly arrivals: Arrival[] = []
  readonly certificates: Certificates | undefined
  /** How many deliveries have met its present manner, or its certificate. */
  met = 0
  /** An event that is refused, whatever comes beside it. */
  refusedId: string | undefined
  webhookId = ''
  private manner: Manner = 'right'
  private secret = ''
  private onHeld: ((held: Held) => void) | undefined
  private readonly server: ReturnType<typeof createServer> | TlsServer

  constructor(buyer: Buyer, certificates: Certificates | undefined) {
    this.buyer = buyer
    this.certificates = certificates
    const take = (request: IncomingMessage, response: ServerResponse): void => {
      void this.receive(request, response).catch(() => response.destroy())
    }
    this.server = certificates
      ? createTlsServer({ key: certificates.key, cert: certificates.valid }, take)
        .on('tlsClientError', () => { this.met += 1 })
      : createServer(take)
  }

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    const { port } = this.server.address() as AddressInfo
    return `${this.certificates ? 'https' : 'http'}://127.0.0.1:${port}/hook`
  }

  /** Makes an endpoint of its own and waits until it is proven. */
  async subscribe(nodeUrl: string, url: string): Promise<void> {
    const call = async (
      method: string, body?: object, path = '',
    ): Promise<Record<string, never>> => {
      const answer = await fetch(`${nodeUrl}/v1/webhooks${path}`, {
        method, signal: AbortSignal.timeout(PROVEN_MS_MAX), ...(body && {
          body: JSON.stringify(body),
        }),
        headers: { 'X-Api-Key': this.buyer.apiKey, 'Content-Type': 'application/json' },
      })
      const { data } = await answer.json() as { data: Record<string, never> }
      if (answer.status === 503) {
        // A cluster that has just begun does not have its replicas yet.
        await sleep(POLL_MS)
        return await call(method, body, path)
      }
      if (!answer.ok) throw new Error(`a webhook cannot be made: ${JSON.stringify(data)}`)
      return data
    }
    const made = await call('POST', { url })
    this.webhookId = made['webhook_id'] ?? ''
    this.secret = made['secret'] ?? ''
    const list = async () => (await call('GET') as unknown as
      { webhooks: { webhook_id: string, state: string }[] }).webhooks
    // A call whose outcome was unknown may have made another one.
    for (const { webhook_id: other } of await list()) {
      if (other !== this.webhookId) await call('DELETE', {}, `/${other}`)
    }
    const isActive = async (): Promise<boolean> => {
      const webhooks = await list()
      return webhooks.some(({ state }) => state === 'active')
    }
    await withDeadline((async () => { while (!await isActive()) await sleep(POLL_MS) })(),
      PROVEN_MS_MAX, () => new Error('a webhook was not proven'))
  }

  behave(manner: Manner): void {
    this.manner = manner
    this.met = 0
  }

  /** Its certificate expires, or is renewed. */
  present(kind: 'valid' | 'expired'): void {
    const { key, [kind]: cert } = this.certificates as Certificates
    const server = this.server as TlsServer
    server.setSecureContext({ key, cert })
    server.closeAllConnections()
    this.met = 0
  }

  /** Holds back the answer to its next delivery. */
  holdNext(onHeld: ((held: Held) => void) | undefined): void {
    this.onHeld = onHeld
  }

  async close(): Promise<void> {
    this.server.close()
    this.server.closeAllConnections()
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const message = JSON.parse(body) as Message
    if (message.type === 'webhook.challenge') {
      response.end(JSON.stringify({ challenge: message.challenge }))
      return
    }
    const arrival: Arrival = {
      id: String(request.headers['webhook-id']), type: message.type, body, isTaken: false,
      orderNo: message.data?.order_no, isSigned: this.isSigned(request, body),
    }
    this.arrivals.push(arrival)
    this.met += 1
    const { onHeld } = this
    this.onHeld = undefined
    if (onHeld) this.hold(onHeld, arrival, response)
    else if (arrival.id === this.refusedId) response.writeHead(500).end()
    else this.answer(arrival, response)
  }

  /** By the official library; whatever the clocks of nodes, which a run may have shifted. */
  private isSigned({ headers }: IncomingMessage, body: string): boolean {
    const [id, at, signature] = ['id', 'timestamp', 'signature']
      .map((name) => String(headers[`webhook-${name}`]))
    const expected = new Webhook(this.secret).sign(id ?? '', new Date(Number(at) * 1000), body)
    return signature === expected
  }

  private hold(
    onHeld: (held: Held) => void, arrival: Arrival, response: ServerResponse,
  ): void {
    let isCut = false
    response.on('close', () => { isCut = !response.writableFinished })
    onHeld({
      webhookId: this.webhookId,
      isCut: () => isCut,
      answer: () => {
        arrival.isTaken = !isCut
        response.writeHead(204).end()
      },
    })
  }

  private answer(arrival: Arrival, response: ServerResponse): void {
    const { manner } = this
    arrival.isTaken = manner === 'right' || manner === 'flood'
    if (manner === 'right') response.writeHead(204).end()
    if (manner === 'error') response.writeHead(500).end('{"error": "on purpose"}')
    if (manner === 'reset') response.socket?.resetAndDestroy()
    if (manner === 'drip') drip(response)
    if (manner === 'flood') flood(response)
  }
}

function drip({ socket }: ServerResponse): void {
  let at = 0
  const timer = setInterval(() => {
    socket?.write(STATUS_LINE[at] ?? '\n')
    at += 1
  }, DRIP_MS)
  socket?.on('error', () => undefined).on('close', () => clearInterval(timer))
}

function flood(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': FLOOD_BYTES })
  let left = FLOOD_BYTES
  const pour = (): void => {
    while (left > 0 && !response.destroyed) {
      const chunk = CHUNK.subarray(0, left)
      left -= chunk.length
      if (!response.write(chunk)) return
    }
    response.end()
  }
  response.on('drain', pour).on('error', () => undefined)
  pour()
}

/** One for each buyer, of which the first has TLS where certificates can be made. */
export async function startReceivers(
  buyers: readonly Buyer[], nodeUrl: string, certificates: Certificates | undefined,
  opened: (() => unknown)[],
): Promise<Receiver[]> {
  return await Promise.all(buyers.map(async (buyer, index) => {
    const receiver = new Receiver(buyer, index === 0 ? certificates : undefined)
    opened.push(() => receiver.close())
    await receiver.subscribe(nodeUrl, await receiver.listen())
    return receiver
  }))
}
