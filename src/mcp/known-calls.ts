/**
 * Calls that came before. A client sends the same search again under another id: what stands around
 * the id is the same text, so it is the same call, parsed and checked once. Only the list of tools,
 * and calls of those that read and that everybody may call: nothing personal is kept.
 */
import { LRUCache } from 'lru-cache'
import type { NodeOperation } from '../operations/define.ts'
import { settle, withoutBlanks } from '../validate.ts'
import { type Message, readMessage, type RequestId, type RpcRequest } from './rpc.ts'

/** Longer ones are rare, and mostly sent once. */
const BODY_BYTES_MAX = 2048
const KEPT_BYTES_MAX = 2_000_000
/** What a call takes beside its text, which is kept parsed as well. */
const CALL_BYTES = 500
const BYTES_PER_CHARACTER = 3
/** To keep what never comes again costs more than to parse it. */
const SEEN_MAX = 1000

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
  /** What came once, lately: it is kept when it comes again. */
  private readonly seen = new Set<string>()
  private readonly tools: ReadonlyMap<string, NodeOperation>
  private readonly calls = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES_MAX,
    sizeCalculation: (_, text) => CALL_BYTES + BYTES_PER_CHARACTER * text.length,
  })

  constructor(tools: ReadonlyMap<string, NodeOperation>) {
    this.tools = tools
  }

  read(body: Buffer): Message {
    const split = body.length > BODY_BYTES_MAX ? undefined : splitId(body.toString('latin1'))
    if (!split) return readMessage(body)
    const { id, rest } = split
    const known = this.calls.get(rest)
    if (known) return { kind: 'request', id, method: known.method, params: known.params }
    const message = readMessage(body)
    if (message.kind !== 'request' || message.id !== id) return message
    if (this.isNew(rest) || hasSecondId(rest)) return message
    if (message.method === 'tools/list') return this.keep(message, rest, message.params)
    return this.isRead(message) ? this.keepCall(message, rest) : message
  }

  private isNew(rest: string): boolean {
    if (this.seen.delete(rest)) return false
    if (this.seen.size >= SEEN_MAX) this.seen.clear()
    this.seen.add(rest)
    return true
  }

  private isRead(message: RpcRequest): message is Call {
    if (message.method !== 'tools/call') return false
    const { name, arguments: input } = (message.params ?? {}) as CallParams
    const operation = typeof name === 'string' ? this.tools.get(name) : undefined
    return operation?.access === 'anyone' && operation.effect === 'read'
      && typeof input === 'object' && input !== null
  }

  private keep({ id, method }: RpcRequest, rest: string, params: unknown): RpcRequest {
    this.calls.set(rest, { method, params })
    return { kind: 'request', id, method, params }
  }

  private keepCall(message: Call, rest: string): RpcRequest {
    const { name, arguments: input } = message.params
    const { input: schema } = this.tools.get(name) as NodeOperation
    try {
      const settled = settle(schema, withoutBlanks(schema, input) as object)
      return this.keep(message, rest, { ...message.params, arguments: settled })
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
type Call = RpcRequest & { readonly params: CallParams }

/** What a call is beside its id. */
type Kept = Pick<RpcRequest, 'method' | 'params'>

/** With a second id in it, the rest is still a request, and no other id in front changes that. */
const hasSecondId = (rest: string): boolean => (rest.includes('"id"') || rest.includes('\\'))
  && readMessage(Buffer.from(rest, 'latin1')).kind !== 'silent'

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
