/** Which of the goods that a sentence names are wanted, and which only describe them. */
import { taxonomy } from '../../goods/taxonomy.ts'
import { fold } from '../fold.ts'
import { CLAUSE_END, isBackground } from './background.ts'
import { TAKEN } from './draft.ts'
import { NAMED } from '../lexicon.ts'
import { profileOf } from '../profile.ts'
import { namesValue } from '../values.ts'
import { taggedWords } from '../segment.ts'
import { isJoint, joinsOnly } from './joints.ts'
import { isWholeName, type Name } from './names.ts'
import { isAskedFor, standingOf, WANTED } from './standing.ts'
import { isBare } from './phrasing.ts'

const HAN = /\p{Script=Han}/u
/** What stands before these in English is the goods; what follows describes them. */
const PREPOSITION = new RegExp('(?<![a-z])(?:for|with|of|to|in|on|under|without|that|which'
  + '|compatible|from|like)(?![a-z])')
/** usb c to hdmi cable: ends of one thing. */
const ENDS = /^(?: ?[a-z0-9-]{1,5})? to(?: [a-z0-9-]{1,5})? ?$/
const OR_BEHIND = /^[^;。]{0,6}(?:也好|都行|都可以|都可|也行|也可以|均可|任选|either|二选一|哪个)/
const OR = /^ ?(?:或者?|还是|\/|or) ?$/
/** Several goods are wanted, though nothing stands between their names. */
const LIST = new RegExp('配齐|凑齐|一块儿|都得换|都要换|都换|都来|各来|都要|都买|都得买|一起买|一块买|各买|各要|全都要'
  + '|全套都|都没了|都用完了|分别|各[一两三]|一套|走起|安排|补货|补一下|[,、;][^,、;]{1,8}[,、;] ?还有|囤[点些]|凑一[下套]')
/** The goods are called a thing, or what is done with it. */
const NAMELESS = new RegExp('的(?:那种|那个|那块|这种|这个|小|什么)?'
  + '(?:机器|东西|东东|神器|工具|设备|装置|玩意儿?|家伙|用品|产品|那种小的|那种|那个|那块)(?=$|[ ;,.。!?吗呢吧])'
  + '|(?:穿|(?<!头)戴|垫|盖|铺|挡|遮|擦|洗|剪|修|防|治|坐|用来.{1,8}|专门.{1,8})的(?=$|[;,.。!?吗呢吧])'
  + '|(?:需要|要)?(?:买|准备)(?:点|些)?(?:什么|啥|哪些)(?:工具|材料|东西|装备|用品)?(?=$|[ ;,.。!?吗呢吧])'
  + '|有没有(?:什么|啥)?(?:东西|东东|办法|能|可以)'
  + '|(?<![a-z])(?:something|anything|a thing|the thing|stuff|things|whatever)'
  + ' (?:to|for|that|which|you|i|she|he|it|they)(?![a-z])')
/** 烤箱烤的那种: what it is done with. */
const INSTRUMENT = /^(?:里|能|可以|也能)?(?:烤|煮|蒸|炒|炸|炖|泡|冲|洗|用|放|装)的/
const LATIN_WORD = /^ [a-z]+ $/
/** 手套，想要毛线的: what is said with 的 of goods that can have it. */
const OF_GOODS = /^的(?:$|[ ,.;。!?])/

/** Below this the words say that it is not what is wanted. */
const STANDS = -0.35
const SURE = 0.85
/** The end of one other name names nothing for sure. */
const NAMED_MIN = 0.5
const GLUED = /^(?:的|之)? *$/
/** 面 of 玉米面狗粮 and 弧边 of iphone13弧边钢化膜: the noun stands last. */
const SHORT_MODIFIER = /^(?![要想买来])[\p{Script=Han}\d]{1,4}$/u

export interface Heads {
  /** Names of the thing that is wanted, the first the likeliest. */
  readonly heads: readonly Name[]
  /** Whether the words rather say where or for what it is wanted. */
  readonly isDoubtful: boolean
  /** Every name is that of something they have, or where or for what goods are wanted. */
  readonly isMentioned: boolean
  /** Further things that are wanted as well. */
  readonly more: readonly Name[]
  /** Names that only describe. */
  readonly modifiers: readonly Name[]
}

