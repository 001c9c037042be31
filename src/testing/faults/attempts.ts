/** Sends an agent's requests as a good client does: a deadline, then the same again elsewhere. */
import { monotonicMs, sleep } from '../../contract/time.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Chance } from './chance.ts'
import type { Deed, Purchase } from './model.ts'
import { outcomeOf, paymentOutcome, type Outcome } from './outcome.ts'
import { knownOf, type Known } from './rules.ts'
import type { Sent, Via, Wire } from './wire.ts'

export interface AttemptsPlan {
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
  operation(chance: Chance, what: {
    operation: Operation, via: 'rest' | 'mcp', input: object, purchase: Purchase, deed?: Deed,
    hear(outcome: Outcome, known: Known): void, port?: number,
  }): Promise<Outcome>
  pay(chance: Chance, purchase: Purchase, payUrl: string,
    hear: (outcome: Outcome, known: Known) => void): Promise<Outcome>
}

const [DEADLINE_MS_MIN, DEADLINE_MS_MAX] = [3000, 5000]
const TRIES_MAX = 7
const [BACKOFF_MS, BACKOFF_MS_MAX] = [100, 1500]

export function createAttempts({ wire, ports, log }: AttemptsPlan): Attempts {
  const open = new Set<Promise<unknown>>()
  const count = { sent: 0, unknown: 0, late: 0 }

  async function send(chance: Chance, sending: {
    via: Via, name: string, purchase: Purchase, deed?: Deed | undefined, port?: number | undefined,
    start(port: number): Sent, judge(sent: Awaited<Sent['reply']>): Outcome,
    hear(outcome: Outcome, known: Known): void,
  }): Promise<Outcome> {
    const { purchase, deed, via, name, start, judge, hear } = sending
    const port = sending.port ?? chance.pick(ports)
    // Drawn before anything is awaited: the next draw must not depend on time.
    const deadline = chance.integer(DEADLINE_MS_MIN, DEADLINE_MS_MAX)
    const isHungUp = chance.happens(0.5)
    const at = monotonicMs()
    const known = knownOf(purchase, at)
    const number = count.sent += 1
    if (deed) deed.sent += 1
    const sent = start(port)
    const ended = sent.reply.then((reply) => {
      const outcome = judge(reply)
      if (outcome.kind === 'unknown') count.unknown += 1
      log({
        number, at: Math.round(at), ms: Math.round(monotonicMs() - at), port, via, name,
        agent: purchase.buyer.agent, key: purchase.input.idempotency_key,
        order_no: purchase.placed?.order_no, outcome: brief(outcome),
      })
      hear(outcome, known)
      return outcome
    })
    open.add(ended)
    void ended.finally(() => open.delete(ended))
    const late: Outcome = { kind: 'unknown', why: 'late' }
    const first = await Promise.race([ended, sleep(deadline).then(() => late)])
    if (first === late) {
      count.late += 1
      // Some clients hang up, others forget: the second hear of what came too late.
      if (isHungUp) sent.abort()
    }
    return first
  }

  return {
    open,
    count,
    operation: (chance, { operation, via, input, purchase, deed, hear, port }) => send(chance, {
      via, name: operation.name, purchase, deed, port, hear,
      start: (to) => wire.operation(to, via, operation, input, purchase.buyer.apiKey),
      judge: (reply) => outcomeOf(operation, via, reply),
    }),
    pay: (chance, purchase, payUrl, hear) => send(chance, {
      via: 'form', name: 'pay', purchase, deed: purchase.pay, hear,
      start: (to) => wire.pay(to, payUrl), judge: paymentOutcome,
    }),
  }
}

/** Repeats what has no known outcome, with pauses that grow, and not for ever. */
export async function insist(chance: Chance, once: () => Promise<Outcome>): Promise<Outcome> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await once()
    const isOpen = outcome.kind === 'unknown'
      || outcome.kind === 'refused' && outcome.error === 'rate_limited'
    if (!isOpen || tries >= TRIES_MAX) return outcome
    const pause = Math.min(BACKOFF_MS * 2 ** tries, BACKOFF_MS_MAX)
    await pauseFor(Math.round(pause * (0.5 + chance.unit() / 2)))
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
