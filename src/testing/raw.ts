/** A client that writes bytes as they are, for requests that no HTTP library would send. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  readonly status: number
  /** Lower-case names; lines of the same name joined with commas. */
  readonly headers: Readonly<Record<string, string>>
  /** The head as it came. */
  readonly head: string
  readonly body: string
}

export class RawClient {
  readonly socket: Socket
  isClosed = false
  private received = Buffer.alloc(0)
  private wake: () => void = () => {}

  constructor(socket: Socket) {
    this.socket = socket.setNoDelay()
    socket.on('data', (bytes) => {
      this.received = Buffer.concat([this.received, bytes])
      this.wake()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      this.isClosed = true
      this.wake()
    })
  }

  /** What has come and was not taken by `answer`. */
  get rest(): string {
    return this.received.toString('latin1')
  }

  write(data: string | Buffer): Promise<void> {
    return new Promise((resolve) => { this.socket.write(data, 'latin1', () => resolve()) })
  }

  /** The next whole answer; rejects when the connection closes before it is complete. */
  async answer(isHead = false): Promise<RawAnswer> {
    for (;;) {
      const answer = this.take(isHead)
      if (answer) return answer
      if (this.isClosed) throw new Error(`closed after ${JSON.stringify(this.rest)}`)
      await this.more()
    }
  }

  async closed(): Promise<void> {
    while (!this.isClosed) await this.more()
  }

  destroy(): void {
    this.socket.destroy()
  }

  private more(): Promise<void> {
    return new Promise((resolve) => { this.wake = resolve })
  }

  private take(isHead: boolean): RawAnswer | undefined {
    const end = this.received.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const head = this.received.toString('latin1', 0, end)
    const [first = '', ...lines] = head.split('\r\n')
    const headers: Record<string, string> = {}
    for (const line of lines) {
      const name = line.slice(0, line.indexOf(':')).toLowerCase()
      const value = line.slice(line.indexOf(':') + 1).trim()
      headers[name] = name in headers ? `${headers[name]}, ${value}` : value
    }
    const length = isHead ? 0 : Number(headers['content-length'] ?? 0)
    // The native server's own answers announce no length: they end with the connection.
    const isUntilClose = headers['content-length'] === undefined
      && headers['connection'] === 'close' && !isHead
    if (isUntilClose ? !this.isClosed : this.received.length < end + 4 + length) return undefined
    const bodyEnd = isUntilClose ? this.received.length : end + 4 + length
    const body = this.received.toString('utf8', end + 4, bodyEnd)
    this.received = this.received.subarray(bodyEnd)
    return { status: Number(first.split(' ')[1]), headers, head, body }
  }
}

export async function openRaw(port: number): Promise<RawClient> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return new RawClient(socket)
}

/** One request on a connection of its own. `lines` are header lines, each without its end. */
export async function ask(
  port: number, firstLine: string, lines: readonly string[] = [], body: string | Buffer = '',
): Promise<RawAnswer & { readonly client: RawClient }> {
  const client = await openRaw(port)
  await client.write(request(firstLine, lines))
  if (body.length > 0) await client.write(body)
  const answer = await client.answer(firstLine.startsWith('HEAD'))
  return { ...answer, client }
}

export const request = (firstLine: string, lines: readonly string[] = []): string =>
  [`${firstLine} HTTP/1.1`, 'Host: test', ...lines, '', ''].join('\r\n')
