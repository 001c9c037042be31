/** What the books are about: commissions, which become lots, and what is taken from those. */
import { MALL_NAMES } from '../../adapters/names.ts'
import { ORDER_NO_PATTERN } from '../contract/ids.ts'
import type { Mode } from '../contract/money.ts'
import { OWN, UNKNOWN_AGENT } from './days.ts'

export type CommissionState = 'pending' | 'confirmed' | 'settled' | 'reversed' | 'moved'

export interface Commission {
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
export interface Taker {
  readonly amount: number
  /** Not taken yet; below zero, what is still to be given back. */
  readonly missing: number
  /** Parts of what it took: fields `takes:<taker>:0` and so on, each a list of takes. */
  readonly parts: number
}

export type Take = readonly [subject: string, fen: number]

export type WithdrawalState = 'requested' | 'exported' | 'paid' | 'returning' | 'failed'

export interface Withdrawal extends Taker {
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
export const partOf = (taker: string, part: number): string => `takes:${taker}:${part}`

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
export function dayPlace(
  subject: string, { agent = UNKNOWN_AGENT }: Pick<Commission, 'agent'>,
) {
  const [source = ''] = subject.split(':', 1)
  return { source: source === 'order' ? OWN : source, agent }
}

/** The order that a subject is about, without its round. */
export const orderOf = (subject: string): string =>
  subject.replace(/^order:/, '').replace(/#\d+$/, '')

/** An order of ours by its number, a platform's line by its subject. */
export const subjectOf = (name: string): string =>
  (new RegExp(ORDER_NO_PATTERN).test(name) ? orderSubject(name) : name)

/** `mall_b:1#2` after `mall_b:1`. */
export function nextRound(subject: string): string {
  const [, base = subject, round = '1'] = /^(.*)#(\d+)$/.exec(subject) ?? []
  return `${base}#${Number(round) + 1}`
}

/** One open withdrawal an account: which, and whether its lots are still being taken. */
export const openText = (id: string, isFilling: boolean): string =>
  `${id} ${isFilling ? 'filling' : 'filled'}`

export const readJson = <T>(text: string): T => JSON.parse(text) as T
