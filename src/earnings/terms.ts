/** What an account earns of an order: the usual rate, or what was agreed with it and when. */
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'

/** Basis points of an account without terms of its own. */
export const BPS = 500
/** The whole amount. */
export const BPS_MAX = 10_000
/** Changes that are remembered: a payment is heard of minutes after it at most. */
const KEPT = 32

const termsSet = defineScript('terms-set', ['account'], ['bps', 'kept'],
  ([code, account]: ['done' | 'none' | 'merged', string?]) => ({ code, account }))

/** Fen of an amount in fen. */
export const commissionOf = (amount: number, bps: number): number =>
  Math.floor((amount * bps) / BPS_MAX)

/** The rate of a payment at that moment, ms; without one, the present rate. */
export function bpsAt(terms: string | null | undefined, at = Infinity): number {
  let found = BPS
  for (const one of terms?.split(' ') ?? []) {
    const [since = '', bps] = one.split(':')
    if (Number(since) <= at) found = Number(bps)
  }
  return found
}

/** From now on, by the ledger's clock; earlier payments keep their rate. Says where it went. */
export const setTerms = (
  { run }: Pick<Durable, 'run'>, account: string, bps: number,
): Promise<{ code: 'done' | 'none' | 'merged', account?: string | undefined }> =>
  run(termsSet, { account: keys.account(account) }, { bps, kept: KEPT })
