/** What buyers wrote: clean words, and a summary that does not contradict them. */
import { REVIEW_MAX, SAMPLES_MAX, type Item } from './normal.ts'
import { cleanText } from './text.ts'

type Reviews = NonNullable<Item['reviews']>

/** From so many stars on a review counts as a good one. */
export const GOOD_STARS = 4

export function soundReviews({ count, positive_percent, samples }: Reviews): Reviews {
  const clean = samples.map((sample) => ({ ...sample, text: cleanText(sample.text, REVIEW_MAX) }))
    .filter(({ text }) => text !== '').slice(0, SAMPLES_MAX)
  const isBelied = clean.some(({ rating }) => rating !== null
    && positive_percent === (rating < GOOD_STARS ? 100 : 0))
  return {
    count: Math.max(count, clean.length),
    positive_percent: isBelied ? null : positive_percent,
    samples: clean,
  }
}
