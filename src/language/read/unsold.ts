/**
 * Goods that nobody here knows, though a name that is known stands in theirs: 液晶电视伴音模块 is no
 * television, and 烫台海绵 hardly a sponge for dishes. Of a bare name only; a sentence tells more.
 */
import { FOOD, PETS } from '../../goods/categories.ts'
import { categoryOf, taxonomy } from '../../goods/taxonomy.ts'
import { isAudienceWord } from '../audience.ts'
import { vocabulary } from '../vocabulary.ts'
import { fold } from '../fold.ts'
import { getLexicon, isNearName } from '../lexicon.ts'
import { profileOf } from '../profile.ts'
import { taggedWords } from '../segment.ts'
import { masked, type Place } from './claims.ts'
import { endsGoods, ownedFrom } from './compound.ts'
import type { Draft } from './draft.ts'
import { PACK } from './heads.ts'
import { hasOwnName, type Name } from './names.ts'
import { isBare } from './phrasing.ts'
import { isSaidOnShelf } from './said-on-shelf.ts'
import { FILE, isCar, NO_GOODS, RENT, SERVICES, TRADE } from './unsold-words.ts'
import { SCENES } from './words.ts'

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
/** The least weight of a wider word. */
const WIDE_MIN = 0.68
/** A word for so many kinds of a shelf is one for goods of the shelf. */
const SAID_MIN = 2
/** A word for so few kinds is no class of goods, as 沙发 and 女鞋 are. */
const FEW = 3
/** What is eaten, and what smells or tastes of it: 牛奶饼干. */
const FLAVOURED = new Set([...FOOD, 12, 13, 18, PETS, 24])
/** Takes the name from goods that it only stands in; or says that they are none of its kinds. */
export function readUnsold(draft: Draft): void {
  const { text, heads, more, food } = draft
  const [head] = heads
  const near = heads.find(({ key }) => isNearName(key))
  if (near && more.length === 0) {
    draft.unsold = { start: near.start, end: near.end }
    return
  }
  const isMore = more.length + draft.clauses.length + draft.mustNot.length > 0
    || draft.mode.mode !== null || draft.per !== null || food?.meant === 'yes'
  if (!head || isMore || !isNameOnly(text)) return
  const end = Math.max(...heads.map((name) => name.end))
  if (isTornEnd(draft, end)) {
    dropHeads(draft)
    return
  }
  if (head.isCompound) {
    draft.unsold = { start: head.start, end }
    return
  }
  if (isVague(draft, head) || isForOtherMake(draft, head) || isForCar(text, head)) {
    draft.unsold = { start: 0, end }
    return
  }
  const tail = wordBehind(draft, end)
  const isOther = tail && namesOther(text.slice(tail.start, tail.end), head)
  if (isOther) {
    dropHeads(draft)
    return
  }
  if (tail && isOther === false) {
    draft.unsold = { start: wordBefore(draft, head)?.start ?? head.start, end: tail.end }
    return
  }
  if (isUnreal(text, heads) || RENT.test(text) || FILE.test(text.slice(end))
    || isLatinTail(draft, head, end) || isForAnimal(text, head) || isServed(draft, end)
    || isNamedBehind(draft, end) || isTrade(text, heads)
    || isValueOfOthers(draft, head)) {
    draft.unsold = { start: 0, end: text.length }
    return
  }
  if (tail) return
  const lead = wordBefore(draft, head)
  if (lead && isOtherLead(draft, lead, head)) {
    draft.unsold = { start: lead.start, end }
  }
}

/** A comma between the words of a short name parts no sentences. */
const COMMAS_LENGTH_MAX = 14

/** What is said is a name, and nothing is asked or told. */
export const isNameOnly = (text: string): boolean => {
  if (BOUGHT.test(text)) return false
  const name = text.replace(NO_SPEECH, '')
  return isBare(name.length > COMMAS_LENGTH_MAX ? name : name.replace(/[,;]/g, ' '))
}

/** 买点牛肉炖汤 is a sentence. */
const BOUGHT = /^(?:我|咱|想|要|去|得|再|帮我|给我)*(?:买|来|整|搞|弄|称|割|囤|添|备)(?:点|些|[一两几半]?[斤只条袋包块盒瓶把])/

