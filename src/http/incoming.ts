import { randomUUID } from 'node:crypto'
import type { ClientAddress } from './address.ts'
import type { Body } from './body.ts'
import type { Head } from './head.ts'
import type { HttpRequest } from '../contract/http.ts'

const TAKEN_ID = /^[\w.-]{1,64}$/
const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({})
const NO_BODY = Buffer.alloc(0)

/** What a request says, as handlers see it; how it is answered is the exchange's part. */
export abstract class Incoming implements HttpRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly id: string
  route = ''
  params = NO_PARAMS
  protected readonly head: Head
  readonly isHead: boolean
  protected content: Body | undefined
  protected notes: Record<string, unknown> | undefined
  private readonly addressOf: ClientAddress
  private client: string | undefined
  private aborter: AbortController | undefined
  isAborted = false

  constructor(
    method: string, path: string, query: string, head: Head, addressOf: ClientAddress,
  ) {
    this.isHead = method === 'HEAD'
    this.method = this.isHead ? 'GET' : method
    this.path = path
    this.query = query
    this.head = head
    this.addressOf = addressOf
    const id = head.get('x-request-id')
    this.id = id !== undefined && TAKEN_ID.test(id) ? id : randomUUID()
  }

  /** The other end of the connection; undefined once the connection may not be asked. */
  protected abstract peer(): string | undefined

  get address(): string {
    if (this.client === undefined) {
      const peer = this.peer()
      if (peer !== undefined) this.client = this.addressOf(peer, this.header('x-forwarded-for'))
    }
    return this.client ?? ''
  }

  get signal(): AbortSignal {
    this.aborter ??= new AbortController()
    if (this.isAborted) this.aborter.abort()
    return this.aborter.signal
  }

  header(name: string): string | undefined {
    return this.head.get(name)
  }

  body(): Promise<Buffer> {
    return this.content ? this.content.read() : Promise.resolve(NO_BODY)
  }

  note(fields: Record<string, unknown>): void {
    this.notes = this.notes ? Object.assign(this.notes, fields) : fields
  }

  protected abort(): void {
    this.isAborted = true
    this.aborter?.abort()
  }
}
