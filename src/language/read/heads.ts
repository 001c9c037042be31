/** Which of the goods that a sentence names are wanted, and which only describe them. */
import { taxonomy } from '../../goods/taxonomy.ts'
import { fold } from '../fold.ts'
import { CLAUSE_END, isBackground, isObject, lastClause } from './background.ts'
import { TAKEN } from './draft.ts'
import { profileOf } from '../profile.ts'
import { namesValue } from '../values.ts'
import { isJoint, joinsOnly } from './joints.ts'
import { isWholeName, type Name } from './names.ts'

const HAN = /\p{Script=Han}/u
/** What stands before these in English is the goods; what follows describes them. */
const PREPOSITION = new RegExp('(?<![a-z])(?:for|with|of|to|in|on|under|without|that|which'
  + '|compatible|from|like)(?![a-z])')
/** usb c to hdmi cable: ends of one thing. */
const ENDS = /^(?: ?[a-z0-9-]{1,5})? to(?: [a-z0-9-]{1,5})? ?$/
const WANTED = new RegExp('看看|想看|买|购|想要|需要|求|推荐|找|来[个点一]|入手|有没有|换|送'
  + '|want|need|looking|buy|find|get|recommend|show me')
const OR_BEHIND = /^[^;。]{0,6}(?:都行|都可以|都可|也行|也可以|均可|任选|either|二选一|哪个)/
const OR = /^ ?(?:或者?|还是|\/|or) ?$/
/** Several goods are wanted, though nothing stands between their names. */
const LIST = new RegExp('配齐|凑齐|一块儿|都得换|都要换|都换|都来|各来|都要|都买|都得买|一起买|一块买|各买|各要|全都要'
  + '|全套都|都没了|都用完了|分别|各[一两三]|一套')
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

