/**
 * Notes of an answer, in our words and the user's language: what it lacks, how the sentence was
 * read, and questions to the user where the sentence leaves open what changes the answer.
 */
import { yuanText } from '../../contract/money.ts'
import { AUDIENCES, taxonomy } from '../../goods/taxonomy.ts'
import { boundsOf, isLimited } from '../../language/bounds.ts'
import { type Plan, unsoldNotes } from '../../language/fit.ts'
import type { Say } from '../../language/answer-language.ts'
import { deniedGroup } from '../../language/groups.ts'
import { namesAttribute, profileOf } from '../../language/profile.ts'
import type { Slot } from '../../language/slot.ts'
import { unusedWords } from '../../language/unclear.ts'
import type { Understanding } from '../../language/understanding.ts'
import { PEOPLE, RECIPIENTS } from '../../language/read/people.ts'
import { FILLERS, NO_NOUN_WORDS } from '../../language/read/words.ts'
import { taggedWords } from '../../language/segment.ts'
import { isKnownWord } from '../../language/vocabulary.ts'
import { openPrice } from '../merge.ts'
import type { ScoredOffer, Selection } from '../score.ts'
import { wishNameFor } from './reasons.ts'

const NOTE_LENGTH_MAX = 200

export interface Answered {
  readonly understood: Understanding
  readonly plan: Plan
  readonly scored: readonly ScoredOffer[]
  readonly selection: Selection
  /** Sources without an answer. */
  readonly unanswered: readonly string[]
  /** Sources that need a key, where none was asked. */
  readonly needKey: readonly string[]
  readonly say: Say
}

export function relaxedNotes(answered: Answered): string[] {
  const notes = answered.needKey.length > 0 ? [keyNote(answered)] : [
    ...readingNotes(answered),
    ...mealNotes(answered),
    ...answered.scored.length === 0 ? emptyNotes(answered)
      : isNear(answered) ? unsoldNotes(answered.understood, answered.plan, answered.say)
        : unmetNotes(answered),
  ]
  return notes.map((note) => note.slice(0, NOTE_LENGTH_MAX))
}

const keyNote = ({ needKey, say }: Answered): string =>
  say(`没有查询任何来源：${needKey.join('、')}需要 API 密钥。`,
    `No source was asked: an API key is needed for ${needKey.join(', ')}.`)

