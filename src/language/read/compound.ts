/**
 * Whether a word that nobody knows makes other goods of a name that stands beside it: the noun
 * ends a Chinese name, so 咖啡机 is no coffee, and 毛管支架 no stand for telephones.
 */
import { taxonomy } from '../../goods/taxonomy.ts'
import { profileOf } from '../profile.ts'
import { cutKnown, isSpeech } from '../segment.ts'
import type { Draft } from './draft.ts'
import { isJoint } from './joints.ts'
import type { Name } from './names.ts'

/** The weights of a wider name, which several kinds share. */
const WIDE = { least: 0.68, most: 0.7 } as const
const THINGS_SHARE = 0.5
const HEALTH = 24
const HAN = /\p{Script=Han}/u
/** The last characters of words that name things. */
const NOUN_ENDS = new Set('剂汁勺机器套盒架垫膜刷剪贴粉液膏油水车灯包袋罩壳绳网刀板杯壶锅柜箱笔本纸布衣裤鞋帽镜表带链扣钩夹钳泵管托芯塞钉线'
  + '键条桶头座盖轮胎卡券店具炉仪模笼窝棚床椅凳桌毯巾皂珠棒片丸酒茶酱饼糖饭面汤肉苗种书票锁丝口门窗筒臂翼销件环圈栓阀轴簧螺砖柱枪'
  + '球屏鼠扇梯秤尺瓶罐盆筐篮楼冠靴袜裙帘帐枕被褥席伞画框花格锯墙')
/** 两件套 counts what is named before it. */
const COUNTS = /^[\d一二两三四五六七八九十]+[件只个支条双包袋盒瓶卷片]+套?$/

export const endsGoods = (word: string): boolean =>
  NOUN_ENDS.has(word.replace(/(?<=.)子$/u, '').at(-1) ?? '') && !COUNTS.test(word)

/** Adds a word that nobody knows; the name that it stands behind may name no goods then. */
export function addWord(draft: Draft, word: Draft['keywords'][number]): void {
  const { text, keywords } = draft
  const from = ownedFrom(draft, word.start)
  const said = text.slice(word.start, word.end)
  const before = keywords.findIndex(({ end, role }) => end === from && role === 'kind')
  const isCompound = before >= 0 && HAN.test(text.charAt(word.start))
    && endsGoods(said) && !isJoint(said)
    && (said.length < 2 || !isSpeech(cutKnown(said)[0] ?? ''))
  if (isCompound) {
    draft.heads = draft.heads.filter(({ end }) => end !== from)
    draft.isCompound = true
  }
  if (isCompound && from === word.start && word.end - word.start === 1) {
    keywords[before] = { start: keywords[before]?.start ?? 0, end: word.end, role: 'word' }
  } else keywords.push(word)
}

/** Before the features of what follows: 摩托车智能锁, and 扫地机器人的滤网, which is no robot either. */
export function ownedFrom({ text, must }: Draft, start: number): number {
  let from = start
  for (const wish of must.toSorted((one, other) => other.start - one.start)) {
    if (wish.end === from && !wish.measure && HAN.test(text.charAt(wish.start))) from = wish.start
  }
  return text.charAt(from - 1) === '的' ? from - 1 : from
}

/** 大帐篷 is a tent. */
const SIZE = /^[大小长短厚薄新高矮宽窄轻圆方]$/

/** Says that goods are needed or sold, or put to use, and begins no name. */
const WANTING = /^[差缺要换买求补添配搭发送备卖售订铺挂戴]$/

/** Behind a word that nobody knows, a wide name may be any goods, if it is no class of goods. */
export function isOtherGoods(draft: Draft, { start, end, senses }: Name): boolean {
  const { text, keywords } = draft
  const from = ownedFrom(draft, start)
  const before = keywords.find(({ end, role }) => end === from && role !== 'brand')
  if (!before || !HAN.test(text.charAt(start)) || !HAN.test(text.charAt(start - 1))) return false
  const word = text.slice(before.start, before.end)
  if (SIZE.test(word) || WANTING.test(word)) return false
  const isWide = senses.every(({ weight }) => weight <= WIDE.most) && !isClass(senses)
  return (isWide || (word.length === 1 && from === start && !/.的./.test(text.slice(start, end))))
    && !senses.some(({ kind }) => profileOf(kind).text.includes(word))
}

/**
 * 玩具, 零食 and 靴子 are things by themselves, parts of nothing: a word more says which of them. Of
 * medicines none stands for another.
 */
function isClass(senses: Name['senses']): boolean {
  const kinds = senses.filter(({ weight }) => weight >= WIDE.least)
    .flatMap(({ kind }) => taxonomy().kinds.get(kind) ?? [])
  const things = kinds.filter(({ parts_of = [] }) => parts_of.length === 0)
  const isHealth = kinds.every(({ category_id }) => category_id === HEALTH)
  return kinds.length > 1 && things.length / kinds.length > THINGS_SHARE && !isHealth
}
