/**
 * Goods that nobody here knows, though a name that is known stands in theirs: 液晶电视伴音模块 is no
 * television, and 烫台海绵 hardly a sponge for dishes. Of a bare name only; a sentence tells more.
 */
import { taxonomy } from '../../goods/taxonomy.ts'
import { isAudienceWord } from '../audience.ts'
import { prepareCorrections } from '../correct.ts'
import { fold } from '../fold.ts'
import { profileOf } from '../profile.ts'
import { taggedWords } from '../segment.ts'
import type { Place } from './claims.ts'
import { endsGoods } from './compound.ts'
import type { Draft } from './draft.ts'
import type { Name } from './names.ts'
import { isBare, TELLING } from './told.ts'
import { list, SCENES } from './words.ts'

const SCENE_WORDS = new Set(SCENES)
/** As the dictionary marks common nouns; words of any kind; and what says how something is. */
const NOUN_TAG = /^n[zg]?$/
const WORD_TAG = /^(?:n|v|vn|a|an|l)$/
/** Nouns and verbs that are common: no names of places, people or brands. */
const COMMON_TAG = /^(?:n|vn?)$/
/** 工业风, 豪华版: how goods are made or sold. */
const STYLE = /[风款版级装型绒式制质]$/
const PLAIN_TAG = /^(?:a|ad|an|b|d|z|t|f|s|nr|nrt|ns|nt|m|q|r|k|y)$/
/** 压屏机 of 压屏机液晶电视. */
const MACHINE = /.{2}[机器仪锁泵]$/
const HAN = /^\p{Script=Han}+$/u
/** From this weight on a name is one of the kind's own, and the least of a wider word. */
const OWN_NAME = 0.9
const WIDE_MIN = 0.68
/** A word for so few kinds is no class of goods, as 沙发 and 女鞋 are. */
const FEW = 3
/** What is eaten, and what smells or tastes of it: 牛奶饼干. */
const EDIBLE = new Set([14, 15, 16, 17])
const FLAVOURED = new Set([...EDIBLE, 12, 13, 18, 23, 24])
/** Done for somebody, and no goods. */
const SERVICES = new Set(list(`定制|订制|定做|订做|打印|清洗|清洁|维修|修理|保养|安装|拆装|回收|出租|租赁|代下单|代购|代练|越狱|解锁|刷机|升级
    |兑换|充值|培训|设计|印刷|加工|贴膜|洗澡|改装|报名|咨询|办理|制作`))
/** Nouns that say how goods are sold or for what, and name none. */
const NO_GOODS = new Set(list(`专用|商用|家用|通用|级别|等级|标准|国家标准|国标|时代|全景|尺寸|款式|型号|颜色|品牌|牌子|厂家|批发|包邮|正品|官方
    |旗舰店|价格|特价|图片|大全|尾单|外贸|系列|风格|质量|名牌|爆款|网红|同款|新品|礼盒|礼盒装|盒装|袋装|瓶装|散装|整箱|小包装|男士|女士|成人|饭店|酒店|餐厅
    |免费|创意|原装|进口|民族|医疗|统一|香氛|手工
    |学校|医院|公司|工厂|车间|商场|超市|仓库|宿舍|阳台|客厅|卧室|全家|产地|口味|味道|重量|功率|套餐|效果|图案|花纹|产品|商品|用品`))

/** Takes the name from goods that it only stands in; or says that they are none of its kinds. */
export function readUnsold(draft: Draft): void {
  const { text, heads, more, food } = draft
  const [head] = heads
  const isMore = more.length + draft.clauses.length + draft.mustNot.length > 0
    || draft.mode.mode !== null || draft.per !== null || food?.meant === 'yes'
  if (!head || isMore || !isBare(text)) return
  const end = Math.max(...heads.map((name) => name.end))
  if (isTornEnd(draft, end)) {
    dropHeads(draft)
    return
  }
  if (isVague(draft, head)) {
    draft.unsold = { start: 0, end }
    return
  }
  const tail = wordBehind(draft, end)
  if (tail) {
    const isOther = namesOther(text.slice(tail.start, tail.end), head)
    if (isOther === undefined) return
    if (isOther) {
      dropHeads(draft)
    } else draft.unsold = { start: wordBefore(draft, head)?.start ?? head.start, end: tail.end }
    return
  }
  const lead = wordBefore(draft, head)
  if (lead && isOtherLead(draft, lead, head)) {
    draft.unsold = { start: lead.start, end }
  }
}

function dropHeads(draft: Draft): void {
  draft.heads = []
  draft.isCompound = true
  draft.isOther = true
}