/** The general coupon is on no list: it is offered where no dish is named or found. */
function mealNotes({ understood: { food }, scored, say }: Answered): string[] {
  if (food?.meant !== 'yes') return []
  if (food.isNamed && scored.length > 0) {
    return [say('这些是外卖券：先领券，再在外卖平台下单。',
      'These are meal coupons: take one, then order the meal with it.')]
  }
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

function emptyNotes({ understood, plan, selection, unanswered, say }: Answered): string[] {
  const missing = plan.missingBrands.join('、')
  if (plan.isOnlyBrand && missing !== '') {
    return [say(`没有找到${missing}的；有其他品牌。`,
      `Nothing of ${missing} was found; there are other brands.`)]
  }
  const { keywords } = understood
  const goods = keywords.filter(({ role }) => role !== 'word')
  const name = (goods.length > 0 ? goods : keywords).map(({ text }) => text).join(' ').slice(0, 60)
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
  if (refused > 0 && understood.must_not.length > 0) {
    const names = understood.must_not.map((wish) => wishNameFor(wish, say))
    return [say(`找到的都含有不要的：${names.join('、')}。`,
      `All that was found has what was refused: ${names.join(', ')}.`)]
  }
  if (unanswered.length > 0) {
    return [say(`这些来源没有回答：${unanswered.join('、')}；请再问一次。`,
      `These sources did not answer: ${unanswered.join(', ')}; ask again.`)]
  }
  if (name !== '' && isBudgetWhy(understood)) {
    const limits = limitsText(understood, say)
    const usual = usualPrice(understood)
    return [say(`没有找到${limits}的“${name}”${usual === null ? '' : usual.isLeast
      ? `；这类商品一般从${yuanText(usual.price)}起` : `；这类商品一般不超过${yuanText(usual.price)}`}。`,
    `Nothing found for "${name}" ${limits}${usual === null ? '' : usual.isLeast
      ? `; such goods begin at about ${yuanText(usual.price)}`
      : `; such goods cost up to about ${yuanText(usual.price)}`}.`)]
  }
  if (understood.kinds.length > 0 && understood.must_not.length > 0) {
    const names = understood.must_not.map((wish) => wishNameFor(wish, say))
    return [say(`没有找到不含${[...new Set(names)].join('、')}的。`,
      `None was found without: ${[...new Set(names)].join(', ')}.`)]
  }
  const wishes = understood.kinds.length === 0 ? []
    : understood.must.map((wish) => wishNameFor(wish, say))
  if (wishes.length > 0) {
    return [say(`没有“${name}”说明：${wishes.join('、')}。`,
      `No "${name}" says that it is or has: ${wishes.join(', ')}.`)]
  }
  return name === '' ? [] : [say(`没有找到“${name}”。`, `Nothing found for "${name}".`)]
}

/** No such goods cost that, or nothing but the price was asked of them. */
const isBudgetWhy = (understood: Understanding): boolean => usualPrice(understood) !== null
  || (understood.kinds.length > 0 && understood.must.length === 0 && isLimited(understood))

/** Of a price that is limited. */
function limitsText(understood: Understanding, say: Say): string {
  const { min, max } = boundsOf(understood)
  const [least, most] = [yuanText(min), Number.isFinite(max) ? yuanText(max) : '']
  if (min > 0 && most !== '') return say(`${least}到${most}`, `from ${least} to ${most}`)
  if (most !== '') return say(`${most}以内`, `up to ${most}`)
  return say(`${least}以上`, `from ${least} up`)
}

/** What the cheapest or dearest of such goods cost, where none can be within the limits; fen. */
function usualPrice(understood: Understanding): { price: number, isLeast: boolean } | null {
  const { min, max } = boundsOf(understood)
  const prices = understood.kinds.flatMap(({ value }) => taxonomy().kinds.get(value)?.price ?? [])
  const least = Math.min(...prices.map((price) => price.min))
  const most = Math.max(...prices.map((price) => price.max))
  if (prices.length === 0) return null
  return max < least ? { price: least, isLeast: true }
    : min > most ? { price: most, isLeast: false } : null
}

/**
 * Whether goods could say it at all. Of words that nobody knows `unclear` tells; 内存 of a computer
 * is what all of them have.
 */
const isTelling = ({ kind, name }: Slot, { mainKinds }: Plan): boolean => !isPerson(name)
  && (kind !== 'word' || (isKnownWord(name) && !NO_GOODS.has(name)
    && !taggedWords(name).every(isOfTime) && ![...mainKinds].some((one) =>
    namesAttribute(one, name) || (LATIN.test(name) && profileOf(one).text.includes(name)))))
const LATIN = /^[a-z]/
const MADE_FOR = ['elderly', 'baby', 'child', 'student']
const PERSONS: ReadonlySet<string> = new Set(PEOPLE.flatMap(({ gift = '', words }) =>
  MADE_FOR.includes(gift) ? [] : words))
/** No item has 女儿 or "men": of each it is told for whom it is not. */
const isPerson = (name: string): boolean => PERSONS.has(name) || isAudience(name.split('/'))
const isAudience = (names: readonly string[]): boolean =>
  names.every((name) => (AUDIENCES as readonly string[]).includes(name))
/** 带点啥 and 机器 are said of all goods, and 周末 of none. */
const NO_GOODS: ReadonlySet<string> = new Set([...FILLERS, ...NO_NOUN_WORDS, ...RECIPIENTS])
const isOfTime = ({ tag }: { readonly tag: string }): boolean => tag === 't'

/** Each wish is fulfilled by some, and all of them together by none. */
function togetherNotes({ plan, scored, understood: { must }, say }: Answered): string[] {
  const wished = must.filter(({ isSupposed }) => !isSupposed)
  const isWhole = scored.some(({ states }) =>
    must.every((wish, at) => wish.isSupposed || states[at] === 'met'))
  if (plan.isOpen || wished.length < 2 || isWhole) return []
  const names = wished.map((wish) => wishNameFor(wish, say))
  return [say(`没有商品同时符合：${names.join('、')}；先列符合较多的。`,
    `No item is or has all of: ${names.join(', ')}; those with most of it come first.`)]
}

function unmetNotes(answered: Answered): string[] {
  const { plan, scored, say } = answered
  const offers = scored.flatMap(({ group }) => group.offers)
  const kindOf = ({ facts }: (typeof offers)[number]): string | undefined =>
    [...facts.kinds.keys()][0]
  const unmet = [...new Set(plan.slots
    .filter((slot) => !slot.isSoft && isTelling(slot, plan) && !offers.some((offer) =>
      (slot.wholly?.(offer.facts) ?? slot.state(offer.facts, kindOf(offer))) === 'met'))
    .map(({ name }) => name))]
  const missing = plan.missingBrands.filter((brand) => unmet.includes(brand))
  const told = unmet.filter((name) => !missing.includes(name))
  // 无糖 is what goods are, and "no sugar" what they have.
  const denied = told.filter((name) => deniedGroup(name) !== undefined)
  const others = told.filter((name) => !denied.includes(name))
  // Who wants English for Chinese words may not read them.
  const readable = told.filter(isReadable)
  const english = [...readable, ...readable.length < told.length ? ['all that was asked'] : []]
  return [
    ...missing.length > 0 ? [say(`没有找到${missing.join('、')}的；以下是其他品牌。`,
      `Nothing of ${missing.join(', ')} was found; these are other brands.`)] : [],
    ...unmet.length === 0 ? togetherNotes(answered) : [],
    denied.length > 0 ? say(`没有商品说明是：${denied.join('、')}。`, '') : '',
    say(others.length > 0 ? `没有商品说明有：${others.join('、')}。` : '',
      told.length > 0 ? `No item says that it has: ${english.join(', ')}.` : ''),
    unusedNote(answered, unmet),
  ].filter((note) => note !== '')
}

const isReadable = (word: string): boolean => !/\p{Script=Han}/u.test(word)

/** What was said beside the goods, and chose none of them. */
function unusedNote({ understood, say }: Answered, told: readonly string[]): string {
  const words = unusedWords(understood).filter((word) => !told.includes(word))
  const readable = words.filter(isReadable)
  return say(words.length > 0 ? `没有按这些话挑选：${words.join('、')}。` : '',
    readable.length > 0 ? `Not used to choose: ${readable.join(', ')}.` : '')
}

// Questions.

export const QUESTIONS_MAX = 3
const CHOICES_MAX = 3
/** Kinds that are nearly as likely as the first. */
const RIVAL_SHARE = 0.6
/** From this ratio of prices on the budget matters. */
const SPREAD = 4
const SPREAD_ITEMS_MIN = 4

export interface OpenSentence {
  readonly understood: Understanding
  readonly plan: Plan
  readonly scored: readonly ScoredOffer[]
  readonly needKey: readonly string[]
  /** How many items cost more than the budget. */
  readonly near: number
  readonly say: Say
}

export function clarify(open: OpenSentence): string[] {
  const { needKey, say } = open
  if (needKey.length > 0) {
    return [say('带 API 密钥再查一次吗？POST /v1/trial-keys 可立即领取一个。',
      'Ask again with an API key? POST /v1/trial-keys gives one at once.')]
  }
  const questions = [
    whichMeal(open),
    whichKind(open), whatFor(open), whatGoods(open), whichOther(open), whatElse(open),
    perWhat(open),
    whatBudget(open),
  ]
  return questions.filter((question) => question !== null).slice(0, QUESTIONS_MAX)
}

/** 火锅 with friends is a meal, or the goods to cook it. */
function whichMeal({ understood: { food }, say }: OpenSentence): string | null {
  const [dish = ''] = food?.dishes ?? []
  if (food?.isOpen) {
    return say(`您是想点${dish}外卖或到店吃，还是买在家做${dish}的食材和用品？`,
      'Do you want a meal brought or eaten out, or the goods to make it at home?')
  }
  if (food?.meant !== 'yes' || food.isNamed) return null
  return say('想吃什么？可以说菜名、人数和预算。',
    'What would you like to eat, for how many, and at what price?')
}

function whichKind({ understood: { kind, kinds, food }, say }: OpenSentence): string | null {
  if (food?.meant === 'yes' || food?.isOpen) return null
  const best = kinds[0]?.confidence ?? 0
  const rivals = kinds.filter(({ confidence }) => confidence >= best * RIVAL_SHARE)
    .slice(0, CHOICES_MAX).flatMap(({ value }) => taxonomy().kinds.get(value) ?? [])
  if (kind !== null || rivals.length < 2) return null
  return say(`您要的是${rivals.map(({ name_zh }) => name_zh).join('、')}中的哪一种？`,
    `Which do you mean: ${rivals.map(({ name_en }) => name_en).join(', ')}?`)
}

/** 找点乐子的玩意儿: no goods are named, and one kind alone came to mind. */
function whatFor({ understood: { isOpen, kinds, kind, food }, say }: OpenSentence): string | null {
  const [best, rival] = kinds
  const isOne = best && (rival?.confidence ?? 0) < best.confidence * RIVAL_SHARE
  const name = taxonomy().kinds.get(best?.value ?? '')
  if (!isOpen || !isOne || !name || food?.meant === 'yes' || food?.isOpen) return null
  return kind ? null : say(`是想要${name.name_zh}，还是别的？给谁用、在哪里用？`,
    `Do you mean ${name.name_en}, or something else? For whom, and where is it used?`)
}

function whatGoods({ understood: { keywords, kinds, food }, say }: OpenSentence): string | null {
  const isNamed = keywords.length > 0 || kinds.length > 0 || food !== null
  return isNamed ? null : say('您想买哪一类商品？给谁用，预算多少？',
    'What kind of goods are you looking for, for whom, and at what price?')
}

/** 和上次一样的: no earlier purchase is kept. */
function whichOther({ understood: { earlier }, say }: OpenSentence): string | null {
  if (earlier === null) return null
  return say('您说的是哪一件？请给出商品名称或链接。',
    'Which item do you mean? Please name it or give its link.')
}

/** An empty answer offers the next step. */
function whatElse({ understood, scored, near, say }: OpenSentence): string | null {
  const { keywords, kinds, must, must_not } = understood
  if (scored.length > 0 || (keywords.length === 0 && kinds.length === 0)) return null
  if (near > 0) return say('预算可以提高一些吗？', 'Could the budget be a little higher?')
  if (isBudgetWhy(understood)) {
    return say('预算可以改一改吗？', 'Could the budget be another?')
  }
  if (must.length + must_not.length > 0) {
    return say('可以放宽哪个条件？', 'Which condition could be given up?')
  }
  return say('可以换一个说法，或者说说它的用途吗？',
    'Could you name it otherwise, or say what it is for?')
}

/** 两瓶洗发水 100以内. */
function perWhat({ understood: { budget, quantity }, say }: OpenSentence): string | null {
  if (!budget || budget.per !== null || !quantity || quantity.count < 2) return null
  return say('预算是每件的价格，还是全部的总价？', 'Is the budget for each or for all together?')
}

function whatBudget({ understood: { budget }, scored, say }: OpenSentence): string | null {
  const prices = scored.filter(({ tier }) => tier === 'thing')
    .map(({ group }) => openPrice(group)).filter((price) => price !== null)
  if (budget || prices.length < SPREAD_ITEMS_MIN) return null
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  if (high < low * SPREAD) return null
  return say(`预算大概是多少？找到的价格从${yuanText(low)}到${yuanText(high)}。`,
    `What is your budget? Prices found go from ${yuanText(low)} to ${yuanText(high)}.`)
}
