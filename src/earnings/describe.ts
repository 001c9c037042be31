/** An entry of the books as its owner is told of it. */
import { isoTime } from '../contract/time.ts'
import type { Entry } from './books.ts'
import { dayPlace, isSubject, orderOf } from './records.ts'

export interface DescribedEntry {
  readonly type: 'commission' | 'withdrawal'
  readonly at: number
  readonly data: {
    readonly at: string
    /** What became of it, such as `pending` or `paid`. */
    readonly kind: string
    /** The order, the platform's line, or the withdrawal. */
    readonly about: string
    readonly source?: string
    /** Fen by book. */
    readonly changes: Readonly<Record<string, number>>
  }
}

const MERGED = /^merge:[^:]+:(.+)$/
const WITHDRAWAL = 'withdrawal:'

/** Undefined for what changes nothing of the owner's. */
export function describeEntry({ id, at, legs }: Entry): DescribedEntry | undefined {
  const { platform: _counter, ...changes } = legs
  if (Object.keys(changes).length === 0) return undefined
  const merged = MERGED.exec(id)?.[1]
  const cut = id.lastIndexOf(':')
  const [subject, kind] = merged === undefined ? [id.slice(0, cut), id.slice(cut + 1)]
    : [merged, 'merged']
  const told = { at: isoTime(at), kind, changes }
  if (subject.startsWith(WITHDRAWAL)) {
    return { type: 'withdrawal', at, data: { ...told, about: subject.slice(WITHDRAWAL.length) } }
  }
  if (!isSubject(subject)) return undefined
  const { source } = dayPlace(subject, {})
  return { type: 'commission', at, data: { ...told, source, about: orderOf(subject) } }
}
