/**
 * The kind of an item, by which searches find it. The shelf's index has one token for each kind;
 * what words name the kind is the lexicon's to say.
 */
import { natureOf } from '../language/facts/nature.ts'
import { fold } from '../language/fold.ts'
import type { CatalogueLine } from './line.ts'
import { taxonomy } from './taxonomy.ts'

/** One token for each kind; no text has it, since an underscore joins nothing there. */
export const kindToken = (kind: string): string => `k_${kind}`

/** In place of a kind, of items whose kind nobody knows. */
export const NO_KIND = 'none'

/** Of a whole name; wider words and ends of names are no proof. */
const WHOLE_NAME = 0.85

/**
 * As its file says, else what its title names: the noun first, then the other names from the last
 * one on, in the item's category.
 */
export function kindOf(
  { kind, title, category_id }: Pick<CatalogueLine, 'kind' | 'title' | 'category_id'>,
): string | undefined {
  if (kind !== undefined && taxonomy().kinds.has(kind)) return kind
  const { head, names, isStuffed } = natureOf(fold(title))
  if (isStuffed) return undefined
  for (const { senses } of [...head ? [head] : [], ...names.toReversed()]) {
    const named = senses.find((sense) => sense.weight >= WHOLE_NAME
      && taxonomy().kinds.get(sense.kind)?.category_id === category_id)
    if (named) return named.kind
  }
  return undefined
}

/** Whether a phrase of a description only repeats a name of the kind, which its token says. */
export const isNameOf = (kind: string, phrase: string): boolean =>
  taxonomy().kinds.get(kind)?.aliases.includes(phrase) ?? false
