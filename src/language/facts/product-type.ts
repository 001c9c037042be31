/** Whether a title sells the thing itself or something for it, and whether it was used before. */
import { categoryOf } from '../../goods/taxonomy.ts'
import { getLexicon } from '../lexicon.ts'
import { namesIn, type Name } from '../read/names.ts'
import { namesValue } from '../values.ts'

const USED = new RegExp(String.raw`二手(?![车房烟])|官翻|(?:官方|原厂|认证)翻新|翻新[机版品]|(?:^| )翻新 |`
  + String.raw`[6-9]\d?成新|[九八七]五?成新|9\d新|准新|拆封|展示机|`
  + '样机|库存机|refurbished|renewed|pre-?owned|second[- ]hand|(?<![a-z])used(?! (?:for|to|in|as))')
const NOT_USED = /(?:非|不是|绝无|拒绝|not ?)(?:二手|翻新|refurbished|used)/
const FOR = new RegExp('适用于?|适配|兼容|专用于|通用于|compatible (?:with|for)|(?<![a-z])(?:for|fits) '
  + String.raw`(?:(?:apple |samsung |xiaomi |huawei |sony |nintendo )?[a-z]+ ?\d`
  + '|iphone|ipad|airpods|macbook|galaxy|kindle|switch|dyson)')
const ACCESSORY = new RegExp('保护[壳套膜罩]|手机[壳套膜]|(?:硅胶|皮|软|硬|透明|防摔)[壳套]|外?壳(?!牌)|皮套|钢化膜|贴膜|水凝膜|'
  + '镜头膜|防尘塞|挂绳|表带(?!表)|表链|替换[头芯装刷]|刷头|滤芯|滤网|耗材|配件|零件|支架|底座|墨盒|硒鼓|遥控器|'
  + '电池盖|耳塞套|耳帽|防尘罩|收纳[包盒]|转接头|充电线|数据线|充电器|充电头|屏幕膜|键帽|脚垫|腕托|集尘袋|尘袋|边刷|拖布|'
  + '(?<![a-z])(?:case|cover|protector|tempered glass|straps?|replacements?|skin|sleeve|holder|'
  + 'mount|adapters?|filters?|bands?|brush heads?|ear ?tips|charger|cable)(?![a-z])', 'g')
/** Whatever stands before: a filter for the purifier that the title names. */
const PART = /替换(?!装)|配件|零件|(?<![a-z])replacements?(?![a-z])|spare part/g
/** 送收纳包, 含支架: it comes with the thing. */
const WITH = /(?:[送赠含带配附]|自带|标配|附带|with |includes? |[\d一两二三四])[^ ,;，。]{0,4}$|加$/
const PART_WITH = /(?:[送赠含附]|自带|标配|附带|with |includes? )[^ ,;，。]{0,4}$|加$/

export const isUsed = (text: string): boolean => USED.test(text.replace(NOT_USED, ''))

export interface ProductType {
  readonly isAccessory: boolean
  /** A part or a refill of the thing, or of the accessory. */
  readonly isPart: boolean
  /** The name by which the title calls the goods. */
  readonly head: Name | null
  readonly names: readonly Name[]
  /** Names so many goods that it sells none of them: 手机 电脑 耳机 …. */
  readonly isStuffed: boolean
}

const STUFFED_CATEGORIES = 5
const SURE_NAME = 0.85

export function productTypeOf(text: string): ProductType {
  const named = namesIn(text).map((name) => withoutValue(text, name))
    .filter(({ start, end }) => !isGift(text, start) && !isCode(text, start, end))
  const cue = FOR.exec(text)
  const accessories = [...text.matchAll(ACCESSORY)]
    .map(({ 0: word, index }) => ({ start: index, end: index + word.length }))
    .filter(({ start }) => !isGift(text, start))
  const head = headOf(named)
  const isPart = [...text.matchAll(PART)]
    .some(({ index }) => !PART_WITH.test(text.slice(Math.max(0, index - 10), index))
      // 婴儿车配件 are called so.
      && !(head && index >= head.start && index < head.end))
  const isAccessory = accessories.length > 0 && (cue !== null
    || accessories.some(({ start, end }) => isPart || !head
      || (start < head.start) || (start <= head.end + 1 && start >= head.start)
      || (start < head.end && end > head.start)))
  return { isAccessory, isPart, head, names: named, isStuffed: isStuffed(text, named) }
}

/** 咖啡机 胶囊 is a machine for capsules, whatever 咖啡机胶囊 are. */
function withoutValue(text: string, name: Name): Name {
  const [key = '', ...rest] = text.slice(name.start, name.end).split(' ')
  const value = rest.join('')
  const senses = value === '' ? undefined : getLexicon().senses.get(key)
  const isValue = senses?.some(({ kind, weight }) => weight >= SURE_NAME && namesValue(kind, value))
  return senses && isValue ? { ...name, key, senses, end: name.start + key.length } : name
}

/** Whole names of goods of many shelves, one beside the other. */
function isStuffed(text: string, names: readonly Name[]): boolean {
  const shelves = new Set<number>()
  for (const [at, { start, end, senses }] of names.entries()) {
    const next = names[at + 1]
    const before = names[at - 1]
    const isListed = (next && LIST_GAP.test(text.slice(end, next.start)))
      || (before && LIST_GAP.test(text.slice(before.end, start)))
    const sure = senses.filter(({ weight }) => weight >= SURE_NAME)
    if (!isListed || sure.length === 0) continue
    const [{ kind } = { kind: '' }] = sure
    shelves.add(categoryOf(kind))
  }
  return shelves.size >= STUFFED_CATEGORIES
}

const LIST_GAP = /^[ ,，、/|;；]*$/

/** CD of CD-527 is no disc, and TV of TV-S26 no set. */
const isCode = (text: string, start: number, end: number): boolean =>
  /^-[a-z]?\d/.test(text.slice(end, end + 3)) && /^[a-z]+$/.test(text.slice(start, end))

const isGift = (text: string, start: number): boolean =>
  WITH.test(text.slice(Math.max(0, start - 7), start))

/** The first name, or the last of those that follow each other at once: 手机 支架. */
function headOf(names: readonly Name[]): Name | null {
  const sure = names.filter((name) => Math.max(...name.senses.map(({ weight }) => weight)) >= 0.6)
  let [head = names[0] ?? null] = sure
  for (const name of sure) {
    if (head && name.start > head.start && name.start - head.end <= 0) head = name
  }
  return head
}
