/**
 * The order of the kinds that a sentence may mean, learned from sentences: a log-linear model over
 * `kind-features.ts`, fitted by `npm run ranking` to lines that say which kinds are right.
 */
import { SURELY_MEANT } from './kind-encoder.ts'
import { candidatesOf, type RankRequest } from './kind-features.ts'
import { NAMED, OWN_NAME } from './lexicon.ts'
import type { Feature } from './name-features.ts'
import { taxonomy } from '../goods/taxonomy.ts'
import type { Draft } from './read/draft.ts'
import { hasName, hasOwnName, meansKind } from './read/names.ts'
import { GIVING, PLURAL, withoutPoliteness } from './read/phrasing.ts'
import type { Guess } from './understanding.ts'
import { type Weights, weightsIn } from './weights.ts'

/** What is left of how sure the others are: too little to be shown where the order is by price. */
const OTHERS = 0.4
/** How sure a kind is that the rules did not find. */
const CONFIDENCE = 0.5
/** Where the rules find none: how well one must answer the need, unless it is surely meant. */
const NEED_MIN = 16
/**
 * How much more what is not named at all must weigh than the plain name of other goods, than one of
 * which nothing is told but how the goods are to be, and than one of their own that stands first.
 */
const AHEAD = { named: 1.5, plain: 2.5, first: 6 } as const
/** 洗碗机，要热风吹干的; not 菜刀钝得像锯木头. */
const HOW = new RegExp('^(?:$|[;, ]|的(?!时候)|[要带能别]|不要'
  + '|(?<=[a-z]) (?:with|that|which|in|under|around|below|about) )')
const TROUBLE = new RegExp('坏|丢|断|漏|裂|掉|没|了|老是?|太|总|有|够|[想换差缺]'
  + "|(?<![a-z])(?:but|my|i'm|i've|have|has|had|need|want"
  + '|looking|is|are|was|keeps?|broke|lost|for)(?![a-z])')
/** "Queen size" of a mattress. */
const BEFORE_MAX = 12
/** Sums in another order differ by less. */
const ROUNDING = 1e-9

/** Fitted to lines of which the kinds are known. */
export const kindWeights = weightsIn('kind-weights.json')

/** The kinds by rules, and before them the one that weighs most. */
export function ranked(
  request: RankRequest, weights: Weights = kindWeights.read(),
): readonly Guess<string>[] {
  const { isRefused } = request
  const left = request.ruled.filter(({ value }) => !isRefused(value))
  const best = heaviest(request, weights)
  // Where nothing else is told, what is refused of the goods is some of them.
  const ruled = left.length > 0 || isLikely(request, best) ? left : request.ruled
  const [first] = ruled
  if (best === undefined) return ruled
  if (asksForSeveral(request)) return several(request, best, ruled)
  if (best === first?.value) {
    // 外套，冲锋衣 means no coat but that.
    const isSure = request.chances().of(best) >= SURELY_MEANT
    return isSure ? [first, ...ruled.slice(1).map(asOther)] : ruled
  }
  if (!first && !isLikely(request, best)) return []
  return [{ value: best, confidence: first?.confidence ?? CONFIDENCE },
    ...ruled.filter(({ value }) => value !== best).map(asOther)]
}

/** 去露营要准备什么, 送老师什么好: what is told names no goods, and several kinds may do. */
const asksForSeveral = ({ text, named }: RankRequest): boolean =>
  named.length === 0 && (PLURAL.test(text) || GIVING.test(text))

/** From these chances on a kind is one of several, and stays one that rules found. */
const ONE_OF_SEVERAL = { found: Math.log(0.06), ruled: Math.log(0.01) } as const

