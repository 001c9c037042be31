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
  private pieces: Buffer[] = []
  private size = 0
  /** Fewer bytes than this cannot be a whole answer, so they are not even looked at. */
  private wanted = 0
  private wake: () => void = () => {}

  constructor(socket: Socket) {
    this.socket = socket.setNoDelay()
    socket.on('data', (bytes) => {
      this.pieces.push(bytes)
      this.size += bytes.length
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
    return this.received().toString('latin1')
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

  private received(): Buffer {
    if (this.pieces.length !== 1) this.pieces = [Buffer.concat(this.pieces)]
    return this.pieces[0] as Buffer
  }

  private take(isHead: boolean): RawAnswer | undefined {
    if (this.size < this.wanted) return undefined
    const received = this.received()
    const end = received.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const head = received.toString('latin1', 0, end)
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
    this.wanted = end + 4 + length
    if (isUntilClose ? !this.isClosed : this.size < this.wanted) return undefined
    const bodyEnd = isUntilClose ? received.length : this.wanted
    const body = received.toString('utf8', end + 4, bodyEnd)
    this.pieces = [received.subarray(bodyEnd)]
    this.size -= bodyEnd
    this.wanted = 0
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
  host = 'test',
): Promise<RawAnswer & { readonly client: RawClient }> {
  const client = await openRaw(port)
  await client.write(request(firstLine, lines, host))
  if (body.length > 0) await client.write(body)
  const answer = await client.answer(firstLine.startsWith('HEAD'))
  return { ...answer, client }
}

export const request = (
  firstLine: string, lines: readonly string[] = [], host = 'test',
): string =>
  [`${firstLine} HTTP/1.1`, `Host: ${host}`, ...lines, '', ''].join('\r\n')