/** Textbook-style copybook. */
const STYLED = /^[ -](?:style|like|shaped|themed|look|type)(?![a-z])/
/** A bottle of bubbly is no bottle. */
const CONTAINER = new RegExp(
  '^(?:bottle|box|bag|pack|packet|can|jar|tin|cup|mug|glass|carton|case|crate|tube|roll'
  + '|tub|bucket'
  + '|sachet|tray|bunch|dozen|bundle|strip|pot|bowl|plate|basket|bar|set|pair|stick|sheet|pouch|keg'
  + '|jug|hamper)(?:e?s)?$')
const isContainer = (text: string, name: Name, next: Name): boolean => CONTAINER.test(name.key)
  && /^ of (?:[a-z0-9-]+ ){0,3}$/.test(text.slice(name.end, next.start))

/** 包饺子用:面粉、韭菜: before the colon stands what for. */
function isPurpose(text: string, name: Name, names: readonly Name[]): boolean {
  const colon = text.indexOf(':')
  return colon >= name.end && /\p{Script=Han}/u.test(text)
    && names.filter(({ start }) => start > colon).length > 1
}

const MATTER = /^(?:料子|布料|面料|衣料)$/
const SAID_OF_MATTER = /^(?![吗呢吧啊都和跟与做])[\p{Script=Han}]/u

/** 旗袍，料子要上档次: what goods are made of is told of those that are named. */
const isMatter = (text: string, name: Name, names: readonly Name[]): boolean =>
  MATTER.test(name.key) && SAID_OF_MATTER.test(text.slice(name.end, name.end + 1))
    && !isAskedFor(text, name) && names.some(({ key }) => !MATTER.test(key))

/** In `left` what is explained already is masked: counts, prices and features. */
export function headsOf(text: string, all: readonly Name[], left = text): Heads {
  const names = all.filter((name) => !isMatter(text, name, all))
  const row = gluedRow(names)
  const isList = LIST.test(text) || row.length > 0 || isRow(text, names)
  const line = { text, left, names, isList, row }
  const modifiers = new Set(names.filter((name, index) => isModifier(line, index)
    || names.slice(index + 1).some((other) => isOwner(text, name, other))
    || names.some((other) => other.of === name)
    || isBackground(line, name) || isPurpose(text, name, names)
    || INSTRUMENT.test(text.slice(name.end, name.end + 6))
    || STYLED.test(text.slice(name.end, name.end + 8))
    || (OF_GOODS.test(text.slice(name.end, name.end + 2))
      && names.some((other) => other !== name && isSaidOf(other, name)))))
  let wanted = names.filter((name) => !modifiers.has(name))
  if (wanted.length === 0) wanted = names.slice(-1)
  const stand = wanted.filter((name) => standingOf(text, name) > STANDS)
  const isDoubtful = isNameless(text, stand)
    || stand.every((name) => weightOf(name) < NAMED_MIN)
  if (stand.length > 0) wanted = stand
  const ranked = wanted.map((name, index) => ({ name, value: valueOf(text, name, index) }))
    .sort((left, right) => right.value - left.value)
  const best = lastOf(text, ranked)
  const isMentioned = stand.length === 0
  if (!best) return { heads: [], isDoubtful: true, isMentioned, more: [], modifiers: names }
  const heads = [best.name]
  const more: Name[] = []
  for (const name of wanted) {
    if (name === best.name) continue
    const link = linkBetween({ ...line, names: wanted }, best.name, name)
    if (link === 'or') heads.push(name)
    else if (link === 'and') more.push(name)
  }
  const named = new Set([...heads, ...more])
  const modifying = names.filter((name) => !named.has(name))
  return { heads, isDoubtful, isMentioned, more, modifiers: modifying }
}

interface Ranked { readonly name: Name, readonly value: number }

/** 带软管 is said of the goods before it. */
const GIVES = /[带含有配送加和与或跟]/

/** 玉牌yw1200擦手纸: of names that stand in one with nothing told, the last is the goods. */
function lastOf(text: string, ranked: readonly Ranked[]): Ranked | undefined {
  const [best] = ranked
  const last = ranked.find(({ name }) => best && name.start > best.name.end
    && /^[\p{Script=Han}a-z0-9-]+$/u.test(text.slice(best.name.end, name.start))
    && !GIVES.test(text.slice(best.name.end, name.start))
    && name.end === text.length && HAN.test(name.key))
  return last && weightOf(last.name) >= SURE && isBare(text) ? last : best
}

