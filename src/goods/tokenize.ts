/**
 * Text as the tokens that are indexed and searched. Redis's own tokenizer is not asked: every
 * token is letters and digits only, so that it is one word to the index and nothing but a word to
 * the query language.
 *
 * Han text becomes pairs of neighbours, so that any part of it is found. Model names are cut where
 * letters, digits and hyphens meet, and become their parts and pairs of neighbouring parts:
 * `SY-1507B` is found by sy1507b, sy-1507b, SY 1507, 1507b and 1507.
 */
import { atomsOf, runsOf } from '../language/atoms.ts'
import { fold } from '../language/fold.ts'

const DIGIT = /\p{N}/u

/**
 * The tokens under which a text is found, each once. Of single characters, those that end a run
 * are worth their place where the noun is not known otherwise: it ends there (红酒 is found by 酒).
 * Others are found with a neighbour.
 */
export function indexTokens(
  texts: readonly string[], { ends }: { ends: boolean },
): string[] {
  const tokens = new Set<string>()
  for (const text of texts) {
    const atoms = atomsOf(fold(text))
    /** The last part of the name before, if only a space stands between. */
    let before: string | undefined
    for (const { start, end, isHan } of runsOf(atoms)) {
      const run = atoms.slice(start, end)
      const [first] = run
      const last = run.at(-1)
      if (!first || !last) continue
      const isCounted = isHan && first.gap === '' && atoms[start - 1]?.type === 'number'
      if (isHan) {
        // 瓶 of "2瓶" is no word of its own.
        if (ends || (run.length === 1 && !isCounted)) tokens.add(last.text)
      } else {
        if (before !== undefined && first.gap === ' ' && differ(before, first.text)) {
          // "iPhone 15" is also written without the space.
          tokens.add(before + first.text)
        }
        if (first.number !== undefined) tokens.add(first.number)
        for (const { text } of run) tokens.add(text)
      }
      for (const pair of pairsOf(run.map((atom) => atom.text))) tokens.add(pair)
      before = isHan || last.type === 'measure' ? undefined : last.text
    }
  }
  return [...tokens]
}

const pairsOf = (pieces: readonly string[]): string[] =>
  pieces.slice(1).map((piece, index) => `${pieces[index]}${piece}`)

const differ = (left: string, right: string): boolean =>
  DIGIT.test(left.slice(-1)) !== DIGIT.test(right.slice(0, 1))
