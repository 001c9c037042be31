/** The kinds that are meant nearly as likely as the first, by which a sentence is read further. */
import type { Guess, Value, Values } from './understanding.ts'

/** Those with at least such a share of the first one's chance, so many at most. */
export const likelyKinds = (
  kinds: readonly Guess<string>[], share: number, most = Infinity,
): string[] => kinds
  .filter(({ confidence }) => confidence >= (kinds[0]?.confidence ?? 0) * share)
  .slice(0, most).map(({ value }) => value)

/** What `valuesOf` finds of each kind, where it finds any. */
export const valuesByKind = (
  kinds: readonly string[], valuesOf: (kind: string) => readonly Value[],
): Values => new Map(kinds.map((kind) => [kind, valuesOf(kind)] as const)
  .filter(([, values]) => values.length > 0))