/** 能把水变成苏打水的那个机器, something to keep drinks cold: the goods are not named at all. */
function isNameless(text: string, names: readonly Name[]): boolean {
  const nameless = NAMELESS.exec(text) ?? doingIn(text)
  return nameless !== null && !names.some(({ start }) => start >= nameless.index
    + nameless[0].length && !/^[a-z]/.test(nameless[0]))
}

/** 来个划胶带的: something that does it. */
const DOING = new RegExp('(?:来|要|买|找|求|整|搞|弄|换|拿|配)一?[个把条台只块瓶支张副款种根]'
  + '(?:能|可以|会|专门)?(\\p{Script=Han}{2,6})的(?=$|[;,.。!?吗呢吧])', 'u')

function doingIn(text: string): RegExpExecArray | null {
  const found = DOING.exec(text)
  const [first, second] = taggedWords(found?.[1] ?? '')
  return first?.tag === 'v' && second?.tag.startsWith('n') ? found : null
}

interface Line {
  readonly text: string
  readonly left: string
  readonly names: readonly Name[]
  readonly isList: boolean
  /** Names of several goods with nothing between them. */
  readonly row: readonly Name[]
}

function isModifier(line: Line, index: number): boolean {
  const { text, left, names, isList } = line
  const name = names[index] as Name
  const next = names[index + 1]
  if (line.row.includes(name)) return false
  if (next && isContainer(text, name, next)) return true
  if (next && joinsOnly(left.slice(name.end, next.start))) return false
  if (next && !isBackground(line, next) && describes(text, name, next, isList)) return true
  // Sherry cask whisky, fleece lined leggings.
  if (next && LATIN_WORD.test(text.slice(name.end, next.start))
    && isSaidOf(next, name) && !isSaidOf(name, next)) return true
  if (isValueOf(text, name, names, index)) return true
  const before = names[index - 1]
  if (!before || isContainer(text, before, name)) return false
  const gap = text.slice(before.end, name.start)
  if (joinsOnly(left.slice(before.end, name.start))) return false
  if (PACK.test(name.key) && gap.trim() === '') return true
  const isApart = /^ +$/.test(gap)
  return follows({ text, left }, before, name)
    || (isApart && ((isSaidOf(before, name) && !isSaidOf(name, before))
      || (name.key.length === 1 && weightOf(before) >= SURE)))
}

const SAID_OF = new RegExp('[不别没带含要有是用]|除了|材质|做的|(?<![a-z])(?:with|without|no|not|non|made|in'
  + '|except|but|free)(?![a-z])')
const ENDS_VALUE = /^ ?(?:的|做|制|味|口味|款|装|色|那种|材质|不要|不喝|不吃|除外|就算)/
const AS_WELL = /[和跟与还再]|另外|加上|顺便|以及|同时|(?<![a-z])(?:and|plus|also|as well)(?![a-z])/
const BUYS = /[买购]|来[个点一]|(?<![a-z])(?:buy|need|get)(?![a-z])/

/** 奶茶我不喝植脂末做的: what goods are told apart by is no goods beside them. */
function isValueOf(
  text: string, name: Name, names: readonly Name[], index: number,
): boolean {
  const run = runFrom(text, names, index)
  const last = run.at(-1) ?? name
  // Apple honey curry.
  const isInRun = run.some((one) => one !== last
    && isTold(last, text.slice(name.start, one.end)) && !isTold(name, last.key))
  if (isInRun) return true
  return names.slice(0, index).some((goods) => {
    const between = text.slice(goods.end, name.start)
    const isSaid = SAID_OF.test(between) || ENDS_VALUE.test(text.slice(name.end))
    return !isPurpose(text, goods, names) && weightOf(goods) >= NAMED && isSaid
      && !(isPartOf(name, goods) && CLAUSE_END.test(between))
      && !AS_WELL.test(between) && !BUYS.test(between)
      && (isTold(goods, name.key) || PACK.test(name.key)) && !isTold(name, goods.key)
  })
}

/** Whether goods of the kind are told apart by what the other name says. */
const isTold = ({ senses }: Name, said: string): boolean => said.length > 1
  && senses.some(({ kind, weight }) => weight >= NAMED && namesValue(kind, said))

/** Latin names with nothing but spaces between them. */
function runFrom(text: string, names: readonly Name[], index: number): Name[] {
  const run = names.slice(index, index + 1)
  for (const next of names.slice(index + 1)) {
    const end = run.at(-1)?.end ?? 0
    const isLatin = !HAN.test(text.slice(end - 1, next.start + 1))
    if (!isLatin || text.slice(end, next.start) !== ' ') break
    run.push(next)
  }
  return run
}

