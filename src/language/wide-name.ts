/** A wide name that is all that is said: 要一双手套. */
import { kindChances } from './kind-encoder.ts'
import type { Draft } from './read/draft.ts'
import { meansKind } from './read/names.ts'
import type { Guess } from './understanding.ts'

/** From this chance by the name alone on a kind is one of several. */
const CHANCE_MIN = Math.log(0.05)
/** Of a name that so surely means one kind no other is shown. */
const CLEAR = Math.log(0.6)
const KINDS_MAX = 6
const CONFIDENCE = 0.5

/** 手套 are for winter, for work and for the kitchen: of these kinds several of the one name. */
export function calledSo(
  { text, heads: [head] }: Draft, kinds: readonly Guess<string>[],
): readonly Guess<string>[] {
  const { of, best } = kindChances(text.slice(head?.start, head?.end))
  if (!head || of(best[0] ?? '') >= CLEAR) return []
  return kinds.filter(({ value }, at) => meansKind(head, value)
    && (at === 0 || of(value) >= CHANCE_MIN))
    .slice(0, KINDS_MAX).map(({ value }) => ({ value, confidence: CONFIDENCE }))
}
