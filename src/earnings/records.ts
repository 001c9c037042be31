/** What the books are about: commissions, which become lots, and what is taken from those. */
import { MALL_NAMES } from '../../adapters/names.ts'
import type { Mode } from '../contract/money.ts'
import { OWN, UNKNOWN_AGENT } from './days.ts'
import type { OrderLine } from '../../adapters/index.ts'
import type { RedisClient } from '../redis/connect.ts'
import { ledger as keys } from '../redis/keys.ts'
import { runMany } from '../redis/send.ts'
import type { Durable } from '../redis/durable.ts'
import { defineScript } from '../redis/script.ts'

export type CommissionState = 'pending' | 'confirmed' | 'settled' | 'reversed' | 'moved'

export interface CommissionRecord {
  readonly state: CommissionState
  /** Absent in the sandbox's records from before there were modes. */
  readonly mode?: Mode
  /** Of the order, fen. */
  readonly amount: number
  readonly bps: number
  /** floor(amount × bps / 10000) */
  readonly commission: number
  /** When it was earned, ms; and the month of that. */
  readonly confirmed_at?: number
  readonly month?: string
  /** Once settled it is a lot: what nobody has taken of it. */
  readonly left?: number
  /** Who took how much. */
  readonly takes?: Readonly<Record<string, number>>
  /** Of a platform's line: when it was changed to what this is about. */
  readonly version?: number
  /** A platform's line changed after this: its commission goes on under the next round. */
  readonly next?: string
  /** Whose order it was; absent in records from before it was noted. */
  readonly agent?: string
  /** Where it was moved, from a trial. */
  readonly to?: string
}

/** Whoever takes from lots: a withdrawal, or the reversal of a lot that others had taken. */
export interface Claimant {
  readonly amount: number
  /** Not taken yet; below zero, what is still to be given back. */
  readonly missing: number
  /** Parts of what it took: fields `takes:<claimant>:0` and so on, each a list of takes. */
  readonly parts: number
}

export type Take = readonly [subject: string, fen: number]

export type WithdrawalState = 'requested' | 'exported' | 'paid' | 'returning' | 'failed'

export interface WithdrawalRecord extends Claimant {
  readonly state: WithdrawalState
  /** Sealed: see payee.ts. */
  readonly payee: string
  readonly payee_masked: object
  /** When it may be paid, ms: a payee that is new waits. */
  readonly payable_from?: number
  /** The month whose file it went out with. */
  readonly exported?: string
  /** Of its parts, given back. */
  readonly returned?: number
}

/** Names of records. A commission's is its subject. */
export const OPEN = 'open'
export const debtOf = (subject: string): string => `debt:${subject}`
export const withdrawalField = (id: string): string => `withdrawal:${id}`
export const takesField = (claimant: string, part: number): string => `takes:${claimant}:${part}`

export const orderSubject = (orderNo: string): string => `order:${orderNo}`
export const mallSubject = (source: string, line: string): string => `${source}:${line}`

const LINE = RegExp(`^(${MALL_NAMES.join('|')}):(.+)$`)

/** Of a platform's line; undefined for what is an order of ours. */
export function lineOf(subject: string): { source: string, line: string } | undefined {
  const [, source, line] = LINE.exec(subject) ?? []
  return source === undefined || line === undefined ? undefined : { source, line }
}

export const isSubject = (field: string): boolean =>
  field.startsWith('order:') || lineOf(field) !== undefined

/** Where the counts of its day stand. */
export function dayKeyOf(
  subject: string, { agent = UNKNOWN_AGENT }: Pick<CommissionRecord, 'agent'>,
) {
  const [source = ''] = subject.split(':', 1)
  return { source: source === 'order' ? OWN : source, agent }
}

/** The order that a subject is about, without its round. */
export const orderOfSubject = (subject: string): string =>
  subject.replace(/^order:/, '').replace(/#\d+$/, '')

/** `mall_b:1#2` after `mall_b:1`. */
export function nextRound(subject: string): string {
  const [, base = subject, round = '1'] = /^(.*)#(\d+)$/.exec(subject) ?? []
  return `${base}#${Number(round) + 1}`
}

/** One open withdrawal an account: which, and whether its lots are still being taken. */
export const openText = (id: string, isFilling: boolean): string =>
  `${id} ${isFilling ? 'filling' : 'filled'}`

export const readJson = <T>(text: string): T => JSON.parse(text) as T

interface LineInMode {
  readonly line: OrderLine
  readonly mode: Mode
}

/** Where a commission is, and what stands there. */
interface Found {
  readonly key: string
  readonly record: CommissionRecord | undefined
}

/** What a commission is about, in the books of a mode. */
export interface SubjectInMode {
  readonly subject: string
  readonly mode: Mode
}

/** In the order of the subjects; undefined of those that the books do not have (yet). */
export async function readCommissions(
  ledger: RedisClient, account: string, subjects: readonly SubjectInMode[],
): Promise<(CommissionRecord | undefined)[]> {
  if (subjects.length === 0) return []
  const records = subjects.map(({ subject, mode }) =>
    [keys.records(account, mode), subject] as const)
  const texts = await runMany(ledger, records.map((record) => ['hget', ...record] as const)) as
    (string | null)[]
  const found = await lastRounds(ledger,
    records.map(([key], index) => ({ key, record: recordOf(texts[index]) })))
  return found.map(({ record }) => record)
}

/**
 * Fen, in the order of the lines: 0 of what was taken back. The books follow a line within a
 * second or two; a line that they do not have yet has what it would bring now.
 */
export async function lineCommissions(
  ledger: RedisClient, account: string, lines: readonly LineInMode[],
): Promise<number[]> {
  if (lines.length === 0) return []
  const [terms, records] = await Promise.all([
    ledger.hget(keys.account(account), 'terms'),
    readCommissions(ledger, account, lines.map(({ line: { source, line_id: id }, mode }) =>
      ({ subject: mallSubject(source, id), mode }))),
  ])
  return lines.map(({ line: { status, amount, paid_at: paidAt } }, index) => {
    const record = records[index]
    if (status === 'invalid' || record?.state === 'reversed') return 0
    return record?.commission ?? commissionOf(amount, bpsAt(terms, paidAt ?? undefined))
  })
}

const recordOf = (text: string | null | undefined): CommissionRecord | undefined =>
  (text ? readJson<CommissionRecord>(text) : undefined)

/** A line that changed its amount or came back goes on in another record; few ever do. */
async function lastRounds(
  ledger: RedisClient, found: readonly Found[],
): Promise<readonly Found[]> {
  const further = found.filter(({ record }) => record?.next !== undefined)
  if (further.length === 0) return found
  const texts = await runMany(ledger, further.map(({ key, record }) =>
    ['hget', key, record?.next ?? ''] as const)) as (string | null)[]
  const next = new Map(further.map((one, index) =>
    [one, { key: one.key, record: recordOf(texts[index]) }]))
  return await lastRounds(ledger, found.map((one) => next.get(one) ?? one))
}

/** Basis points of an account without terms of its own. */
export const BPS = 500
/** The whole amount. */
export const BPS_MAX = 10_000
/** Changes that are remembered: a payment's event comes minutes after it at most. */
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
