/** Who calls, and what each access asks of them. */
import { type Static, Type } from 'typebox'
import { CategoryId, CLOSED, Fen, Optional } from './fields.ts'

/** Who calls: an agent by its key, or an address without one. */
export interface Caller {
  /** Public id of the agent; null without a key. */
  readonly agent: string | null
  readonly account: string | null
  readonly tier: string
  /** What the owner of the agent lets it do; absent means everything. */
  readonly limits?: OwnerLimits
  readonly client: Client
}

/** Where a call comes from. */
export interface Client {
  /**
   * As text; empty where it is first asked for after the client has gone. Not free: a call to
   * the system. The limiter groups IPv6 by /64.
   */
  readonly address: string
  /** Aborted when the client has gone: who waits for it need not. */
  readonly signal?: AbortSignal
}

export interface AgentCaller extends Caller {
  readonly agent: string
  readonly account: string
}

/** Of somebody who signed in at the console. */
export interface Session {
  readonly id: string
  readonly account: string
  /** Every change that a page asks for must carry it: another site's page cannot know it. */
  readonly csrf: string
}

/** A browser at the console. */
export interface Visitor extends Caller {
  readonly session: Session | undefined
  /** What the browser kept from an earlier sign-in; unchecked. */
  readonly device: string | undefined
  /**
   * The answer gives the browser this session, and what it keeps of its sign-in; without a session
   * it takes the present one away.
   */
  keepSession(session?: Session, device?: string): void
}

/** Somebody who signed in. */
export interface Owner extends Visitor {
  readonly account: string
  readonly session: Session
}

/** Callers by the access that an operation asks for; those of the console come as browsers. */
export interface CallerOf {
  readonly anyone: Caller
  readonly key: AgentCaller
  readonly visitor: Visitor
  readonly owner: Owner
}

export type Access = keyof CallerOf

export type OwnerLimits = Readonly<Static<typeof OwnerLimits>>

const CATEGORIES = 24

/** Amounts are fen; days are UTC days. What is absent is not limited. */
export const OwnerLimits = Type.Object({
  order_amount_max: Optional(Fen('Most that one order may come to, in fen')),
  day_amount_max: Optional(Fen('Most that the orders of a UTC day may come to, in fen')),
  user_ref_day_amount_max: Optional(
    Fen('The same for each user_ref; orders without one count as one user\'s')),
  categories: Optional(Type.Array(CategoryId, {
    minItems: 1, maxItems: CATEGORIES, uniqueItems: true,
    description: 'Categories that may be ordered from',
  })),
  read_only: Optional(Type.Boolean({ description: 'Only operations that change nothing' })),
}, CLOSED)
