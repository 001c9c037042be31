/** Names of models in a title: PB-1042, WH-1000XM5, Mate 60 Pro, 小米14, and their variants. */
import type { FoundBrand } from './brands.ts'

export interface Models {
  readonly models: ReadonlySet<string>
  /** pro, max, 青春版, gen2: another of them is another product. */
  readonly variants: ReadonlySet<string>
  /** 2024 in 2024款. */
  readonly years: ReadonlySet<string>
}

const HAN_VARIANTS = ['青春版', '至尊版', '探索版', '活力版', '尊享版', '高配版', '低配版', '国际版',
  '升级版', '增强版', '豪华版', '旗舰版', '典藏版', '竞速版', '悦享版', '极速版', '基础版', '性能版', '联名版',
  '海外版', '美版', '港版', '日版', '电竞版', '蓝牙版', '有线版', '无线版', '三模版', '双模版', 'wifi版', '5g版', '4g版']
const VARIANT = new RegExp(
  '(?<![a-z])(?:promax|pro|max|plus|ultra|mini|se|lite|air|turbo|fe|oled|slim)(?![a-z])'
  + `|${HAN_VARIANTS.join('|')}`, 'g')
const GENERATION = new RegExp(String.raw`第?([一二三四五六七八九十]|\d{1,2}) ?代(?![替理])`
  + String.raw`|(?<![a-z])gen(?:eration)? ?(\d{1,2})|(\d{1,2})(?:st|nd|rd|th) gen`, 'g')
const HAN_DIGITS = '零一二三四五六七八九十'
const YEAR = /(?<![\d.-])(20[0-3]\d)(?= ?[年款]|(?![\d.a-z]))/g
/** Standards and ratings, which many models share. */
const NO_MODEL = new RegExp('^(?:ip(?:x?\\d+|\\d+x)[a-z]?|usb\\d?.*|hdmi.*|wifi\\d[a-z]?|'
  + 'bt\\d*|h1[0-4]|a[3-6]|b5|'
  + 'cat\\d[a-z]?|dp\\d*|pd\\d*w?|qc\\d*|ddr\\d|sata\\d?|pcie\\d*|spf\\d+|pa\\d|uv\\d+|bpa\\d*|'
  + 'r1[5-9]|vitamin|vc\\d*|ve\\d*|b\\d{1,2}|d3|k2|q10|no\\d|ph\\d*|mp[34]|x\\d|type-?c|'
  + 'au\\d+|s925|gen\\d|[2-6]g|rgb\\d*|i[3579]|rtx\\d+|gtx\\d+|rx\\d+|ram\\d*|win\\d+|windows\\d+|'
  + 'ios\\d+|dn\\d+|e27|e14|gu10|lr6|lr03|aaa?\\d*|cr20\\d\\d|sn|sp|5w|0w|c\\d)$')
/** Mate 60 Pro, iphone 15promax. */
const NUMBERED = new RegExp(String.raw`(?<![a-z0-9.-])([a-z]{2,12})[ -](\d{1,4}[a-z]?)`
  + String.raw`(?=(?:pro|max|plus|ultra|mini|lite)|(?![\d.a-z%]))`, 'g')
/** Words before a number that name no model: top 10, size 40. */
const NO_NAME = new Set(['size', 'top', 'no', 'pack', 'set', 'for', 'of', 'with', 'and', 'type',
  'plus', 'pro', 'max', 'ultra', 'mini', 'wifi', 'bluetooth', 'usb', 'hdmi', 'gen', 'us', 'eu',
  'uk', 'vol',
  'android', 'ios', 'windows', 'win', 'spf', 'x', 'v', 'eur', 'cat', 'ddr', 'class', 'grade'])

/** `text` is without sizes and counts. */
export function modelsIn(text: string, brands: readonly FoundBrand[]): Models {
  const models = new Set<string>()
  const variants = new Set<string>()
  const years = new Set([...text.matchAll(YEAR)].map(([, year]) => year ?? ''))
  for (const [found] of text.matchAll(VARIANT)) {
    for (const one of found === 'promax' ? ['pro', 'max'] : [found]) variants.add(one)
  }
  for (const [, first, second, third] of text.matchAll(GENERATION)) {
    const written = first ?? second ?? third ?? ''
    const number = HAN_DIGITS.indexOf(written)
    variants.add(`gen${number > 0 ? number : written}`)
  }
  const clean = text.replace(YEAR, (found) => ' '.repeat(found.length))
  for (const { 0: word } of clean.matchAll(/[a-z][a-z0-9]*(?:[-_./][a-z0-9]+)*/g)) {
    const whole = bare(word)
    if (/\d/.test(whole) && whole.length > 1 && !NO_MODEL.test(whole)) models.add(whole)
  }
  for (const [, word = '', number] of clean.matchAll(NUMBERED)) {
    if (!NO_NAME.has(word) && !NO_MODEL.test(`${word}${number}`)) models.add(`${word}${number}`)
  }
  for (const { key, end } of brands) {
    const [, number] = /^ ?(\d{1,4}[a-z]{0,2})(?![\d.])/.exec(clean.slice(end)) ?? []
    if (number) models.add(key + bare(number))
  }
  return { models, variants, years }
}

/** Without its separators and without the variant that stands at its end: mate60pro is mate60. */
function bare(word: string): string {
  const plain = word.replace(/[-_./]/g, '')
  const name = /^([a-z]+\d{1,4}[a-z]?)(?:promax|pro|max|plus|ultra|mini|lite|turbo)$/.exec(plain)
  return name?.[1] ?? plain
}