const PARTS = /(?:配件|零件|附件|耗材|外壳)$|^包装$/
/** What follows a name and is no noun of its own. */
const NO_NOUN = /[大小长短厚薄新高矮宽窄轻圆方男女款版型号色香味装春夏秋冬子儿]$/

/** 水果分装袋 and 保温饭盒套子 end in a noun that was read as a counter, or not at all. */
function isTornEnd({ text, quantities, keywords, names, must }: Draft, end: number): boolean {
  const rest = text.slice(end)
  if (!/^(?![的带含有加送配])\p{Script=Han}{1,5}$/u.test(rest)
    || quantities.some((one) => one.end === text.length)
    || names.some((name) => name.end === text.length)) return false
  const isRead = [...keywords, ...must].some((one) =>
    one.end === text.length && one.end - one.start > 1)
  const last = taggedWords(rest).at(-1)?.text ?? ''
  return PARTS.test(rest) || (!isRead && endsGoods(rest) && !NO_GOODS.has(last)
    && !/[一二两三四五六七八九十几半]/.test(rest))
}

/**
 * 膜 of 瘦身膜: one character that names many goods names none behind another word, nor does a
 * wider word for a single kind behind a model: 屏幕 of a camera.
 */
function isVague({ text, keywords }: Draft, head: Name): boolean {
  const { key, start, senses } = head
  if (!/[\p{Script=Han}a-z0-9]/u.test(text.charAt(start - 1))
    || /[的个只件条双款这那]/.test(text.charAt(start - 1))) return false
  const own = senses.filter(({ weight }) => weight >= WIDE_MIN)
  return key.length === 1 ? senses.length > FEW
    : own.length < 2 && senses.every(({ weight }) => weight < OWN_NAME)
      && keywords.some((one) => one.end === start && (one.role === 'model'
        || (one.role === 'brand' && /[a-z]\d|\d[a-z]/.test(text.slice(one.start, one.end)))))
}

/** A noun and nothing more, as 多功能滚尺: who says it needs no other goods. */
export function isNounAlone(text: string): boolean {
  if (!/\p{Script=Han}{2}$/u.test(text) || /[的 ]/.test(text) || !isBare(text)) return false
  const last = taggedWords(text).at(-1)
  return endsGoods(text) || /^(?:n|nz|ng|nr|nrt|ns|vn|x)$/.test(last?.tag ?? '')
}

/** Nothing is told beside the names of goods; 不 of 不锈钢 denies nothing. */
export const isNameAlone = (text: string): boolean => {
  const name = text.replace(/[ 。.!?]+$|不锈钢/gu, '')
  return isBare(name) && !TELLING.test(name) && /\p{Script=Han}/u.test(name)
    && !/[的 哪吗]|[?]$/.test(text.trim())
}

/** Whether the kinds are described by a word, or by those that it is put together of. */
export const isSaidOfAny = (
  word: string, kinds: readonly { readonly value: string }[],
): boolean => {
  const isSaid = (text: string): boolean => kinds.some(({ value }) =>
    profileOf(value).text.includes(text))
  const pieces = taggedWords(word)
  return isSaid(word) || pieces.every(({ text, tag }) => text.length < 2 || isSaid(text)
    || (pieces.length > 1 && !/^(?:n|x|eng)/.test(tag)))
}

const SAME_END = 2

/** 灯泡式监控摄像头 comes near to a 监控摄像头. */
export function endsAlike(text: string, kind: string): boolean {
  const { name_zh = '', aliases = [] } = taxonomy().kinds.get(kind) ?? {}
  return [name_zh, ...aliases].some((name) => fold(name).endsWith(text.slice(-SAME_END)))
}

/** One character is the noun of what it ends: 褚橙汁, 糯米蛋. */
const isWord = ({ text }: Draft, { start, end }: Place): boolean =>
  HAN.test(text.slice(start, end))
    && (end - start > 1 || (end === text.length && !NO_NOUN.test(text)))

/** An unknown word with nothing but Han characters between it and the name. */
function wordBehind(draft: Draft, end: number): Place | undefined {
  const { text, keywords } = draft
  return keywords.find(({ start, role, ...place }) => role === 'word' && start >= end
    && isWord(draft, { start, end: place.end })
    && /^[\p{Script=Han}a-z0-9-]*$/u.test(text.slice(end, start)))
}

/** An unknown word that stands at the name, and is no size or the like of it. */
function wordBefore(draft: Draft, { start }: Name): Place | undefined {
  return draft.keywords.find((one) => one.end === start && isWord(draft, one)
    && (one.role === 'word' || one.role === 'kind'))
}

