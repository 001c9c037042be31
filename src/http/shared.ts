/** What the exchanges of one listener share. */
import type { Maybe } from '../contract/maybe.ts'
import type { AccessLog, AccessSampler } from './access.ts'
import type { ClientAddress } from './address.ts'
import type { AddressBucket } from './address-bucket.ts'
import type { Bodies } from './bodies.ts'
import type { Cors } from './cors.ts'
import type { Exchange } from './exchange.ts'
import type { Router } from './router.ts'
import type { Turn } from './turn.ts'
import type { HttpReply, HttpRequest } from '../contract/http.ts'

export interface Server {
  readonly router: Router
  readonly cors: Cors
  readonly addressOf: ClientAddress
  readonly log: AccessLog
  readonly sampler: AccessSampler
  readonly turn: Turn
  readonly bodies: Bodies
  /** Of addresses that call what has no limit of its own. */
  readonly pages: AddressBucket
  readonly onError: (error: unknown, request: HttpRequest) => HttpReply
  /** Answers what reaches no handler; throws what is no Refusal. */
  readonly turnAway: (error: unknown, request: HttpRequest) => Maybe<HttpReply>
  readonly requestDeadlineMs: number
  readonly bodyDeadlineMs: number
  /** Exchanges that wait for a handler, a body or a slow reader; the oldest first. */
  readonly pending: Set<Exchange>
  /** Exchanges whose answer comes piece by piece, for as long as it takes. */
  readonly streaming: Set<Exchange>
  isDraining: boolean
  whenIdle: () => void
}
