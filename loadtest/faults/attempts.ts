/**
 * Sends an agent's requests as a good client does, over REST, MCP or the cashier's form: a
 * deadline, then the same again elsewhere; and says what a reply means and whether it is one that
 * the service documents.
 */
import { Agent, request } from 'node:http'
import { type ErrorName, ERRORS } from '../../src/contract/errors.ts'
import type { OperationSpec } from '../../src/contract/operation.ts'
import { monotonicMs, sleep } from '../../src/contract/time.ts'
import { errorsOf } from '../../src/operations/define.ts'
import { restForm } from '../../src/testing/rest-form.ts'
import type { Action, Purchase } from './model.ts'
import type { Random } from './random.ts'
import { type Known, knownOf } from './rules.ts'

interface AttemptsPlan {
  readonly wire: Wire
  /** Where nodes listen, whether they are up or not. */
  readonly ports: readonly number[]
  /** Takes one line for each attempt and its answer. */
  readonly log: (line: object) => void
}

export interface Attempts {
  /** Requests whose end is not known yet. */
  readonly open: ReadonlySet<Promise<unknown>>
  readonly count: { sent: number, unknown: number, late: number }
  operation(random: Random, what: {
    operation: OperationSpec, via: 'rest' | 'mcp', input: object,
    purchase: Purchase, action?: Action,
    onOutcome(outcome: Outcome, known: Known): void, port?: number,
  }): Promise<Outcome>
  pay(random: Random, purchase: Purchase, payUrl: string,
    onOutcome: (outcome: Outcome, known: Known) => void): Promise<Outcome>
}

const [DEADLINE_MS_MIN, DEADLINE_MS_MAX] = [3000, 5000]
const TRIES_MAX = 7
const [BACKOFF_MS, BACKOFF_MS_MAX] = [100, 1500]

export function createAttempts({ wire, ports, log }: AttemptsPlan): Attempts {
  const open = new Set<Promise<unknown>>()
  const count = { sent: 0, unknown: 0, late: 0 }

  async function send(random: Random, sending: {
    via: Via, name: string, purchase: Purchase, action?: Action | undefined,
    port?: number | undefined,
    start(port: number): Sent, judge(sent: Awaited<Sent['reply']>): Outcome,
    onOutcome(outcome: Outcome, known: Known): void,
  }): Promise<Outcome> {
    const { purchase, action, via, name, start, judge, onOutcome } = sending
    const port = sending.port ?? random.pick(ports)
    // Drawn before anything is awaited: the next draw must not depend on time.
    const deadline = random.integer(DEADLINE_MS_MIN, DEADLINE_MS_MAX)
    const isHungUp = random.happens(0.5)
    const at = monotonicMs()
    const known = knownOf(purchase, at)
    const number = count.sent += 1
    if (action) action.sent += 1
    const sent = start(port)
    const ended = sent.reply.then((reply) => {
      const outcome = judge(reply)
      if (outcome.kind === 'unknown') count.unknown += 1
      log({
        number, at: Math.round(at), ms: Math.round(monotonicMs() - at), port, via, name,
        agent: purchase.buyer.agent, key: purchase.input.idempotency_key,
        order_no: purchase.placed?.order_no, outcome: brief(outcome),
      })
      onOutcome(outcome, known)
      return outcome
    })
    open.add(ended)
    void ended.finally(() => open.delete(ended))
    const late: Outcome = { kind: 'unknown', why: 'late' }
    const first = await Promise.race([ended, sleep(deadline).then(() => late)])
    if (first === late) {
      count.late += 1
      // Some clients hang up, others forget: the second get to know what came too late.
      if (isHungUp) sent.abort()
    }
    return first
  }

  return {
    open,
    count,
    operation: (random, {
      operation, via, input, purchase, action, onOutcome, port,
    }) => send(random, {
      via, name: operation.name, purchase, action, port, onOutcome,
      start: (to) => wire.operation(to, via, operation, input, purchase.buyer.apiKey),
      judge: (reply) => outcomeOf(operation, via, reply),
    }),
    pay: (random, purchase, payUrl, onOutcome) => send(random, {
      via: 'form', name: 'pay', purchase, action: purchase.pay, onOutcome,
      start: (to) => wire.pay(to, payUrl), judge: paymentOutcome,
    }),
  }
}

