/**
 * Calls that came before. A client sends the same search again under another id: what stands around
 * the id is the same text, so it is the same call, parsed and checked once. Only calls of tools
 * that read, and that everybody may call: nothing personal is kept.
 */
import { LRUCache } from 'lru-cache'
import type { NodeOperation } from '../operations/define.ts'
import { settle, withoutBlanks } from '../validate.ts'
import { type Message, readMessage, type RequestId } from './rpc.ts'

/** Longer ones are rare, and mostly sent once. */
const BODY_BYTES_MAX = 2048
const KEPT_BYTES_MAX = 2_000_000
/** What a call takes beside its text, which is kept parsed as well. */
const CALL_BYTES = 500
const BYTES_PER_CHARACTER = 3

const ID = String.raw`"id":(0|[1-9]\d{0,14}|"[\w-]{1,64}")`
/** Where the libraries of clients put it: behind the version, or last. */
const IN_FRONT = new RegExp(String.raw`^\{("jsonrpc":"2\.0",)${ID},`)
const AT_END = new RegExp(String.raw`,${ID}\}$`)

interface Split {
  readonly id: RequestId
  /** The body without its id: a notification of the same words. */
  readonly rest: string
}

export class KnownCalls {
  private readonly tools: ReadonlyMap<string, NodeOperation>
  private readonly calls = new LRUCache<string, object>({
    maxSize: KEPT_BYTES_MAX,
    sizeCalculation: (_, text) => CALL_BYTES + BYTES_PER_CHARACTER * text.length,
  })

  constructor(tools: ReadonlyMap<string, NodeOperation>) {
    this.tools = tools
  }

  read(body: Buffer): Message {
    const split = body.length > BODY_BYTES_MAX ? undefined : splitId(body.toString('latin1'))
    if (!split) return readMessage(body)
    const params = this.calls.get(split.rest)
    if (params) return { kind: 'request', id: split.id, method: 'tools/call', params }
    const message = readMessage(body)
    return this.isRead(message) ? this.keep(message, split) : message
  }

  private isRead(message: Message): message is Call {
    if (message.kind !== 'request' || message.method !== 'tools/call') return false
    const { name, arguments: input } = (message.params ?? {}) as CallParams
    const operation = typeof name === 'string' ? this.tools.get(name) : undefined
    return operation?.access === 'anyone' && operation.effect === 'read'
      && typeof input === 'object' && input !== null
  }

  private keep(message: Call, { id, rest }: Split): Message {
    const { name, arguments: input } = message.params
    const { input: schema } = this.tools.get(name) as NodeOperation
    // With a second id in it, it would still be a request.
    if (message.id !== id || readMessage(Buffer.from(rest, 'latin1')).kind !== 'silent') {
      return message
    }
    try {
      const settled = settle(schema, withoutBlanks(schema, input) as object)
      const params = { ...message.params, arguments: settled }
      this.calls.set(rest, params)
      return { ...message, params }
    } catch {
      // The gate says what is wrong with it.
      return message
    }
  }
}

interface CallParams {
  readonly name: string
  readonly arguments: object
}
type Call = Extract<Message, { kind: 'request' }> & { readonly params: CallParams }

function splitId(text: string): Split | undefined {
  const front = IN_FRONT.exec(text)
  if (front) {
    const [whole, version = '', id = ''] = front
    return { id: idOf(id), rest: `{${version}${text.slice(whole.length)}` }
  }
  const end = AT_END.exec(text)
  return end ? { id: idOf(end[1] ?? ''), rest: `${text.slice(0, end.index)}}` } : undefined
}

const idOf = (token: string): RequestId =>
  token.startsWith('"') ? token.slice(1, -1) : Number(token)
