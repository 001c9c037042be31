/**
 * What goods have that is less than was asked: 防泼水 is not 防水, nor 低糖 无糖. It comes before goods
 * that have nothing of it, under its own name, and the wish is not met by it.
 */
import { likelyKinds } from '../likely-kinds.ts'
import { plainValues } from '../plain-words.ts'
import type { Guess, Value } from '../understanding.ts'
import type { Draft, DraftWish } from './draft.ts'

const WEAKER: readonly (readonly [asked: RegExp, weaker: RegExp])[] = [
  [/防水(?![泼溅])|不怕水|不进水|(?<![a-z])water ?-?proof/, /泼|溅|生活防水|^3000mm$/],
  [/全遮光|完全不?遮光|完全不透光|一点光都不透|(?<![a-z])black ?-?out/, /半遮光|遮光[1-8]\d/],
  [/无糖|零糖|0糖|不含糖|(?<![a-z])(?:sugar[- ]free|no sugar)/, /[低少减微]糖/],
  [/真皮|牛皮|(?<![a-z])(?:real|genuine) leather/, /pu|超纤|仿|人造/],
  [/纯棉|全棉|百分百棉|(?<![a-z])(?:pure|all|100%) cotton/, /混纺|棉麻|涤棉|棉涤|棉氨/],
]
const SHARE_MIN = 0.3

/** Takes from wishes, and from what names say, what is less than they ask. */
export function readWeaker(
  draft: Draft, named: DraftWish[], kinds: readonly Guess<string>[],
): void {
  const likely = likelyKinds(kinds, SHARE_MIN)
  for (const list of [draft.must, named]) {
    list.splice(0, list.length, ...list.map((wish) =>
      wish.isSupposed || wish.measure ? wish : partedOf(draft, wish, likely) ?? wish))
  }
}

function partedOf(
  { text }: Draft, wish: DraftWish, kinds: readonly string[],
): DraftWish | undefined {
  const said = text.slice(wish.start, wish.end)
  const [, less] = WEAKER.find(([asked, weaker]) => asked.test(said) && !weaker.test(said)) ?? []
  if (!less) return undefined
  const isLess = ({ text: value }: Value): boolean => less.test(value)
  const own = new Map(wish.values)
  const weaker = new Map<string, readonly Value[]>()
  for (const kind of new Set([...kinds, ...own.keys()])) {
    const known = own.get(kind) ?? []
    const full = known.filter((value) => !isLess(value))
    if (full.length > 0) own.set(kind, full)
    else {
      const some = plainValues(kind).filter(isLess)
      if (some.length > 0) weaker.set(kind, some)
      // Its goods are not judged as those of another kind with a similar name.
      if (some.length > 0 && own.size > 0) own.set(kind, [])
      else own.delete(kind)
    }
  }
  const { start, end, places, words = [said.trim()], isStrict } = wish
  return { start, end, places, words, ...isStrict && { isStrict },
    ...own.size > 0 && { values: own }, ...weaker.size > 0 && { weaker } }
}
