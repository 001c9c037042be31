/** What buyers of the simulated malls write: as good on the whole as the offer's numbers say. */
import { DAY_MS } from '../time.ts'
import { between } from './chance.ts'
import type { SimOffer } from './catalogue.ts'

export interface SimComment {
  readonly content: string
  readonly score: number
  /** Milliseconds. */
  readonly at: number
}

const GOOD = [
  '和描述一致，用了一周没有问题。', '物流很快，包装完好，会回购。', '性价比不错，家里人都说好。',
  '做工比想象的好，推荐。', '第二次买了，质量稳定。', '客服耐心，东西也满意。',
  'Exactly as described, fast delivery.', '大小合适，颜色和图片一样。',
] as const
const BAD = [
  '和图片有些差别，一般。', '用了几天有点小毛病，客服在处理。', '物流慢，外盒压坏了。',
  'Smaller than I expected.',
] as const
const SHOWN_MAX = 3
const OLDEST_DAYS = 90
/** A sample of three shows a bad one where more than one of twelve is. */
const GOOD_PERCENT = 92

/** The latest first; the same from call to call within a day. */
export function commentsOf(
  { product: { index }, id, reviews, positivePercent }: SimOffer, now: number,
): SimComment[] {
  const shown = Math.min(SHOWN_MAX, reviews)
  const bad = Math.round(reviews * (100 - positivePercent) / 100)
  const badShown = reviews <= SHOWN_MAX ? bad : Number(bad > 0 && positivePercent < GOOD_PERCENT)
  const today = now - now % DAY_MS
  return Array.from({ length: shown }, (_, place): SimComment => {
    const isBad = place >= shown - badShown
    const texts = isBad ? BAD : GOOD
    const first = between(0, texts.length - 1, id, index, 'comment')
    return {
      content: texts[(first + place) % texts.length] as string,
      score: isBad ? between(1, 3, id, place, 'stars') : between(4, 5, id, place, 'stars'),
      at: today - between(1, OLDEST_DAYS, id, place, 'day') * DAY_MS
        + between(0, 86_399, id, place, 'second') * 1000,
    }
  }).sort((one, other) => other.at - one.at)
}
