/**
 * Sessions of a buyer who chooses: checkouts and carts. Each is one record on the ledger that is
 * written only from the revision that was read, with what its owner told of the buyer sealed.
 */
import { Refusal } from '../contract/errors.ts'
import { canonicalJson } from '../contract/json.ts'
import { randomId } from '../contract/ids.ts'
import { nowMs } from '../contract/time.ts'
import { claim } from '../idempotency/claims.ts'
import { orUnavailable } from '../redis/command-errors.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { defineScript } from '../redis/script.ts'
import type { Secrets } from '../secrets/derive.ts'

export interface CheckoutLine {
  readonly id: string
  readonly skuId: number
  readonly productId: number
  readonly merchantId: number
  readonly qty: number
  /** Holds the price that was shown; absent where the line could not be priced. */
  readonly quote?: string
}

/** What its owner chose; kept as it is, sealed. */
export type Details = Readonly<Record<string, unknown>>

export interface ShoppingSession {
  readonly id: string
  readonly revision: number
  readonly agent: string
  readonly lines: readonly CheckoutLine[]
  readonly details: Details
  /** Keys of the changes that were made, the latest of them. */
  readonly keys: readonly string[]
  /** Milliseconds. */
  readonly createdAt: number
  readonly endsAt: number
}

export interface Draft {
  readonly lines: readonly CheckoutLine[]
  readonly details: Details
}

/** One change that a caller asked for; with a key it is made once. */
export interface Change {
  readonly key: string | undefined
  /** What is compared when the key comes again. */
  readonly request: unknown
}

/** What tells one kind of session from another. */
export interface SessionKind<S extends ShoppingSession> {
  /** Of its ids, its claims and its seals. */
  readonly prefix: string
  readonly purpose: string
  readonly key: (id: string) => string
  readonly openS: number
  /** What a new one has beside lines and details. */
  readonly fresh: Omit<S, keyof ShoppingSession>
  /** For how long one is kept without its details, since it needs none any more. */
  readonly bareS: (session: S) => number | undefined
}

export interface SessionStores {
  readonly ledger: RedisClient
  readonly durable: Pick<Durable, 'run'>
  readonly secrets: Secrets
}

const KEYS_KEPT = 8
export const SESSION_TRIES = 3

const checkoutKeep = defineScript('checkout-keep', ['checkout'], ['revision', 'state', 'ttl_s'],
  (written: number) => written === 1)

/** The records, and the keys of the changes that made them. */
export class SessionStore<S extends ShoppingSession> {
  private readonly stores: SessionStores
  private readonly kind: SessionKind<S>
  private readonly idPattern: RegExp

  constructor(stores: SessionStores, kind: SessionKind<S>) {
    this.stores = stores
    this.kind = kind
    this.idPattern = new RegExp(`^${kind.prefix}[0-9A-HJKMNP-TV-Z]{16}$`)
  }

  /** Opens one, or with a key that was used before returns what that opened. */
  async open(agent: string, draft: Draft, { key, request }: Change, id = ''): Promise<S> {
    const { secrets } = this.stores
    const { prefix, purpose } = this.kind
    const fresh = id || `${prefix}${key === undefined ? randomId('')
      : secrets.id(purpose, agent, key)}`
    return await this.openAs(agent, draft,
      key === undefined ? fresh : await this.bind(agent, 'open', key, request, fresh))
  }

  private async openAs(agent: string, draft: Draft, id: string): Promise<S> {
    const found = await this.find(id)
    if (found) return found
    const { fresh, openS } = this.kind
    const now = nowMs()
    const empty = {
      ...fresh, id, revision: 0, agent, lines: [], details: {}, keys: [],
      createdAt: now, endsAt: now + openS * 1000,
    } as unknown as S
    return await this.write(empty, { ...empty, ...draft }) ?? await this.own(agent, id)
  }

  /** Another agent's and none at all are refused with the same words. */
  async own(agent: string, id: string): Promise<S> {
    const found = await this.find(id)
    if (found?.agent !== agent) {
      throw new Refusal('not_found', {
        hint: `Open a new ${this.kind.purpose}: this one has ended, or is not yours.`,
      })
    }
    return found
  }

  async find(id: string): Promise<S | undefined> {
    if (!this.idPattern.test(id)) return undefined
    const [revision, text] = await orUnavailable(
      this.stores.ledger.hmget(this.kind.key(id), 'revision', 'state'))
    if (!revision || !text) return undefined
    const { sealed, ...state } = JSON.parse(text) as { sealed?: string }
    const details = sealed === undefined ? {} : this.unseal(sealed, id)
    return details && { ...state, id, revision: Number(revision), details } as unknown as S
  }

  /** Undefined where its secret was retired meanwhile: it lasts for hours, and is opened anew. */
  private unseal(sealed: string, id: string): Details | undefined {
    try {
      return JSON.parse(this.stores.secrets.seal('receiver').open(sealed, id)) as Details
    } catch {
      return undefined
    }
  }

  /** Undefined where somebody else has written since `from` was read. */
  async write(from: S, to: S): Promise<S | undefined> {
    const { durable, secrets } = this.stores
    const { id, revision } = from
    const { id: _id, revision: _revision, details, ...rest } = to
    const bareS = this.kind.bareS(to)
    const state = bareS !== undefined ? rest
      : { ...rest, sealed: secrets.seal('receiver').seal(JSON.stringify(details), id) }
    const isWritten = await durable.run(checkoutKeep, { checkout: this.kind.key(id) }, {
      revision, state: JSON.stringify(state),
      ttl_s: bareS ?? Math.max(60, Math.ceil((to.endsAt - nowMs()) / 1000)),
    })
    return isWritten ? { ...to, details: bareS === undefined ? details : {},
      revision: revision + 1 } : undefined
  }

  /** Makes a change once, from what is there; with a key that made one before, none. */
  async change(
    agent: string, id: string, operation: string, { key, request }: Change,
    to: (found: S) => S,
  ): Promise<S> {
    if (key !== undefined) await this.bind(agent, operation, key, [id, request], id)
    for (let nth = 0; nth < SESSION_TRIES; nth += 1) {
      const found = await this.own(agent, id)
      if (key !== undefined && found.keys.includes(`${operation}:${key}`)) return found
      const changed = to(found)
      const written = await this.write(found, key === undefined ? changed
        : { ...changed, keys: [...found.keys, `${operation}:${key}`].slice(-KEYS_KEPT) })
      if (written) return written
    }
    throw new Refusal('unavailable', { retry_after_s: 1 })
  }

  async bind(
    agent: string, operation: string, key: string, request: unknown, id: string,
  ): Promise<string> {
    const { durable, secrets } = this.stores
    const { purpose } = this.kind
    // The scope has the face's operation, so that one key may open and complete.
    return await claim(durable, { agent, operation: `${purpose}_${operation}`, key }, {
      fingerprint: secrets.keyedHash(purpose, canonicalJson(request ?? null)), id,
    })
  }
}
