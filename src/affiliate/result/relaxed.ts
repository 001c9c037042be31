/** What an answer does not have of what was asked, and how a sentence was read, in our words. */
import { boundsOf } from '../../language/bounds.ts'
import { nearest, type Plan } from '../../language/fit.ts'
import type { Say } from '../../language/say.ts'
import type { Understanding } from '../../language/understanding.ts'
import { yuanText } from '../../contract/money.ts'
import type { Scored } from '../score.ts'
import type { Selection } from './select.ts'
import { wishName } from './words.ts'

const NOTE_LENGTH_MAX = 200

export interface Answered {
  readonly understood: Understanding
  readonly plan: Plan
  readonly scored: readonly Scored[]
  readonly selection: Selection
  /** Sources that were asked and gave no answer. */
  readonly unanswered: readonly string[]
  readonly say: Say
}

export function relaxedNotes(answered: Answered): string[] {
  const notes = [
    ...readingNotes(answered),
    ...mealNotes(answered),
    ...answered.scored.length === 0 ? emptyNotes(answered)
      : isNear(answered) ? nearNotes(answered) : unmetNotes(answered),
  ]
  return notes.map((note) => note.slice(0, NOTE_LENGTH_MAX))
}

/** The general coupon stands on no list: it is offered where no dish is named or found. */
function mealNotes({ understood: { food }, scored, say }: Answered): string[] {
  if (food?.meant !== 'yes' || (food.isNamed && scored.length > 0)) return []
  const names = food.isNamed ? food.dishes.join('、') : ''
  return [
    ...names !== '' ? [say(`没有找到“${names}”的外卖券。`, `No meal coupon for "${names}" was found.`)] : [],
    say('可以先领通用外卖券：调用 cps_food_convert，不带参数，下单前打开。',
      'The general meal coupon fits any order: call cps_food_convert without arguments.'),
  ]
}

function readingNotes({ understood: { corrections, notes, isOpen }, say }: Answered): string[] {
  const words = corrections.map(({ to }) => to)
  return [
    ...words.length > 0 ? [say(`按“${words.join('、')}”理解。`,
      `Read as ${words.map((word) => `"${word}"`).join(', ')}.`)] : [],
    ...notes,
    ...isOpen ? [say('没有说是什么商品；这些可能合用。', 'No goods were named; these may suit.')] : [],
  ]
}

const isNear = ({ understood, scored }: Answered): boolean =>
  understood.unsold !== null && scored.every(({ tier }) => tier !== 'thing')

/** The goods that were named are not here. */
function nearNotes({ understood, plan, say }: Answered): string[] {
  const { zh, en } = nearest(plan)
  const name = understood.unsold?.text.trim() ?? ''
  return [say(`没有“${name}”；最接近的是：${zh}。`, `No "${name}" here; the nearest: ${en}.`)]
}

function emptyNotes({ understood, selection, unanswered, say }: Answered): string[] {
  const name = understood.keywords.map(({ text }) => text).join(' ').slice(0, 60)
  const { refused, tooCheap, near } = selection
  if (understood.food?.meant === 'yes' && near.length === 0) return []
  const { min } = boundsOf(understood)
  if (near.length > 0) {
    return [say('预算以内没有；最接近的见 near_misses。',
      'None within the budget; the nearest are in near_misses.')]
  }
  if (tooCheap > 0) {
    return [say(`没有${yuanText(min)}以上的；有更便宜的。`,
      `None from ${yuanText(min)} up; there are cheaper ones.`)]
  }
  if (refused > 0) {
    return [say(`找到的都含有不要的：${understood.must_not.map(wishName).join('、')}。`,
      `All that was found has what was refused: ${understood.must_not.map(wishName).join(', ')}.`)]
  }
  if (unanswered.length > 0) {
    return [say(`这些来源没有回答：${unanswered.join('、')}；请再问一次。`,
      `These sources did not answer: ${unanswered.join(', ')}; ask again.`)]
  }
  return name === '' ? [] : [say(`没有找到“${name}”。`, `Nothing found for "${name}".`)]
}

function unmetNotes({ plan, scored, say }: Answered): string[] {
  const offers = scored.flatMap(({ group }) => group.offers)
  const kindOf = ({ facts }: (typeof offers)[number]): string | undefined =>
    [...facts.kinds.keys()][0]
  const unmet = plan.slots.filter((slot) => !offers.some((offer) =>
    slot.state(offer.facts, kindOf(offer)) === 'met')).map(({ name }) => name)
  const missing = plan.missingBrands.filter((brand) => unmet.includes(brand))
  const others = unmet.filter((name) => !missing.includes(name))
  return [
    ...missing.length > 0 ? [say(`没有找到${missing.join('、')}的；以下是其他品牌。`,
      `Nothing of ${missing.join(', ')} was found; these are other brands.`)] : [],
    ...others.length > 0 ? [say(`没有商品说明有：${others.join('、')}。`,
      `No item says that it has: ${others.join(', ')}.`)] : [],
  ]
}