/** What the words beside a name say of it; both must match where both are given. */
interface Cue { readonly before?: RegExp, readonly after?: RegExp, readonly worth: number }
const CUES: readonly Cue[] = [
  { before: WANTED, worth: 0.25 },
  // 我家, my: what they have is not what they want.
  { before: new RegExp('(?:我家|家里|家中|家有|我有|刚买了?|买过|已经有|有了|养了?|开的|(?<![a-z])i have'
    + '|(?<![a-z])(?:my|our|his|got a|own))(?![^;,.。!?]{0,7}[要需缺少买])[^;,.。!?]{0,8}$'),
  worth: -0.4 },
  // 洗衣液用完了: the same again.
  { after: /^ ?(?:快|都|又|刚)?(?:[用吃喝使]?[完光]|见底|空)了/, worth: 0.5 },
  // 给 iPad 配: what the goods are for.
  { before: /(?:给|为|帮|替)(?:我|咱|俺)?们?家?的?[个台部辆]?$/,
    after: /^ ?(?:配|买|换|装|套|贴|做|找|加|充|弄|搞|选|挑|用|来)/, worth: -0.7 },
  // 没空调: it is not there. 没墨粉了: it is needed, by what stands before.
  { before: /(?<!有)没(?:有|装)?$|(?<![a-z])(?:no|without an?) $/, after: /^(?!了)/, worth: -0.6 },
  { before: /(?<!有)(?:没|缺|断|少)$/, after: /^了/, worth: 0.4 },
  { after: /^ ?(?:没|缺|少)[^ ;,.。!?了]{1,4}了/, worth: -0.6 },
  { after: /^ ?的[^ ;,.。!?]{1,5}(?:丢|坏|断|碎|破|没|掉)[^ ;,.。!?]{0,2}了/, worth: -0.6 },
  // 平板买好了: they have it.
  { after: /^ ?(?:我)?(?:已经|都|刚)?(?:有了|有一[个台把]|买好|买了|到了|到货|到手|装好)/, worth: -0.6 },
  // My shaver died, I need a new one: what is broken is wanted anew.
  { after: new RegExp('^(?: has| is| just)?(?: died| broke| is dead| stopped| gave (?:up|out)'
    + '| wore out)'
    + '[^.;]{0,30}(?:new|replacement|another|replace)(?![a-z])'), worth: 1.4 },
  // 猫砂盆下面, 沙发上: where they are used.
  { after: new RegExp('^ ?的?(?:里面?|上面?|下面?|底下|旁边?|边上|外面?|前面|后面|中间|缝里?|门口)'
    + '(?!最|哪|性价比|比较|有没有|衣|裤|套|饰|胆|市|新|档)'), worth: -0.6 },
  // 吉他换弦用的, 洗碗机用的: what is served by them.
  { after: new RegExp('^(?:换|清洗|清理|洗|擦|垫|贴|套|盖|修|充|挂|打|除|保养)[^ ;,.。!?的]{0,3}的'
    + '|^专?用(?:的|$|[;,.。!?])|^[都也]?(?:能|可以)(?:用|插|连|装|放|使|通用)'), worth: -0.6 },
  // 手机老是没电: what is broken or in the way is theirs already.
  { after: new RegExp('^ ?(?:太(?!阳|贵|便宜|低|高了)|老(?!人|年|款|式|牌|婆|公|师)|总(?![共计价预额数])'
    + '|[超很特](?:别|级)?(?:滑|脏|臭|吵|烫|冷|乱|慢|卡|硬|堵|潮|闷|黑|挤|松)'
    + '|一直|经常|天天|没电|没声|没信号'
    + '|坏了|坏掉|脏了|堵|漏水|漏气|漏风|掉毛|不制冷|不够|卡顿|很卡|发烫'
    + '|生锈|开裂|[^ ;,.。!?的没用吃喝]{0,4}(?:松|丢|碎|断|破|起球|掉色|裂)[^ ;,.。!?的]{0,2}了'
    + '|keeps |is broken|broke|died|is dead|is too |does not |doesn.t |stopped )'),
  worth: -0.6 },
  // 沙发抓烂了.
  { after: /^[^ ;,，.。的]{0,3}(?:烂|坏|破|脏|湿|烫|响|裂|发黄|乱|疼|痛|酸|臭|霉)了?(?!套|布)/, worth: -0.6 },
  // 热水器坏了，想换一个: what is broken is wanted anew.
  { after: /^[^;。]{0,5}[坏旧破丢]了?[;,。 ][^。]{0,4}(?:换|再买|重买|买个新)/, worth: 1.4 },
  // 坐沙发, 骑电动车: what they do meanwhile.
  { before: /(?:(?:(?<!想|看)看|坐|骑|养|弹|拉开|躺|趴)(?:在|个)?|(?<![斤两克瓶袋盒罐桶箱散])[装放]在?)$/, worth: -0.4 },
  // 当移动硬盘: what they make of it.
  { before: /(?:当|当作|当成|做成|改造成|拼成)$/, worth: -0.6 },
  // Under the sink, for a camera.
  { before: new RegExp('(?<!(?:look|search|shop|hunt|ask|need|pay)(?:ing)? |in the market )'
    + '(?<![a-z])(?:for|in|on|under|from|inside|around|off|onto|down|against|beside|at'
    + '|with|than|of my)'
    + ' (?:(?:my|the|an?|our|his|her|your|their|this|that) )?(?:[a-z]+ )?$'), worth: -0.6 },
]
/** Below this the words say that it is not what is wanted. */
const STANDS = -0.35
const DOES_IT = -0.6
const BEFORE_LENGTH = 24
const AFTER_LENGTH = 32
const NAMED = 0.68
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