/** Repeats what has no known outcome, with pauses that grow, and not for ever. */
export async function insist(random: Random, once: () => Promise<Outcome>): Promise<Outcome> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await once()
    const isOpen = outcome.kind === 'unknown'
      || outcome.kind === 'refused' && outcome.error === 'rate_limited'
    if (!isOpen || tries >= TRIES_MAX) return outcome
    const pause = Math.min(BACKOFF_MS * 2 ** tries, BACKOFF_MS_MAX)
    await pauseFor(Math.round(pause * (0.5 + random.unit() / 2)))
  }
}

/** A driver lives by time; tests wait on facts. */
export const pauseFor = (ms: number): Promise<void> => sleep(ms)

const brief = (outcome: Outcome): unknown => (outcome.kind === 'done'
  ? pick(outcome.data, ['order_no', 'status', 'duplicate', 'amount', 'aftersale_id', 'events'])
  : outcome)

const pick = (data: Readonly<Record<string, unknown>>, names: readonly string[]): object =>
  Object.fromEntries(names.filter((name) => data[name] !== undefined)
    .map((name) => [name, data[name]]))

type Via = 'rest' | 'mcp' | 'form'

type Reply =
  | { readonly kind: 'answer', readonly status: number, readonly text: string }
  /** The connection ended without a whole answer. */
  | { readonly kind: 'broken', readonly why: string }
  /** Neither an answer nor an end, long after every deadline. */
  | { readonly kind: 'silent' }

interface Sent {
  readonly reply: Promise<Reply>
  abort(): void
}

/** Far beyond any deadline of the service: a node that hangs shows before it. */
const SILENT_MS = 120_000

interface Wire {
  operation(
    port: number, via: 'rest' | 'mcp', operation: OperationSpec, input: object, apiKey: string,
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

export type Data = Readonly<Record<string, any>> // oxlint-disable-line typescript/no-explicit-any

export type Outcome =
  | { readonly kind: 'done', readonly data: Data }
  /** Nothing happened. */
  | { readonly kind: 'refused', readonly error: ErrorName, readonly data: Data }
  /** It may have happened or not, or may still happen. */
  | { readonly kind: 'unknown', readonly why: string }
  /** No answer that the service may give. */
  | { readonly kind: 'wrong', readonly what: string }

const wrong = (what: string): Outcome => ({ kind: 'wrong', what })

function outcomeOf(operation: OperationSpec, via: Via, reply: Reply): Outcome {
  if (reply.kind === 'broken') return { kind: 'unknown', why: reply.why }
  if (reply.kind === 'silent') return wrong('no answer at all')
  let body: Data
  try {
    body = JSON.parse(reply.text) as Data
  } catch {
    return wrong(`status ${reply.status} without JSON: ${reply.text.slice(0, 200)}`)
  }
  if (via === 'mcp' && reply.status === 200) return mcpOutcome(operation, body)
  if (reply.status === 200 && body['code'] === 0) return { kind: 'done', data: body['data'] }
  return refusal(operation, body['data'] ?? body['error']?.data, reply.status, reply.text)
}

function mcpOutcome(operation: OperationSpec, { result, error }: Data): Outcome {
  if (!result) return wrong(`JSON-RPC error ${JSON.stringify(error)}`)
  if (!result.isError) return { kind: 'done', data: result.structuredContent }
  return refusal(operation, result.structuredContent?.error, undefined, JSON.stringify(result))
}

function refusal(
  operation: OperationSpec, data: Data | undefined, status: number | undefined, text: string,
): Outcome {
  const error = data?.['error'] as ErrorName
  const row = ERRORS[error]
  if (!row || (status !== undefined && row.status !== status)) {
    return wrong(`status ${status}: ${text.slice(0, 200)}`)
  }
  if (error === 'internal') return wrong(`internal error, request ${data?.['request_id']}`)
  if (!errorsOf(operation).includes(error)) return wrong(`${error} is not among its errors`)
  if (row.status >= 500) return { kind: 'unknown', why: error }
  return { kind: 'refused', error, data: data as Data }
}

/** The cashier answers with pages: their status tells. */
function paymentOutcome(reply: Reply): Outcome {
  if (reply.kind === 'broken') return { kind: 'unknown', why: reply.why }
  if (reply.kind === 'silent') return wrong('no answer at all')
  const { status, text } = reply
  if (status === 200) return { kind: 'done', data: {} }
  if (status === 409) return { kind: 'refused', error: 'order_state', data: {} }
  if (status === 429) return { kind: 'refused', error: 'rate_limited', data: {} }
  if (status === 503) return { kind: 'unknown', why: 'unavailable' }
  return wrong(`status ${status} of the cashier: ${text.slice(0, 200)}`)
}