/** 总泵, 来令片 and 军被: characters of names that are words of sentences, too. */
const NO_SPEECH = new RegExp('[ 。.!?]+$|不锈钢|总(?=[成泵阀线])|来(?=[令安])|(?<=车)把|把(?=手)'
  + '|(?<=[军棉绵蚕丝毛绒薄厚夏冬春秋])被', 'gu')

const UNREAL = /仿真|模型|道具|玩具|贴图/

/** 室内花卉仿真: what only looks like the goods. */
const isUnreal = (text: string, heads: readonly Name[]): boolean =>
  UNREAL.test(masked(text, heads)) && !heads.some(({ senses }) =>
    senses.some(({ kind }) => UNREAL.test(profileOf(kind).text)))

/** Goods for cars, and toys that are called as they are. */
const CAR_GOODS = new Set([19, 22])

/** 昂科威防撞条: goods for a car, and the name is that of others. */
const isForCar = (text: string, { senses }: Name): boolean => isCar(text)
  && !senses.some(({ kind }) => CAR_GOODS.has(categoryOf(kind)))

/** 索尼a1贴膜: a model of a brand, and goods that go with other goods than the brand has. */
function isForOtherMake({ text, keywords }: Draft, head: Name): boolean {
  const brand = keywords.find(({ role, start, end }) => role === 'brand'
    && end <= head.start && /[a-z0-9]$/.test(text.slice(start, end)))
  const known = brand && getLexicon().brands.at(text.slice(brand.start, brand.end), 0)?.phrase
  const categories = getLexicon().brandOf.get(known ?? '')?.categories
  return categories !== undefined && known !== text.slice(brand?.start, brand?.end)
    && head.senses.filter(({ weight }) => weight >= WIDE_MIN).every(({ kind }) =>
      !categories.has(categoryOf(kind)))
}

const LATIN_TAIL = new RegExp('^(?:[a-z]{3,}|(?: (?!(?:for|with|in|of|to|under|on|and|or|that|which'
  + '|from|by|at|than|without|like)(?![a-z]))[a-z0-9]+)+)$')

const CONNECTORS = /^(?:type-?c|usb|lightning|micro)/

