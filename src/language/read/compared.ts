/** Goods that somebody cannot choose between: both are shown. */
import { byStart, type Draft } from './draft.ts'
import { ownKinds } from '../lexicon.ts'
import type { Name } from './names.ts'

const BETWEEN = new RegExp('^[ ,]*(?:好还是|和|跟|与|同|还是|或者?|vs\\.?|versus|or|compared (?:to|with))[ ,]*'
  + '(?:(?:an?|the|买|选|用)[ ,]*)?$')
const ASKED = new RegExp('^[^;。!?]{0,8}(?:哪[个种款样]|谁(?!用|送|买)|区别|差别|对比|更|怎么选|咋选|好(?:$|[ ,.。!?呢啊些]))'
  + '|which|(?<![a-z])(?:better|difference|versus|compare)')
/** 都行: whichever it is. */
const WHICHEVER = /都行|也行|均可|都可|都好|也好|either|whichever/

/** 羽绒被和蚕丝被哪个暖和 asks for goods of both. */
export function listCompared(draft: Draft): void {
  const { text } = draft
  if (draft.more.length > 0) draft.isCompared = areEither(draft)
  if (draft.more.length > 0 || WHICHEVER.test(text)) return
  const [first, second, ...others] = draft.names.toSorted(byStart)
  // A budget is of the one that is bought, and not shared.
  const isChoice = first && second && others.length === 0 && draft.clauses.length === 0
    && BETWEEN.test(text.slice(first.end, second.start))
    && (ASKED.test(text.slice(second.end)) || ASKED.test(text.slice(0, first.start)))
  if (!isChoice || meanTheSame(first, second)) {
    if (first && second && others.length === 0) listEither(draft, first, second)
    return
  }
  draft.heads = [apartFrom(second, first)]
  draft.more = [apartFrom(first, second)]
  draft.isCompared = true
}

const OR = /^(?:或者?|或是|,?要么|,? or (?:an? |some )?)$/

/** 送个花瓶或者摆件: one of the two is bought, and both are shown. */
function listEither(draft: Draft, first: Name, second: Name): void {
  const [own, other] = [ownKinds(first.senses), ownKinds(second.senses)]
  if (!OR.test(draft.text.slice(first.end, second.start)) || own.length * other.length === 0
    || own.some((kind) => other.includes(kind))) return
  draft.heads = [apartFrom(second, first)]
  draft.more = [apartFrom(first, second)]
  draft.isCompared = true
}

/** 空调扇或者空调, which one name may both mean. */
function areEither({ text, heads, more }: Draft): boolean {
  const [first, second, ...others] = [...heads.slice(0, 1), ...more].sort(byStart)
  return first !== undefined && second !== undefined && others.length === 0
    && OR.test(text.slice(first.end, second.start))
}

/** From this weight on a name says what somebody buys. */
const MEANT = 0.65

/** 笔记本 and 电脑 are no choice; 烤箱 and 空气炸锅, which some call so, are. */
const meanTheSame = (one: Name, other: Name): boolean =>
  one.senses.some(({ kind, weight }) => weight >= MEANT && other.senses.some((sense) =>
    sense.kind === kind && sense.weight >= MEANT))

/** Without what the other means as well or better: 电压力锅 of 电饭煲 and of 高压锅. */
const apartFrom = (other: Name, { senses, ...name }: Name): Name => ({ ...name,
  senses: senses.filter(({ kind, weight }) => !other.senses.some((sense) =>
    sense.kind === kind && sense.weight >= weight)) })