const ROW_LENGTH_MIN = 3

/** 书包文具盒和水杯: three names or more, with nothing between them but what joins a list. */
function isRow(text: string, names: readonly Name[]): boolean {
  let length = 1
  let joints: string[] = []
  for (const [index, { start }] of names.entries()) {
    const gap = text.slice(names[index - 1]?.end ?? start, start)
    const isNext = index > 0 && (gap === '' || isJoint(gap) || /^ +$/.test(gap))
    length = isNext ? length + 1 : 1
    joints = isNext ? [...joints, gap] : []
    if (length < ROW_LENGTH_MIN) continue
    // U盘，手机电脑都能插: behind a comma two that are glued are no row with what stands before.
    const isGlued = joints.includes('')
    if (joints.some((one) => one !== '' && (!isGlued || !/^[;.]/.test(one)))) return true
  }
  return false
}

/** 泡面火腿肠卤蛋: whole names in one, one of which at least says nothing of the last. */
function gluedRow(names: readonly Name[]): readonly Name[] {
  const end = names.findIndex(({ end: at }, index) => names[index + 1]?.start !== at)
  const row = names.slice(0, end + 1)
  const last = row.at(-1)
  return row.length >= ROW_LENGTH_MIN && last
    && row.every(({ key }) => key.length === 1 || isWholeName(key))
    && row.slice(0, -1).some((name) => !isSaidOf(last, name) && !isPartOf(last, name)) ? row : []
}

/** 牛奶 in 牛奶饼干 or 牛奶的杯子: what stands before the goods and leads to them. */
function describes(text: string, name: Name, next: Name, isList: boolean): boolean {
  const between = text.slice(name.end, next.start)
  // 乌龙茶礼盒 is tea.
  if (PACK.test(next.key) && between.trim() === '') return false
  // 饺子专用醋 is no dumpling.
  if (/旗舰店|专用$/.test(between)) return true
  if (isList && /^ *$/.test(between) && !isPartOf(next, name) && !isSaidOf(next, name)
    && isWholeName(name.key)) return false
  // 奶茶我不喝植脂末做的 wants 奶茶.
  if (SAID_OF.test(between) && isTold(name, next.key) && !isTold(next, name.key)) return false
  if (ENDS.test(between) || isFeature(text.slice(name.start, next.start).trim(), next)) return true
  if (GLUED.test(between)) {
    const isApart = /^ +$/.test(between)
    if (!isApart) return true
    // The last of several English nouns is the goods, but for "vitamin c lemon".
    if (!HAN.test(name.key) && !HAN.test(next.key)) {
      return !isSaidOf(name, next) || isSaidOf(next, name)
    }
    if (isPartOf(name, next)) return false
    if (isPartOf(next, name)) return true
    // 猫砂 豆腐: what the one is made of is no goods of its own.
    if (isSaidOf(name, next) !== isSaidOf(next, name)) return isSaidOf(next, name)
    // 自动喂食器 鱼: one character names nothing beside a whole name.
    if (next.key.length === 1 && weightOf(name) >= SURE) return false
    return !isSameShelf(name, next)
  }
  // iphone 15 的透明壳
  return SHORT_MODIFIER.test(between.replace(/^ ?的? ?/, '')) && !WANTED.test(between)
    && !isJoint(between)
    && !OR.test(between) && (isPartOf(next, name)
      || (weightOf(next) >= NAMED && next.key.length > 1))
    && !/^[可能适]?用/.test(text.slice(next.end, next.end + 2))
}

/** 密封罐防潮 of 乳清蛋白粉: all that stands before the goods is one thing that is said of them. */
const isFeature = (said: string, goods: Name): boolean => said.length > 2 && goods.senses.some(
  ({ kind, weight }) => weight >= NAMED && profileOf(kind).features.split('|').includes(said))

/** How goods are packed; a name before it says which. */
export const PACK = /^(?:礼盒|礼盒装|礼包|套装|gift box|gift set|set)$/

const isOwner = (text: string, name: Name, owner: Name): boolean => {
  const between = text.slice(name.end, owner.start)
  return /(?<![你我他她好便宜])的 *$/.test(between) && !CLAUSE_END.test(between)
    && /[\p{Script=Han}a-z]/u.test(text.charAt(owner.start))
}

