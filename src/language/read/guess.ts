/** Which kind of goods, and which category, the names in a sentence mean, and how sure it is. */
import { fold } from '../fold.ts'
import { kindsEndingIn } from '../../goods/kinds.ts'
import { taxonomy } from '../../goods/taxonomy.ts'
import type { Guess } from '../understanding.ts'
import type { Name } from './names.ts'

/** Below this a kind is not claimed; several are then listed. */
const KIND_MIN = 0.55
const CATEGORY_MIN = 0.5
const KINDS_MAX = 8
/** How much more a better name counts. */
const SHARPNESS = 4
/** The rest of a longer name also stands in the sentence: 给老人用的手机 is a 老人手机. */
const WITH_REST = 1.1
const EARLIER_NAME = 0.5
const CATEGORY_BY_NOUN = 0.5
const CATEGORY_BY_BRAND = 0.4

export interface Guessed {
  readonly kind: Guess<string> | null
  readonly kinds: readonly Guess<string>[]
  readonly category: Guess<number> | null
}

/** `heads` are the names that no other name follows at once; `words` are what else is sought. */
export function guess(
  text: string, heads: readonly Name[], words: readonly string[],
): Guessed {
  const weights = new Map<string, number>()
  for (const [index, head] of heads.entries()) {
    const factor = index === 0 ? 1 : EARLIER_NAME
    const others = text.slice(0, head.start) + text.slice(head.end)
    for (const { kind, weight, rest } of head.senses) {
      const isTold = rest.length > 1 && others.includes(rest)
      const value = factor * (isTold ? Math.max(weight, WITH_REST) : weight)
      weights.set(kind, Math.max(weights.get(kind) ?? 0, value))
    }
  }
  const total = [...weights.values()].reduce((sum, weight) => sum + weight ** SHARPNESS, 0)
  const kinds = [...weights].map(([value, weight]) =>
    ({ value, confidence: rounded(weight ** SHARPNESS / total * Math.min(1, 0.5 + 0.5 * weight)) }))
    .sort((left, right) => right.confidence - left.confidence
      || (left.value < right.value ? -1 : 1)).slice(0, KINDS_MAX)
  const [best] = kinds
  return {
    kind: best && best.confidence >= KIND_MIN ? best : null, kinds,
    category: categoryOf(kinds) ?? categoryByNoun(words) ?? categoryByBrand(words),
  }
}

const rounded = (value: number): number => Math.round(value * 100) / 100

function categoryOf(kinds: readonly Guess<string>[]): Guess<number> | null {
  const shares = new Map<number, number>()
  for (const { value, confidence } of kinds) {
    const category = taxonomy().kinds.get(value)?.category_id ?? 0
    shares.set(category, (shares.get(category) ?? 0) + confidence)
  }
  const total = [...shares.values()].reduce((sum, share) => sum + share, 0)
  const [best] = [...shares].sort((left, right) => right[1] - left[1])
  const confidence = best ? rounded(best[1] / total * Math.min(1, 0.3 + total)) : 0
  return best && confidence >= CATEGORY_MIN ? { value: best[0], confidence } : null
}

/** 蒸锅 is not in the taxonomy, but most goods that end in 锅 are kitchenware. */
function categoryByNoun(words: readonly string[]): Guess<number> | null {
  const noun = words.findLast((word) => /\p{Script=Han}$/u.test(word))?.slice(-1)
  if (!noun) return null
  const categories = kindsEndingIn(noun).map((kind) => taxonomy().kinds.get(kind)?.category_id ?? 0)
  const best = mostOf(categories)
  if (categories.length < 2 || best === undefined) return null
  const share = categories.filter((one) => one === best).length / categories.length
  return share >= 0.6 ? { value: best, confidence: rounded(share * CATEGORY_BY_NOUN) } : null
}

const mostOf = (values: readonly number[]): number | undefined =>
  values.toSorted((left, right) => values.filter((one) => one === right).length
    - values.filter((one) => one === left).length || left - right)[0]

function categoryByBrand(words: readonly string[]): Guess<number> | null {
  const found = taxonomy().categories.find(({ brands }) =>
    brands.some(({ zh, latin }) => words.includes(fold(zh)) || words.includes(fold(latin))))
  return found ? { value: found.category_id, confidence: CATEGORY_BY_BRAND } : null
}
