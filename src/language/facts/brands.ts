/** Brands under one key each, whatever script they are written in. */
import { fold } from '../fold.ts'
import { getLexicon } from '../lexicon.ts'
import { isWholeName } from '../read/names.ts'

/** Apple's own goods: without one of them 苹果 is a fruit. */
const APPLE = /iphone|ipad|macbook|imac|airpods|apple watch|apple.?苹果|苹果.?apple|手机|平板|手表|耳机|数据线|充电/
/** 小米14 is a phone's model, 小米10斤 is millet. */
const MODEL_BEHIND = /^\d{1,2}(?![\d.gk斤克袋包])/
const NO_BRAND = new Set(['无品牌', '其他', '其它', 'other', 'others', 'none', '无', '暂无'])

export const brandKey = (name: string): string => getLexicon().brandOf.get(name)?.key ?? name

export interface FoundBrand {
  readonly key: string
  readonly start: number
  readonly end: number
}

/** Product lines begin with their brand: dyson v12. */
function brandWithin(phrase: string, start: number): (FoundBrand & { phrase: string })[] {
  for (let length = phrase.length; length > 1; length -= 1) {
    const name = phrase.slice(0, length)
    const isCut = /[a-z]{2}/.test(phrase.slice(length - 1, length + 1))
    if (!isCut && getLexicon().brandOf.has(name)) {
      return [{ phrase: name, key: name, start, end: start + length }]
    }
  }
  return []
}

/** Known brands in a folded text. */
export const brandsIn = (text: string): FoundBrand[] =>
  getLexicon().brands.find(text).flatMap(({ phrase, start }) => brandWithin(phrase, start))
    .filter(({ phrase, end }) => brandKey(phrase) === 'apple' ? APPLE.test(text)
      : !isWholeName(phrase) || MODEL_BEHIND.test(text.slice(end)))
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