/** Whether the word names other goods than the name before it; undefined where it names none. */
function namesOther(word: string, head: Name): boolean | undefined {
  const pieces = taggedWords(word).filter(({ text }) => !isSaidOf(text, head))
  if (pieces.length === 0 || isSaidOf(word, head)) return undefined
  const isThing = pieces.some(({ text }) => SERVICES.has(text)
    || (text.length > 1 && endsGoods(text)))
  const last = pieces.at(-1)
  const isNoun = last !== undefined && last.text.length > 1 && word.endsWith(last.text)
    && NOUN_TAG.test(last.tag)
    && (head.line !== undefined || !prepareCorrections().han.has(last.text))
  // 挂墙 is how, and no wall.
  if (isThing || isNoun || word.length === 1 || (word.length !== 2 && endsGoods(word))) return true
  return pieces.every(({ tag }) => PLAIN_TAG.test(tag)) ? undefined : false
}

const isSaidOf = (word: string, { senses }: Name): boolean => NO_GOODS.has(word)
  || SCENE_WORDS.has(word) || isAudienceWord(word)
  || (word.length > 1 && senses.some(({ kind }) => profileOf(kind).text.includes(word)))

/** 雨伞架子 stands in no bathroom, and a 自行车坐垫 on no chair. */
function isOtherLead({ text, keywords, names }: Draft, lead: Place, head: Name): boolean {
  const word = text.slice(lead.start, lead.end)
  const owner = names.find((name) => name.end === lead.end && name.start === lead.start)
  if (owner && keywords.some(({ start, role }) => start === lead.start && role === 'kind')) {
    return !isRelated(owner, head)
  }
  const isWide = head.senses.every(({ weight }) => weight < OWN_NAME)
  if (!isWide) return MACHINE.test(word) || isOfAnother(word, head)
  // A name that no dictionary has is a brand more often than not.
  return isMixed(head) || taggedWords(word).some(({ text: piece, tag }) => piece.length > 1
    && WORD_TAG.test(tag) && !isSaidOf(piece, head))
}

/**
 * 摄影配重沙袋 and 标书密封袋: a common noun, or what is done with it, that nobody says of any goods of
 * this shelf, and what ends in a noun of its own (锅具四件套). A brand is in no dictionary.
 */
function isOfAnother(word: string, head: Name): boolean {
  if (STYLE.test(word)) return false
  const isCommon = taggedWords(word).some(({ text, tag }) => text.length > 1 && COMMON_TAG.test(tag)
    && !isSaidOf(text, head) && !isSaidOnShelf(text, head))
  return isCommon || (word.length > 2 && endsGoods(word) && !isSaidOnShelf(word.slice(-2), head))
}

const shelfTexts = new Map<number, string>()

/** Among all that is said of the goods of one category. */
function shelfText(category: number): string {
  const known = shelfTexts.get(category)
  if (known !== undefined) return known
  const text = [...taxonomy().kinds.values()].filter((kind) => kind.category_id === category)
    .map(({ kind }) => profileOf(kind).text).join('|')
  shelfTexts.set(category, text)
  return text
}

const isSaidOnShelf = (word: string, { senses }: Name): boolean =>
  [...new Set(senses.map(({ kind }) => categoryOf(kind)))].some((category) =>
    shelfText(category).includes(word))

/** The wider word for goods of several sorts, as 卡片 and 架子; or for one that is called so too. */
const isMixed = ({ senses }: Name): boolean => {
  const own = senses.filter(({ weight }) => weight >= WIDE_MIN)
  return own.length <= FEW || new Set(own.map(({ kind }) => categoryOf(kind))).size > 1
}

const categoryOf = (kind: string): number => taxonomy().kinds.get(kind)?.category_id ?? 0

/** What may be in the other, goes with it, or stands on the same shelf. */
function isRelated(owner: Name, head: Name): boolean {
  const best = Math.max(...head.senses.map(({ weight }) => weight))
  const kinds = head.senses.filter(({ weight }) => weight === best).map(({ kind }) => kind)
  return owner.senses.some(({ kind: whole }) => kinds.some((kind) =>
    categoryOf(kind) === categoryOf(whole)
    || (EDIBLE.has(categoryOf(whole)) && FLAVOURED.has(categoryOf(kind)))
    || profileOf(kind).text.includes(owner.key))
    || head.senses.some(({ kind }) => kind === whole
      || (taxonomy().kinds.get(kind)?.parts_of?.includes(whole) ?? false)))
}
