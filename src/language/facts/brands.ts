/** Brands under one key each, whatever script they are written in. */
import { fold } from '../fold.ts'
import { taxonomy } from '../../goods/taxonomy.ts'
import { isWholeName, nameIndex } from '../read/names.ts'

const KNOWN_PAIRS = `苹果 apple|华为 huawei|小米 xiaomi|红米 redmi|荣耀 honor|三星 samsung|一加 oneplus
|索尼 sony|松下 panasonic|飞利浦 philips|戴森 dyson|联想 lenovo|戴尔 dell|惠普 hp|华硕 asus|罗技 logitech
|安克 anker|绿联 ugreen|倍思 baseus|耐克 nike|阿迪达斯 adidas|阿迪 adidas|李宁 lining|安踏 anta|优衣库 uniqlo
|匡威 converse|新百伦 newbalance|斯凯奇 skechers|雀巢 nestle|星巴克 starbucks|乐高 lego|膳魔师 thermos|象印 zojirushi
|宜家 ikea|无印良品 muji|任天堂 nintendo|佳能 canon|尼康 nikon|雷蛇 razer|漫步者 edifier|美的 midea|海尔 haier
|九阳 joyoung|苏泊尔 supor|维达 vinda|好奇 huggies|帮宝适 pampers|博朗 braun|欧乐b oral-b|格力 gree`

/** Apple's own goods: without one of them 苹果 is a fruit. */
const APPLE = /iphone|ipad|macbook|imac|airpods|apple watch|apple.?苹果|苹果.?apple|手机|平板|手表|耳机|数据线|充电/
const NO_BRAND = new Set(['无品牌', '其他', '其它', 'other', 'others', 'none', '无', '暂无'])

let keys: ReadonlyMap<string, string> | undefined

/** Name → key. */
function brandKeys(): ReadonlyMap<string, string> {
  if (keys) return keys
  const pairs = KNOWN_PAIRS.split('|').map((pair) => pair.trim().split(' '))
  const invented = taxonomy().categories.flatMap(({ brands }) =>
    brands.map(({ zh, latin }) => [fold(zh), fold(latin)]))
  return keys = new Map([...pairs, ...invented].flatMap(([han = '', latin = '']) =>
    [[han, latin], [latin, latin]] as const))
}

export const brandKey = (name: string): string => brandKeys().get(name) ?? name

export interface FoundBrand {
  readonly key: string
  readonly start: number
  readonly end: number
}

/** Known brands in a folded text. */
export const brandsIn = (text: string): FoundBrand[] =>
  nameIndex().brands.find(text).filter(({ phrase }) => brandKey(phrase) === 'apple'
    ? APPLE.test(text) : !isWholeName(phrase))
    .map(({ phrase, start, end }) => ({ key: brandKey(phrase), start, end }))

/** A field such as 星柚 Synyo, 华为（HUAWEI） or Apple/苹果. */
export function brandsOfField(field: string | null): string[] {
  if (field === null) return []
  const text = fold(field)
  const pieces = text.match(/\p{Script=Han}+|[a-z0-9][a-z0-9 .&'-]*[a-z0-9]|[a-z]/gu) ?? []
  const names = pieces.map((piece) => piece.trim().replace(/ /g, ''))
    .filter((piece) => !NO_BRAND.has(piece))
  return [...new Set(names.map(brandKey))]
}
