/** Whether a meal or a drink is to be brought, so that the food-coupon source should be asked. */
import { overlaps, type Place } from './claims.ts'
import type { Name } from './names.ts'
import { phrases } from './phrases.ts'
import { DELIVERY, DISHES, MEALS, NOT_MEAL_AFTER } from './words.ts'

const MEAL_PHRASES = phrases(MEALS)
const DISH_PHRASES = phrases(DISHES)

export interface FoundFood extends Place {
  readonly meant: 'yes' | 'maybe'
  /** Words that say only that it is to be brought. */
  readonly said: Place | null
  readonly dish: Place | null
}

/** `isPacked`: the sentence asks for a box or 500 g of it. */
export function foodIn(
  text: string, names: readonly Name[], isPacked: boolean,
): FoundFood | undefined {
  const isMeal = ({ end }: Place): boolean => !NOT_MEAL_AFTER.test(text.slice(end, end + 12))
  const meal = MEAL_PHRASES.find(text).find(isMeal)
  // The dish itself, not a word of another name, and nothing else to buy behind it.
  const dish = DISH_PHRASES.find(text).findLast((place) => isMeal(place)
    && !names.some(({ start, end }) => (start < place.start || end > place.end)
      && (start < place.end && place.start < end))
    && !names.some(({ start }) => start >= place.end))
  if (meal) {
    return { start: meal.start, end: meal.end, meant: 'yes', said: meal, dish: dish ?? null }
  }
  if (!dish) return undefined
  const { start, end } = dish
  const cue = DELIVERY.exec(text)
  if (cue) {
    const said = { start: cue.index, end: cue.index + cue[0].length }
    return { start, end, meant: 'yes', said: overlaps(said, dish) ? null : said, dish }
  }
  return isPacked ? undefined : { start, end, meant: 'maybe', said: null, dish }
}