/** 手机root, nail related papers: English words behind the goods that nobody knows. */
const isLatinTail = ({ text, keywords }: Draft, head: Name, end: number): boolean =>
  LATIN_TAIL.test(text.slice(end))
  && (HAN.test(text.charAt(end - 1)) || !/[^a-z0-9 '-]/.test(text))
  && keywords.some((one) => one.start >= end && one.role === 'word'
    && !CONNECTORS.test(text.slice(one.start, one.end))
    // SUV of 车衣 SUV is what they are made for.
    && !isSaidOf(text.slice(one.start, one.end), head))

const ANIMAL = /(?:猫咪?|狗狗?|犬|宠物)$/

/** 泰迪狗棉服 is worn by a dog. */
const isForAnimal = (text: string, { start, senses }: Name): boolean =>
  ANIMAL.test(text.slice(0, start)) && !senses.some(({ kind }) => categoryOf(kind) === PETS)

/** 拍立得照片打印: the last word says what is done. */
const isServed = ({ text, must }: Draft, end: number): boolean => must.some((wish) =>
  wish.start >= end && wish.end === text.length && wish.end - wish.start === 2
  && SERVICES.has(text.slice(wish.start, wish.end)) && !MADE.test(text.slice(wish.start)))

function isTrade(text: string, heads: readonly Name[]): boolean {
  const found = TRADE.exec(text)
  return found !== null && !heads.some(({ key }) => key.includes(found[0]))
    && !heads.some(({ senses }) => senses.some(({ kind }) =>
      profileOf(kind).text.includes(found[0])))
}

/** 醋汁 of 沙拉醋汁: a noun that was read as a value, and that no goods of the name have. */
const isValueOfOthers = ({ text, must }: Draft, head: Name): boolean => must.some((wish) =>
  wish.start >= head.end && wish.end === text.length && wish.measure === undefined
  && /^[a-z0-9-]*$/.test(text.slice(head.end, wish.start))
  && wish.end - wish.start > 1 && !GIVES.test(text.charAt(wish.start))
  && endsGoods(text.slice(wish.start, wish.end))
  && /^\p{Script=Han}+$/u.test(text.slice(wish.start, wish.end))
  && /^[nx]/.test(taggedWords(text.slice(wish.start, wish.end)).at(-1)?.tag ?? '')
  && !isSaidOf(text.slice(wish.start, wish.end), head))

const MADE = /^(?:定制|订制|定做|订做)/

/** 开关孔保护套: the noun stands last, and none of the heads is it. */
const isNamedBehind = ({ text, keywords, heads, names }: Draft, end: number): boolean =>
  keywords.some(({ start, role }) => role === 'kind' && start > end
    && /^[\p{Script=Han}a-z0-9-]+$/u.test(text.slice(end, start))
    && !GIVES.test(text.slice(end, start)) && !heads.some((head) => head.start === start)
    && names.some((name) => name.start === start && !PACK.test(name.key)
      && (name.key.length > 1 || endsGoods(name.key))
      && !heads.some(({ senses }) => senses.some(({ kind }) =>
        name.senses.some((other) => other.kind === kind)))))

/** 带抽屉 is said of the goods before it. */
const GIVES = /[带含有配送加和与或]/

function dropHeads(draft: Draft): void {
  draft.heads = []
  draft.isCompound = true
  draft.isOther = true
}

const PARTS = /(?:配件|零件|附件|耗材|外壳|内胆|密封圈)$|^包装$/
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
function isVague({ text, keywords, must }: Draft, head: Name): boolean {
  const { key, start, senses } = head
  // 1.5米床 says how large a bed.
  if (key === '床' && must.some(({ measure, end }) => measure && end === start)) return false
  if (!/[\p{Script=Han}a-z0-9]/u.test(text.charAt(start - 1))
    || /[的个只件条双款这那]/.test(text.charAt(start - 1))) return false
  const own = senses.filter(({ weight }) => weight >= WIDE_MIN)
  return key.length === 1 ? senses.length > FEW
    : own.length < 2 && !hasOwnName(head)
      && keywords.some((one) => one.end === start && (one.role === 'model'
        || (one.role === 'brand' && /[a-z]\d|\d[a-z]/.test(text.slice(one.start, one.end)))))
}

const DOES = /^[带去坐学养][\p{Script=Han}]?$/u

/** A noun and nothing more, as 多功能滚尺: who says it needs no other goods. */
export function isNounAlone(text: string): boolean {
  if (!/\p{Script=Han}{2}$/u.test(text) || /[的 ]/.test(text) || !isBare(text)) return false
  const words = taggedWords(text)
  const last = words.at(-1)
  // 周末带娃去海边玩沙子 tells what they do.
  if (words.slice(0, -1).filter(({ text: word, tag }) => tag.startsWith('v')
    || DOES.test(word)).length > 1) return false
  return endsGoods(text) || /^(?:n|nz|ng|nr|nrt|ns|vn|x)$/.test(last?.tag ?? '')
}

/** Nothing is told beside the names of goods; 不 of 不锈钢 denies nothing. */
export const isNameAlone = (text: string): boolean => isNameOnly(text)
  && !/[哪吗]|[?]$|(?:东西|神器|工具|的)$/.test(text.trim())

/** Whether the kinds are described by a word, or by those that it is put together of. */
export const isSaidOfAny = (
  word: string, kinds: readonly { readonly value: string }[],
): boolean => {
  const isSaid = (text: string): boolean => kinds.some(({ value }) =>
    profileOf(value).text.includes(text))
  const pieces = taggedWords(word)
  if (endsGoods(word)) return isSaid(word) || kinds.some(({ value }) => endsAlike(word, value))
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
  HAN.test(text.slice(start, end)) && (end - start > 1
    || (!/\p{Script=Han}/u.test(text.charAt(end)) && !NO_NOUN.test(text.slice(0, end))))

/** An unknown word with nothing but Han characters between it and the name. */
function wordBehind(draft: Draft, end: number): Place | undefined {
  const { text, keywords } = draft
  return keywords.find(({ start, role, ...place }) => role === 'word' && start >= end
    && isWord(draft, { start, end: place.end })
    && /^[\p{Script=Han}a-z0-9-]*$/u.test(text.slice(end, start)))
}

/** 支架 of 支架托架: names of the same goods that stand in one. */
function firstAlike({ names }: Draft, head: Name): Name {
  const before = names.find(({ end, senses }) => end === head.start
    && senses.some(({ kind }) => head.senses.some((other) => other.kind === kind)))
  return before ?? head
}

/** 炉子上用的烧水壶 */
const USED_AT = /(?:[上里中内下]?(?:使用|用))?的$|专用的?$/

/** An unknown word that stands at the name, and is no size or the like of it. */
function wordBefore(draft: Draft, head: Name): Place | undefined {
  const { text, keywords } = draft
  const { start } = firstAlike(draft, head)
  const lead = keywords.find((one) => one.end === start && one.end - one.start > 1
    && HAN.test(text.slice(one.start, one.end)) && (one.role === 'word' || one.role === 'kind'))
  if (lead) return lead
  const from = USED_AT.exec(text.slice(0, start))?.index ?? ownedFrom(draft, start)
  const isOnly = /专用的?$/.test(text.slice(0, start))
  return keywords.find((one) => one.end === from && one.end - one.start > 1
    && (one.role === 'word' || (isOnly && one.role === 'kind'))
    && HAN.test(text.slice(one.start, one.end))
    && isNoun(text.slice(one.start, one.end)))
}

/** 小点 of 屏幕小点的手机. */
const DEGREE = /[大小高低长短厚薄重轻](?:点儿?|些)?$/

/** 声音大 of 声音大的手机 tells how the goods are, and 留下 of 奶奶留下的碗 what is done. */
const isNoun = (word: string): boolean => {
  if (DEGREE.test(word)) return false
  const words = taggedWords(word)
  const { text = '', tag = '' } = words.at(-1) ?? {}
  return words.some((one) => NOUN_TAG.test(one.tag))
    && !(/^(?:ad?|d|z)$/.test(tag) || (tag === 'v' && text.length > 1))
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
    && (head.line !== undefined || !vocabulary().han.has(last.text))
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
  if (hasOwnName(head)) return MACHINE.test(word) || isOfAnother(word, head)
  // A name that no dictionary has is a brand more often than not.
  return isMixed(head) || wordsIn(word).some(({ text: piece, tag }) => piece.length > 1
    && WORD_TAG.test(tag) && !isSaidOf(piece, head))
}

/** And the whole: 猫咪 is no word of the dictionary, and nothing but nouns. */
function wordsIn(word: string): ReturnType<typeof taggedWords> {
  const pieces = taggedWords(word)
  const isJoined = pieces.length > 1
    && pieces.every(({ text, tag }) => text.length === 1 && /^ng?$/.test(tag))
  return isJoined ? [...pieces, { text: word, tag: 'n' }] : pieces
}

/**
 * 摄影配重沙袋 and 标书密封袋: a common noun, or what is done with it, that nobody says of any goods of
 * this shelf, and what ends in a noun of its own (锅具四件套). A brand is in no dictionary.
 */
function isOfAnother(word: string, head: Name): boolean {
  if (STYLE.test(word)) return false
  const isCommon = wordsIn(word).some(({ text, tag }) => text.length > 1 && COMMON_TAG.test(tag)
    && !isSaidOf(text, head) && !isSaidOnShelf(text, head, tag === 'n' ? SAID_MIN : 1))
  return isCommon || (word.length > 2 && endsGoods(word) && !isSaidOnShelf(word.slice(-2), head))
}

/** The wider word for goods of several sorts, as 卡片 and 架子; or for one that is called so too. */
const isMixed = ({ senses }: Name): boolean => {
  const own = senses.filter(({ weight }) => weight >= WIDE_MIN)
  return own.length <= FEW || new Set(own.map(({ kind }) => categoryOf(kind))).size > 1
}

const isPart = (kind: string): boolean => (taxonomy().kinds.get(kind)?.parts_of ?? []).length > 0

/** What may be in the other, goes with it, or stands on the same shelf. */
function isRelated(owner: Name, head: Name): boolean {
  const best = Math.max(...head.senses.map(({ weight }) => weight))
  const kinds = head.senses.filter(({ weight }) => weight === best).map(({ kind }) => kind)
  return owner.senses.some(({ kind: whole }) => kinds.some((kind) =>
    (categoryOf(kind) === categoryOf(whole) && !isPart(kind)
      && !head.senses.some((one) => one.weight >= WIDE_MIN && isPart(one.kind)))
    || (FOOD.has(categoryOf(whole)) && FLAVOURED.has(categoryOf(kind)))
    || profileOf(kind).text.includes(owner.key))
    || head.senses.some(({ kind }) => kind === whole
      || (taxonomy().kinds.get(kind)?.parts_of?.includes(whole) ?? false)))
}