/** A case for a telephone, 充电器 华为手机. */
function follows(
  { text, left }: Pick<Line, 'text' | 'left'>, before: Name, name: Name,
): boolean {
  const between = text.slice(before.end, name.start)
  if (CLAUSE_END.test(between)) return false
  if (PREPOSITION.test(left.slice(before.end, name.start)) && !ENDS.test(between)) return true
  return /^ *(?:适用|适合|适配|兼容|配|装|放|用于|给)?[^的]{0,8}$/.test(between) && isPartOf(before, name)
    && !GLUED.test(between)
    || (/^ +$/.test(between) && isPartOf(before, name))
}

const kindsOf = ({ senses }: Name): string[] => senses.map(({ kind }) => kind)

export const isPartOf = (part: Name, whole: Name): boolean => kindsOf(part).some((kind) =>
  taxonomy().kinds.get(kind)?.parts_of?.some((one) => kindsOf(whole).includes(one)))

/** Whether a kind of the goods has the other name among its values, features and scenes. */
export const isSaidOf = (goods: Name, other: Name): boolean => other.key.length > 1
  && goods.senses.some(({ kind, weight }) => weight >= NAMED
    && (profileOf(kind).features.includes(other.key) || profileOf(kind).scenes.includes(other.key)
      || (weight >= SURE && namesValue(kind, other.key))))

export const hasAttribute = ({ senses }: Name, name: string): boolean => senses.some(({ kind }) =>
  taxonomy().kinds.get(kind)?.attributes.some(({ name_zh, name_en }) =>
    name_zh.startsWith(name) || fold(name_en) === name) ?? false)

const isSameShelf = (left: Name, right: Name): boolean => {
  const shelves = kindsOf(left).map((kind) => taxonomy().kinds.get(kind)?.category_id)
  return kindsOf(right).some((kind) => shelves.includes(taxonomy().kinds.get(kind)?.category_id))
}

export const weightOf = ({ senses }: Name): number =>
  Math.max(...senses.map(({ weight }) => weight))

const valueOf = (text: string, name: Name, index: number): number =>
  weightOf(name) + standingOf(text, name) - 0.05 * index

/** How two wanted things are joined, over those that stand between them. */
function linkBetween(line: Line, one: Name, other: Name): 'and' | 'or' | undefined {
  const [from, to] = one.start < other.start ? [one, other] : [other, one]
  const between = line.names.filter(({ start, end }) => start >= from.start && end <= to.end)
  let link: 'and' | 'or' | undefined
  for (const [index, name] of between.entries()) {
    const next = between[index + 1]
    if (!next) break
    const joint = jointOf(line, name, next)
    if (joint === undefined) return undefined
    link = joint === 'and' ? 'and' : link ?? 'or'
  }
  return link
}

function jointOf(
  { text, left, isList }: Line, name: Name, next: Name,
): 'and' | 'or' | undefined {
  const words = text.slice(name.end, next.start)
  if (OR.test(words) || OR_BEHIND.test(text.slice(next.end, next.end + 12))) return 'or'
  const gap = left.slice(name.end, next.start)
  // 缺土豆缺醋: what is said of the one is said again of the other.
  if (AGAIN.test(gap) && text.charAt(name.start - 1) === gap.charAt(0)) return 'and'
  // 一体机，内存16G
  if (left.charAt(next.end) === TAKEN && hasAttribute(name, next.key)) return undefined
  if (/^ +$/.test(words) || (words === '' && isList) || joinsOnly(gap)
    || isCounted(words, gap)) return 'and'
  // 手机，屏幕大: what belongs to goods, or is said of them, is asked for in so many words.
  const isSaid = /^[\0 ]*(?:也|都|各|[一两]?[个只件条双瓶盒包袋支把套根张副]|顺便|另外)/
    .test(left.slice(next.end, next.end + 4))
  return isJoint(gap) && (isList || isSaid || !isOfOther(name, next)) ? 'and' : undefined
}

const AGAIN = /^[缺少差没要买来换添][点个]?$/

/** 酱油一瓶 醋一瓶, 面膜预算50 眼霜预算200. */
const isCounted = (words: string, gap: string): boolean =>
  /^[\0 ]+ $/.test(gap) && /[\d一二两三四五六七八九十半]/.test(words)

/** Whether the one is a kind of the other, belongs to it, or is said of it. */
const isOfOther = (one: Name, other: Name): boolean =>
  isPartOf(one, other) || isPartOf(other, one) || isSaidOf(one, other) || isSaidOf(other, one)
    || kindsOf(one).some((kind) => kindsOf(other).includes(kind))
