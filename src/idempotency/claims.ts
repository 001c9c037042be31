/** Binding an idempotency key to one request, before anything is done by it. */
import { Refusal } from '../contract/errors.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'

export interface Attempt {
  readonly agent: string
  /** Each operation has a scope of its own. */
  readonly operation: string
  /** Idempotency key: lower case and bare. */
  readonly key: string
}

/** An attempt that brought nothing about may be tried again for this long. */
export const CLAIM_TTL_S = 86_400

const claimBind = defineScript('claim-bind', ['claim'], ['fingerprint', 'id', 'ttl_s'],
  (bound: string) => {
    const [fingerprint = '', id = ''] = bound.split(' ')
    return { fingerprint, id }
  })

const claimKeep = defineScript('claim-keep', ['claim'], ['created_at'],
  (found: number) => found === 1)
const claimFade = defineScript('claim-fade', ['claim'], ['id', 'fades_at'],
  (found: number) => found === 1)

export const attemptKey = ({ agent, operation, key }: Attempt): string =>
  keys.idempotency(agent, operation, key)

/**
 * Resolves with the id that this attempt's result has, now and at every retry. Refuses with
 * idempotency_mismatch when the key was used for another request.
 */
export async function claim(
  durable: Pick<Durable, 'run'>, attempt: Attempt, { fingerprint, id }: {
    fingerprint: string, id: string,
  },
): Promise<string> {
  const bound = await durable.run(claimBind, { claim: attemptKey(attempt) },
    { fingerprint, id, ttl_s: CLAIM_TTL_S })
  if (bound.fingerprint !== fingerprint) throw new Refusal('idempotency_mismatch')
  return bound.id
}

/**
 * Once something was brought about, its key is kept as long as that. An order says when it was
 * placed (ms): where it was closed unpaid meanwhile, its claim ends with it.
 */
export const keepClaim = (
  durable: Pick<Durable, 'run'>, attempt: Attempt, createdAt?: number,
): Promise<boolean> =>
  durable.run(claimKeep, { claim: attemptKey(attempt) }, { created_at: createdAt ?? '' })

/** The claim of an order that was closed unpaid ends when the order is dropped. */
export const fadeClaim = (
  durable: Pick<Durable, 'run'>, attempt: Attempt, { id, fadesAt }: {
    id: string, fadesAt: number,
  },
): Promise<boolean> =>
  durable.run(claimFade, { claim: attemptKey(attempt) }, { id, fades_at: fadesAt })
