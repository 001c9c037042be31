/**
 * Values that are mentioned, and no wish. Of two that no goods have both, one is complained of and
 * the other wished: 塑料的一摔就裂，不锈钢的来一个, 双门，单门的老结冰. Some make no difference: 降噪不重要.
 */
import type { Guess, Value } from '../understanding.ts'
import { clauseAround } from './claims.ts'
import type { Draft, DraftWish } from './draft.ts'

/** Spaces part clauses of Chinese, and no words of English. */
const PARTS = /[;,。!?…、]|\.(?!\d)|(?<![a-z0-9]) | (?![a-z0-9])|(?<![a-z])but(?![a-z])/g
const EITHER = new RegExp('或|也(?:行|可|好|要|成|能)|还有|还是|都(?:行|可|好|要|成|来|买)|随便'
  + '|(?<![a-z])(?:or|both|either|and)(?![a-z])')
const ASKED = new RegExp('要(?!命)|来|买|换|想|求|给[我俺]?[来换买个一这]|得是|必须|最好|只|就[要买来它这认是]'
  + '|有没|有吗|走起|安排|这[次回]|[离少缺]了'
  + '|(?<![a-z])(?:want|need|prefer|please|looking for|must|should|only|instead)(?![a-z])')
/** Words of who complains: of 不锈钢的摔不烂 only what comes first tells more. */
const TROUBLE = new RegExp('[不没太嫌怕老烦坏断裂漏滑丑闷勒腻糊臭硬沉累疼痛湿脏刮锈吓掉抖晃吵响卡]|寡淡|受够|遭殃|要命|拉肚子|过敏'
  + '|(?<![a-z])(?:too|never|not|cannot|broke|breaks?|crack(?:s|ed)|hurts?|scares?|leaks?|rusts?'
  + '|rusted|itch(?:y|es)|smells?|boring|slips?|falls?|fell|snapped|useless|cooks?)(?![a-z])|n\'t')
/** 嫌牛油糊嘴. */
const DISLIKED = /嫌[^;,。!?的]{0,4}$/
/** 一点不辣 is wished. */
const LACKING = /^(?:一点)?[没不无免]/
/** What goods are for, of which they may have several. */
const USES = /^适|场景|主题|用途|功能|人群|对象/

/** What stands before it makes no difference; 不重 of 不重要 is no weight. */
const EITHER_WAY = new RegExp('(?:都|也|倒)?(?:无所谓|不重要|不强求|不要紧)'
  + '| (?:is|are)(?: not|n\'t) (?:needed|necessary|required|important|essential)(?![a-z])', 'g')
const JOINING = /^(?:的|款|有没有|和|跟|与|或者?|还是|不|、|\/|,)*$/

/** Drops wishes that are none. */
export function dropMentionedValues(draft: Draft, [first]: readonly Guess<string>[]): void {
  if (!first) return
  const { must, ignored } = draft
  const mentioned = new Set([...indifferent(draft), ...must.flatMap((wish, at) =>
    must.slice(at + 1).flatMap((later) => areExclusive(wish, later, first.value)
      ? complainedOf(draft, wish, later) ?? [] : []))])
  must.splice(0, must.length, ...must.filter((wish) => !mentioned.has(wish)))
  for (const { start, end } of mentioned) ignored.push({ start, end, why: 'mentioned' })
}

function indifferent({ text, must }: Draft): DraftWish[] {
  const found: DraftWish[] = []
  for (const { 0: said, index } of text.matchAll(EITHER_WAY)) {
    const end = index + said.length
    let from = index
    for (const wish of [...must].sort((one, other) => other.start - one.start)) {
      const isOf = wish.end > index ? wish.start < end
        : JOINING.test(text.slice(wish.end, from))
      if (!isOf) continue
      found.push(wish)
      from = Math.min(from, wish.start)
    }
  }
  return found
}

/** Which of the two somebody complains of; of both the first, which the other is to replace. */
function complainedOf({ text }: Draft, one: DraftWish, other: DraftWish): DraftWish | undefined {
  const between = text.slice(one.end, other.start)
  const { end } = clauseAround(text, other, PARTS)
  const isParted = between.search(PARTS) >= 0
  if (!isParted || EITHER.test(between + text.slice(other.end, end))) return undefined
  return isTroubling(text, one) ? one : isTroubling(text, other) ? other : undefined
}

/** Whether trouble is told of it where it is not asked for. */
function isTroubling(text: string, wish: DraftWish): boolean {
  const { start, end } = clauseAround(text, wish, PARTS)
  const [before, behind] = [text.slice(start, wish.start), text.slice(wish.end, end)]
  return DISLIKED.test(before) || (TROUBLE.test(behind) && !ASKED.test(before + behind)
    && !LACKING.test(text.slice(wish.start, wish.end)))
}

/** Both name values of one attribute, and none in common. */
function areExclusive(one: DraftWish, other: DraftWish, kind: string): boolean {
  if (one.isStrict || [one, other].some(({ isSupposed }) => isSupposed)) return false
  const [ours = [], theirs = []] = [one, other].map(({ values }) => values?.get(kind))
  const attribute = attributeOf(ours)
  return attribute !== null && attribute === attributeOf(theirs) && !USES.test(attribute)
    && !ours.some((value) => theirs.includes(value))
}

/** Null for features, and where they are of several. */
const attributeOf = ([first, ...rest]: readonly Value[]): string | null =>
  first && rest.every(({ attribute }) => attribute === first.attribute) ? first.attribute : null
