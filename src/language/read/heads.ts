/** Which of the goods that a sentence names are wanted, and which only describe them. */
import { taxonomy } from '../../goods/taxonomy.ts'
import { profileOf } from '../profile.ts'
import { namesValue } from '../values.ts'
import type { Name } from './names.ts'

const HAN = /\p{Script=Han}/u
/** What stands before these in English is the goods; what follows describes them. */
const PREPOSITION = new RegExp('(?<![a-z])(?:for|with|of|to|in|on|under|without|that|which'
  + '|compatible|from|like)(?![a-z])')
const WANTED = new RegExp('看看|想看|买|购|想要|需要|求|推荐|找|来[个点一]|入手|有没有|换|送'
  + '|want|need|looking|buy|find|get|recommend|show me')
/** What they have, which is not what they want. */
const OWNED = /(?:我家|家里|家中|家有|我有|刚买了?|买过|已经有|有了|养了?|开的|i have|my|got a|own)[^;,.。!?]{0,8}$/
const CLAUSE_END = /[;,.。!?]/
const AND = new RegExp('^ ?[,;，]? ?(?:和|与|跟|以及|还有|还要'
  + '|及|另外|外加|再加|再来|再要|再|加|、|&|\\+|,|/|and|plus|also) ?'
  + '(?:再|来|要)?(?:[一两三二]?[个只件条双瓶盒包袋支把台套]|an? |some |the |two |three |four |\\d+ )?'
  + '(?:pairs? of |boxes of |bottles? of )?$')
const OR = /^ ?(?:或者?|还是|\/|or) ?$/
/** Several goods are wanted, though nothing stands between their names. */
const LIST = new RegExp('配齐|凑齐|一块儿|都得换|都要换|都换|都来|各来|都要|都买|都得买|一起买|一块买|各买|各要|全都要'
  + '|全套都')
/** The goods are called a thing, or what is done with it. */
const NAMELESS = new RegExp('的(?:那种|那个|这种|这个|小|什么)?'
  + '(?:机器|东西|神器|工具|设备|装置|玩意儿?|家伙|用品|产品)(?=$|[ ;,.。!?吗呢吧])'
  + '|(?:穿|戴|垫|盖|铺|挡|遮|擦|洗|剪|修|防|治|用来.{1,8}|专门.{1,8})的(?=$|[;,.。!?吗呢吧])'
  + '|(?:需要|要)?(?:买|准备)(?:点|些)?(?:什么|啥|哪些)(?:工具|材料|东西|装备|用品)?(?=$|[ ;,.。!?吗呢吧])'
  + '|^(?:something|anything|a thing|stuff|things|whatever) (?:to|for|that|which|i can)(?![a-z])')
/** 烤箱烤的那种: what it is done with. */
const INSTRUMENT = /^(?:里|能|可以|也能)?(?:烤|煮|蒸|炒|炸|炖|泡|冲|洗|用|放|装)的/
const LATIN_WORD = /^ [a-z]+ $/
const OF_GOODS = /^的(?:$|[ ,.;。!?])/
const TROUBLED = new RegExp('^ ?(?:太(?!阳)|老是|总是|总(?![共计价预额数])|一直|经常|没电|没声|没信号'
  + '|坏了|坏掉|脏了|堵了|漏水|漏气|掉毛|不制冷|不够|卡顿|很卡|发烫'
  + '|生锈|开裂|松了|丢了|碎了|keeps |is broken|broke|is too |does not |doesn.t |stopped )')
const NAMED = 0.68
const SURE = 0.85
const GLUED = /^(?:的|之)? *$/
/** 面 of 玉米面狗粮 and 弧边 of iphone13弧边钢化膜: the noun stands last. */
const SHORT_MODIFIER = /^[\p{Script=Han}\d]{1,4}$/u

export interface Heads {
  /** Names of the thing that is wanted, the first the likeliest. */
  readonly heads: readonly Name[]
  /** Further things that are wanted as well. */
  readonly more: readonly Name[]
  /** Names that only describe. */
  readonly modifiers: readonly Name[]
}

export function headsOf(text: string, names: readonly Name[]): Heads {
  const modifiers = new Set<Name>()
  // 能把水变成苏打水的那个机器, something to keep drinks cold: the goods are not named at all.
  const nameless = NAMELESS.exec(text)
  const isNameless = nameless !== null && !names.some(({ start }) => start >= nameless.index
    + nameless[0].length && !/^[a-z]/.test(nameless[0]))
  if (isNameless) return { heads: [], more: [], modifiers: names }
  for (const [index, name] of names.entries()) {
    const next = names[index + 1]
    if (next && describes(text, name, next)) modifiers.add(name)
    const before = names[index - 1]
    if (before && follows(text, before, name)) modifiers.add(name)
    const isApart = before && /^ +$/.test(text.slice(before.end, name.start))
    if (isApart && ((isSaidOf(before, name) && !isSaidOf(name, before))
      || (name.key.length === 1 && weightOf(before) >= SURE))) modifiers.add(name)
    // 16G内存1T硬盘的笔记本: what a clause lists before 的 describes what follows.
    if (INSTRUMENT.test(text.slice(name.end, name.end + 6))) modifiers.add(name)
    // 手套，想要毛线的: what is said with 的 of goods that can have it.
    if (OF_GOODS.test(text.slice(name.end, name.end + 2))
      && names.some((other) => other !== name && isSaidOf(other, name))) modifiers.add(name)
    // Sherry cask whisky, fleece lined leggings.
    if (next && LATIN_WORD.test(text.slice(name.end, next.start))
      && isSaidOf(next, name) && !isSaidOf(name, next)) modifiers.add(name)
    const owner = names.slice(index + 1).find((other) => isOwner(text, name, other))
    if (owner) modifiers.add(name)
  }
  let wanted = names.filter((name) => !modifiers.has(name))
  if (wanted.length === 0) wanted = names.slice(-1)
  // 手机老是没电: what is broken or in the way is theirs already.
  const troubled = wanted.filter((name) => TROUBLED.test(text.slice(name.end, name.end + 12)))
  if (troubled.length === wanted.length && troubled.length > 0 && !WANTED.test(text)) {
    return { heads: [], more: [], modifiers: names }
  }
  wanted = wanted.filter((name) => !troubled.includes(name) || troubled.length === wanted.length)
  const ranked = wanted.map((name, index) => ({ name, value: valueOf(text, name, index) }))
    .sort((left, right) => right.value - left.value)
  const [best] = ranked
  if (!best) return { heads: [], more: [], modifiers: [] }
  const heads = [best.name]
  const more: Name[] = []
  for (const name of wanted) {
    if (name === best.name) continue
    const link = linkBetween(text, best.name, name, wanted)
    if (link === 'or') heads.push(name)
    else if (link === 'and') more.push(name)
    else modifiers.add(name)
  }
  return { heads, more, modifiers: names.filter((name) => modifiers.has(name)) }
}