/** In `left` what is explained already is masked: counts, prices and features. */
export function headsOf(text: string, names: readonly Name[], left = text): Heads {
  const isList = LIST.test(text) || isRow(text, names)
  const line = { text, left, names, isList }
  const modifiers = new Set(names.filter((name, index) => isModifier(line, index)
    || names.slice(index + 1).some((other) => isOwner(text, name, other))
    || names.some((other) => other.of === name)
    || isBackground(line, name)
    || INSTRUMENT.test(text.slice(name.end, name.end + 6))
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
  const [best] = ranked
  const isMentioned = stand.length === 0
  if (!best) return { heads: [], isDoubtful: true, isMentioned, more: [], modifiers: names }
  const heads = [best.name]
  const more: Name[] = []
  for (const name of wanted) {
    if (name === best.name) continue
    const link = linkBetween({ text, left, names: wanted, isList }, best.name, name)
    if (link === 'or') heads.push(name)
    else if (link === 'and') more.push(name)
  }
  const named = new Set([...heads, ...more])
  const modifying = names.filter((name) => !named.has(name))
  return { heads, isDoubtful, isMentioned, more, modifiers: modifying }
}

/** 能把水变成苏打水的那个机器, something to keep drinks cold: the goods are not named at all. */
function isNameless(text: string, names: readonly Name[]): boolean {
  const nameless = NAMELESS.exec(text)
  return nameless !== null && !names.some(({ start }) => start >= nameless.index
    + nameless[0].length && !/^[a-z]/.test(nameless[0]))
}

interface Line {
  readonly text: string
  readonly left: string
  readonly names: readonly Name[]
  readonly isList: boolean
}

function isModifier(line: Line, index: number): boolean {
  const { text, left, names, isList } = line
  const name = names[index] as Name
  const next = names[index + 1]
  if (next && joinsOnly(left.slice(name.end, next.start))) return false
  if (next && !isBackground(line, next) && describes(text, name, next, isList)) return true
  // Sherry cask whisky, fleece lined leggings.
  if (next && LATIN_WORD.test(text.slice(name.end, next.start))
    && isSaidOf(next, name) && !isSaidOf(name, next)) return true
  if (isValueOf(text, name, names, index)) return true
  const before = names[index - 1]
  if (!before) return false
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
    return weightOf(goods) >= NAMED && isSaid && !AS_WELL.test(between) && !BUYS.test(between)
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
  return SHORT_MODIFIER.test(between) && !WANTED.test(between) && !isJoint(between)
    && !OR.test(between) && (isPartOf(next, name)
      || (weightOf(next) >= NAMED && next.key.length > 1))
    && !/^[可能适]?用/.test(text.slice(next.end, next.end + 2))
}

/** 密封罐防潮 of 乳清蛋白粉: all that stands before the goods is one thing that is said of them. */
const isFeature = (said: string, goods: Name): boolean => said.length > 2 && goods.senses.some(
  ({ kind, weight }) => weight >= NAMED && profileOf(kind).features.split('|').includes(said))

/** How goods are packed; a name before it says which. */
const PACK = /^(?:礼盒|礼盒装|礼包|套装|gift box|gift set|set)$/

const isOwner = (text: string, name: Name, owner: Name): boolean => {
  const between = text.slice(name.end, owner.start)
  return /(?<![你我他她好便宜])的 *$/.test(between) && !CLAUSE_END.test(between)
    && HAN.test(text.charAt(owner.start))
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

const isPartOf = (part: Name, whole: Name): boolean => kindsOf(part).some((kind) =>
  taxonomy().kinds.get(kind)?.parts_of?.some((one) => kindsOf(whole).includes(one)))

/** Whether a kind of the goods has the other name among its values, features and scenes. */
const isSaidOf = (goods: Name, other: Name): boolean => other.key.length > 1
  && goods.senses.some(({ kind, weight }) => weight >= NAMED
    && (profileOf(kind).features.includes(other.key) || profileOf(kind).scenes.includes(other.key)
      || (weight >= SURE && namesValue(kind, other.key))))

const hasAttribute = ({ senses }: Name, name: string): boolean => senses.some(({ kind }) =>
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

function standingOf(text: string, name: Name): number {
  const { start, end } = name
  const clause = text.slice(lastClause(text, start), start).slice(-BEFORE_LENGTH)
  const behind = text.slice(end, end + AFTER_LENGTH)
  return CUES.reduce((sum, { before, after, worth }) =>
    (before?.test(clause) ?? true) && (after?.test(behind) ?? true) ? sum + worth : sum,
  // 磨咖啡豆的 does it.
  /^用?的(?:$|[;,.。!?])/.test(behind) && isObject(text, name) ? DOES_IT : 0)
}

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
  // 一体机，内存16G
  if (left.charAt(next.end) === TAKEN && hasAttribute(name, next.key)) return undefined
  if (/^ +$/.test(words) || (words === '' && isList) || joinsOnly(gap)
    || isCounted(words, gap)) return 'and'
  // 手机，屏幕大: what belongs to goods, or is said of them, is asked for in so many words.
  const isSaid = /^[\0 ]*(?:也|都|各|[一两]?[个只件条双瓶盒包袋支把套根张副]|顺便|另外)/
    .test(left.slice(next.end, next.end + 4))
  return isJoint(gap) && (isList || isSaid || !isOfOther(name, next)) ? 'and' : undefined
}

/** 酱油一瓶 醋一瓶, 面膜预算50 眼霜预算200. */
const isCounted = (words: string, gap: string): boolean =>
  /^[\0 ]+ $/.test(gap) && /[\d一二两三四五六七八九十半]/.test(words)

/** Whether the one is a kind of the other, belongs to it, or is said of it. */
const isOfOther = (one: Name, other: Name): boolean =>
  isPartOf(one, other) || isPartOf(other, one) || isSaidOf(one, other) || isSaidOf(other, one)
    || kindsOf(one).some((kind) => kindsOf(other).includes(kind))
