/** Words that are said of goods of a shelf, be they of the kind that is named or of others. */
import { categoryOf, taxonomy } from '../../goods/taxonomy.ts'
import { profileOf } from '../profile.ts'
import type { Name } from './names.ts'

/** Names that weigh so much less than the best hardly count. */
const NEAR_WEIGHT = 0.05
const shelfTexts = new Map<number, string[]>()

/** All that is said of each kind of goods of one category. */
function shelfText(category: number): string[] {
  const known = shelfTexts.get(category)
  if (known !== undefined) return known
  const texts = [...taxonomy().kinds.values()].filter((kind) => kind.category_id === category)
    .map(({ kind }) => profileOf(kind).text)
  shelfTexts.set(category, texts)
  return texts
}

/** Of so many kinds of goods on the shelf of what the name means. */
export const isSaidOnShelf = (word: string, { senses }: Name, least = 1): boolean => {
  const best = Math.max(...senses.map(({ weight }) => weight))
  return [...new Set(senses.filter(({ weight }) => weight >= best - NEAR_WEIGHT)
    .map(({ kind }) => categoryOf(kind)))].some((category) =>
    shelfText(category).filter((text) => text.includes(word)).length >= least)
}
