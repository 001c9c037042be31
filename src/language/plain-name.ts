/** Sentences that are a name of goods and no more. */
import { isAudienceWord } from './audience.ts'
import { masked } from './read/claims.ts'
import type { Draft } from './read/draft.ts'
import { hasOwnName } from './read/names.ts'
import { withoutPoliteness } from './read/phrasing.ts'
import { isReplaced } from './read/standing.ts'

/**
 * Nothing else is said, or but who makes such goods, what they are like, cost and are for: 手机 防水;
 * or what is broken is to be another one.
 */
export const isPlainName = (text: string, found: Draft): boolean => {
  const { heads, must, mustNot, clauses, quantities, ignored, keywords } = found
  const [head, ...others] = heads
  if (!head || mustNot.length > 0) return false
  const said = withoutPoliteness(text).trim()
  if (heads.some(({ start, end }) => said === text.slice(start, end))) return true
  if (others.length > 0 || !hasOwnName(head)) return false
  const rest = masked(text, [head, ...must.flatMap(({ places }) => places), ...clauses,
    ...quantities, ...ignored.filter(({ why }) => why === 'mode'),
    ...keywords.filter(({ role }) => role === 'brand')])
  return isAudienceOrNothing(withoutPoliteness(rest).replace(/[的 ]/g, '')) || isReplaced(text, head)
}

/** 要一双手套, 帮我挑个灯: nothing is said beside the name but that it is bought. */
export const isNameAskedFor = (text: string, found: Draft): boolean => {
  const { heads, quantities } = found
  const rest = withoutPoliteness(masked(text, [...heads, ...quantities]))
  const isBare = withoutPoliteness(text).trim() === text.slice(heads[0]?.start, heads[0]?.end)
  return heads.length === 1 && !isBare && quantities.every(({ count }) => count === 1)
    && (ONLY_ASKS_HAN.test(rest) || ONLY_ASKS_LATIN.test(rest))
}
const ONLY_ASKS_HAN = /^[帮我你您给想要买来挑选找换整弄搞个一两双把点条些只副有没好用的吗呢吧请下看推荐麻烦问谢家里缺少了 ,;.。!?]*$/
const ONLY_ASKS_LATIN = new RegExp('^(?:i|we|need|want|an?|some|any|please|looking|for|buy|get|me'
  + '|new|pair|of|[ ,.!?])*$')

const isAudienceOrNothing = (word: string): boolean => word === '' || isAudienceWord(word)

/** Hanxio makes many things. */
export const isBrandAlone = ({ keywords, names, must, prefer }: Draft): boolean =>
  keywords.length > 0 && keywords.every(({ role }) => role === 'brand')
  && names.length + must.length + prefer.length === 0