/** The best, then those that are likely too, each as sure as the best. */
function several(
  { chances, bounds, isRefused }: RankRequest, best: string, ruled: readonly Guess<string>[],
): readonly Guess<string>[] {
  const isAffordable = (kind: string): boolean => {
    const { price } = taxonomy().kinds.get(kind) ?? {}
    return price !== undefined && price.min <= bounds.max && price.max >= bounds.min
  }
  const { best: likely, of } = chances()
  const found = likely.filter((kind) => of(kind) >= ONE_OF_SEVERAL.found
    && !isRefused(kind) && isAffordable(kind))
  const kept = ruled.filter(({ value }) => of(value) >= ONE_OF_SEVERAL.ruled)
  const shown = new Set([best, ...found, ...kept.map(({ value }) => value)])
  const confidence = ruled[0]?.confidence ?? CONFIDENCE
  return [...[...shown].map((value) => ({ value, confidence })),
    ...ruled.filter(({ value }) => !shown.has(value)).map(asOther)]
}

const asOther = ({ value, confidence }: Guess<string>): Guess<string> =>
  ({ value, confidence: confidence * OTHERS })

const isLikely = ({ needs, chances }: RankRequest, kind: string | undefined): boolean =>
  kind !== undefined
    && ((needs().get(kind) ?? 0) >= NEED_MIN || chances().of(kind) >= SURELY_MEANT)

/**
 * What a kind has to make up for: 行李箱 不要黑的，容易拿错 names what it wants, and no luggage tag, and
 * a name of one maker's goods stands for nothing else.
 */
function arrearsOf({ ruled, named, found }: RankRequest): (kind: string) => number {
  const isPlain = !found.isDoubtful && !found.isMentioned && ruled.length > 0
    && named[0]?.value === ruled[0]?.value
  if (!isPlain) return () => 0
  const names = [...found.heads, ...found.more, ...found.modifiers]
  const line = names.find((name) => name.line !== undefined && meansKind(name, ruled[0]?.value))
  const arrears = line ? Infinity : aheadOf(found, ruled[0]?.value)
  // 暖手宝 ends as 充电宝 does, and is called so by nobody.
  const least = line ? OWN_NAME : arrears === AHEAD.first ? NAMED : 0
  return (kind) => names.some(({ senses }) =>
    senses.some((one) => one.kind === kind && one.weight >= least)) ? 0 : arrears
}

function aheadOf({ text, heads }: Draft, kind: string | undefined): number {
  const [head] = heads
  if (head === undefined || !meansKind(head, kind) || !hasName(head, NAMED)) return AHEAD.named
  const before = withoutPoliteness(text.slice(0, head.start)).trim()
  const rest = text.slice(head.end)
  const isPlain = before.length <= BEFORE_MAX && !TROUBLE.test(before) && HOW.test(rest)
    && !TROUBLE.test(rest)
  return !isPlain ? AHEAD.named : before === '' && hasOwnName(head) ? AHEAD.first : AHEAD.plain
}

function heaviest(request: RankRequest, weights: Weights): string | undefined {
  let sum = 0
  const add = (name: string, value: number): void => { sum += (weights.get(name) ?? 0) * value }
  const sums = new Map<readonly Feature[], number>()
  const sumOf = (features: readonly Feature[]): number => {
    let known = sums.get(features)
    if (known === undefined) {
      sum = 0
      for (const [name, value] of features) add(name, value)
      sums.set(features, known = sum)
    }
    return known
  }
  let [best, most]: [string | undefined, number] = [undefined, -Infinity]
  const candidates = candidatesOf(request)
  candidates.describeBest((name, value) => { sum += Math.max(0, (weights.get(name) ?? 0) * value) })
  const ofGoods = sum + ROUNDING
  const arrears = arrearsOf(request)
  for (const kind of candidates.kinds) {
    if (request.isRefused(kind)) continue
    const shared = candidates.shared(kind)
    const ofName = (shared ? sumOf(shared) : 0) - arrears(kind)
    sum = 0
    candidates.describe(kind, add)
    // Of what cannot come first anyway, nothing is read.
    if (sum + ofName + ofGoods < most) continue
    candidates.describeGoods(kind, add)
    const total = sum + ofName
    if (total > most) [best, most] = [kind, total]
  }
  return best
}