/** 牛奶 in 牛奶饼干 or 牛奶的杯子: what stands before the goods and leads to them. */
function describes(text: string, name: Name, next: Name): boolean {
  const between = text.slice(name.end, next.start)
  if (LIST.test(text) && /^ *$/.test(between) && !isPartOf(next, name)) return false
  if (GLUED.test(between)) {
    const isApart = /^ +$/.test(between)
    if (!isApart) return true
    if (isPartOf(name, next)) return false
    if (isPartOf(next, name)) return true
    // 猫砂 豆腐: what the one is made of is no goods of its own.
    if (isSaidOf(name, next) !== isSaidOf(next, name)) return isSaidOf(next, name)
    // 自动喂食器 鱼: one character names nothing beside a whole name.
    if (next.key.length === 1 && weightOf(name) >= SURE) return false
    return !isSameShelf(name, next)
  }
  return SHORT_MODIFIER.test(between) && !WANTED.test(between) && !AND.test(between)
    && !OR.test(between) && (isPartOf(next, name)
      || (weightOf(next) >= NAMED && next.key.length > 1))
    && !/^[可能适]?用/.test(text.slice(next.end, next.end + 2))
}

const isOwner = (text: string, name: Name, owner: Name): boolean => {
  const between = text.slice(name.end, owner.start)
  return /(?<![你我他她好便宜])的 *$/.test(between) && !CLAUSE_END.test(between)
    && HAN.test(text.charAt(owner.start))
}

/** A case for a telephone, 充电器 华为手机. */
function follows(text: string, before: Name, name: Name): boolean {
  const between = text.slice(before.end, name.start)
  if (CLAUSE_END.test(between)) return false
  if (PREPOSITION.test(between)) return true
  return /^ *(?:适用|适合|适配|兼容|配|装|放|用于|给)?[^的]{0,8}$/.test(between) && isPartOf(before, name)
    && !GLUED.test(between)
    || (/^ +$/.test(between) && isPartOf(before, name))
}

const kindsOf = ({ senses }: Name): string[] => senses.map(({ kind }) => kind)

const isPartOf = (part: Name, whole: Name): boolean => kindsOf(part).some((kind) =>
  taxonomy().kinds.get(kind)?.parts_of?.some((one) => kindsOf(whole).includes(one)))

/** Whether a kind of the goods has the other name among its values, features and scenes. */
const isSaidOf = (goods: Name, other: Name): boolean => other.key.length > 1
  && goods.senses.some(({ kind, weight }) => weight >= NAMED
    && (profileOf(kind).features.includes(other.key) || profileOf(kind).scenes.includes(other.key)
      || (weight >= SURE && namesValue(kind, other.key))))

const isSameShelf = (left: Name, right: Name): boolean => {
  const shelves = kindsOf(left).map((kind) => taxonomy().kinds.get(kind)?.category_id)
  return kindsOf(right).some((kind) => shelves.includes(taxonomy().kinds.get(kind)?.category_id))
}

const weightOf = ({ senses }: Name): number => Math.max(...senses.map(({ weight }) => weight))

function valueOf(text: string, name: Name, index: number): number {
  const clauseStart = lastClause(text, name.start)
  const before = text.slice(clauseStart, name.start)
  return weightOf(name) + (WANTED.test(before) ? 0.25 : 0)
    - (OWNED.test(before) ? 0.4 : 0) - 0.05 * index
}

function lastClause(text: string, at: number): number {
  for (let from = at; from > 0; from -= 1) {
    // 3.0 is one number.
    if (CLAUSE_END.test(text.charAt(from - 1))
      && !/\d\.\d/.test(text.slice(Math.max(0, from - 2), from + 1))) return from
  }
  return 0
}

/** How two wanted things are joined, over those that stand between them. */
function linkBetween(
  text: string, one: Name, other: Name, all: readonly Name[],
): 'and' | 'or' | undefined {
  const [from, to] = one.start < other.start ? [one, other] : [other, one]
  const between = all.filter(({ start, end }) => start >= from.start && end <= to.end)
  let link: 'and' | 'or' | undefined
  for (const [index, name] of between.entries()) {
    const next = between[index + 1]
    if (!next) break
    const words = text.slice(name.end, next.start)
    if (OR.test(words)) link ??= 'or'
    else if (AND.test(words) || /^ +$/.test(words)
      || (words === '' && LIST.test(text))) link = 'and'
    else return undefined
  }
  return link
}
