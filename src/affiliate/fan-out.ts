/** Several sources asked at once under one deadline: whoever is late is left out and named. */
import { FAILURES, SourceError, type SearchResult } from '../../adapters/index.ts'
import { monotonicMs, withDeadline } from '../contract/time.ts'
import { ERRORS, Refusal } from '../contract/errors.ts'
import type { SourceName } from './sources.ts'

export interface Question {
  readonly source: SourceName
  ask(deadlineMs: number): Promise<SearchResult>
}

export interface Outcome {
  readonly source: SourceName
  readonly status: 'ok' | 'timeout' | 'error' | 'open' | 'skipped'
  readonly ms: number
  readonly found: SearchResult | null
  /** Why there is nothing, in our own words. */
  readonly note?: string
}

/** Always resolves, in the order of the questions, at the deadline at the latest. */
export async function askAll(
  questions: readonly Question[], deadlineMs: number,
): Promise<readonly Outcome[]> {
  const began = monotonicMs()
  const elapsed = (): number => Math.round(monotonicMs() - began)
  const outcomes = new Map<SourceName, Outcome>()
  const one = async ({ source, ask }: Question): Promise<void> => {
    let outcome: Outcome
    try {
      const found = await ask(deadlineMs)
      outcome = { source, status: 'ok', ms: elapsed(), found }
    } catch (error) {
      outcome = { source, ...failed(error), ms: elapsed(), found: null }
    }
    outcomes.set(source, outcome)
  }
  try {
    await withDeadline(Promise.all(questions.map(one)), deadlineMs, () => new Error('late'))
  } catch {
    // Who has not answered is named below.
  }
  return questions.map(({ source }) => outcomes.get(source)
    ?? { source, status: 'timeout', ms: elapsed(), found: null, note: FAILURES.timeout.says })
}

function failed(error: unknown): Pick<Outcome, 'status' | 'note'> {
  // Whatever else it is, it is this source's and must not fail the others.
  if (error instanceof Refusal) return { status: 'skipped', note: ERRORS[error.error].msg }
  if (!(error instanceof SourceError)) return { status: 'error', note: 'could not be asked' }
  const status = error.kind === 'timeout' ? 'timeout' : error.kind === 'open' ? 'open' : 'error'
  return { status, note: FAILURES[error.kind].says }
}
