/** What the conformance tests of a mall share. */
import { SourceError, type FailureKind, type Item, type Source } from '../contract.ts'
import type { Limits } from '../limits.ts'
import type { Simulator } from '../simulator/frame.ts'
import type { HandClock } from './world.ts'

/** Short, so that faults are over soon; the circuit has its own test. */
export const LIMITS: Partial<Limits> = {
  totalMs: 1000, retryMs: 10, breakAfter: 1000, breakWindow: 1000,
}

export const Q = '蓝牙耳机'

export interface Stage {
  readonly source: Source
  readonly simulator: Simulator
  readonly clock: HandClock
  readonly subId: (nth: number) => string
}

/** The mall's words for the four operations, as its simulator counts them. */
export interface Operations {
  readonly search: string
  readonly items: string
  readonly convert: string
  readonly orders: string
}

/** The kind of failure that a promise ends with; null when it does not fail. */
export const failureOf = async (work: Promise<unknown>): Promise<FailureKind | null> =>
  work.then(() => null, (error: unknown) => {
    if (error instanceof SourceError) return error.kind
    throw error
  })

export async function firstItem({ source }: Stage): Promise<Item> {
  const { items: [item] } = await source.search({ q: Q, page: 1, pageSize: 5 })
  if (!item) throw new Error('The search found nothing.')
  return item
}
