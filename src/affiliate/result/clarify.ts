/** What to ask the user when a sentence leaves open what changes the answer, in their language. */
import type { Plan } from '../../language/fit.ts'
import type { Say } from '../../language/say.ts'
import type { Understanding } from '../../language/understanding.ts'
import { taxonomy } from '../../goods/taxonomy.ts'
import type { Scored } from '../score.ts'
import { openPrice } from '../merge.ts'
import { yuanText } from '../../contract/money.ts'

export const QUESTIONS_MAX = 3
const CHOICES_MAX = 3
/** Kinds that are nearly as likely as the first. */
const RIVAL_SHARE = 0.6
/** From this ratio of prices on it helps to know the budget. */
const SPREAD = 4
const SPREAD_ITEMS_MIN = 4

export interface Open {
  readonly understood: Understanding
  readonly plan: Plan
  readonly scored: readonly Scored[]
  /** How many items cost more than the budget. */
  readonly near: number
  readonly say: Say
}

export function clarify(open: Open): string[] {
  const questions = [
    whichMeal(open),
    whichKind(open), whatGoods(open), whichOther(open), whatElse(open), perWhat(open),
    whatBudget(open),
  ]
  return questions.filter((question) => question !== null).slice(0, QUESTIONS_MAX)
}

/** 火锅 with friends is a meal, or the goods to cook it. */
function whichMeal({ understood: { food }, say }: Open): string | null {
  const [dish = ''] = food?.dishes ?? []
  if (food?.isOpen) {
    return say(`您是想点${dish}外卖或到店吃，还是买在家做${dish}的食材和用品？`,
      'Do you want a meal brought or eaten out, or the goods to make it at home?')
  }
  if (food?.meant !== 'yes' || food.isNamed) return null
  return say('想吃什么？可以说菜名、人数和预算。',
    'What would you like to eat, for how many, and at what price?')
}

function whichKind({ understood: { kind, kinds, food }, say }: Open): string | null {
  if (food?.meant === 'yes' || food?.isOpen) return null
  const best = kinds[0]?.confidence ?? 0
  const rivals = kinds.filter(({ confidence }) => confidence >= best * RIVAL_SHARE)
    .slice(0, CHOICES_MAX).flatMap(({ value }) => taxonomy().kinds.get(value) ?? [])
  if (kind !== null || rivals.length < 2) return null
  return say(`您要的是${rivals.map(({ name_zh }) => name_zh).join('、')}中的哪一种？`,
    `Which do you mean: ${rivals.map(({ name_en }) => name_en).join(', ')}?`)
}

function whatGoods({ understood: { keywords, kinds, food }, say }: Open): string | null {
  const isNamed = keywords.length > 0 || kinds.length > 0 || food !== null
  return isNamed ? null : say('您想买哪一类商品？给谁用，预算多少？',
    'What kind of goods are you looking for, for whom, and at what price?')
}

/** 和上次一样的: nobody here knows the last time. */
function whichOther({ understood: { earlier }, say }: Open): string | null {
  return earlier === null ? null : say('您说的是哪一件？请给出商品名称或链接。',
    'Which item do you mean? Please name it or give its link.')
}

/** An empty answer offers the next step. */
function whatElse({ understood, scored, near, say }: Open): string | null {
  const { keywords, kinds, must, must_not } = understood
  if (scored.length > 0 || (keywords.length === 0 && kinds.length === 0)) return null
  if (near > 0) return say('预算可以提高一些吗？', 'Could the budget be a little higher?')
  if (must.length + must_not.length > 0) {
    return say('可以放宽哪个条件？', 'Which condition could be given up?')
  }
  return say('可以换一个说法，或者说说它的用途吗？',
    'Could you name it otherwise, or say what it is for?')
}

/** 两瓶洗发水 100以内. */
function perWhat({ understood: { budget, quantity }, say }: Open): string | null {
  if (!budget || budget.per !== null || !quantity || quantity.count < 2) return null
  return say('预算是每件的价格，还是全部的总价？', 'Is the budget for each or for all together?')
}

function whatBudget({ understood: { budget }, scored, say }: Open): string | null {
  const prices = scored.filter(({ tier }) => tier === 'thing')
    .map(({ group }) => openPrice(group)).filter((price) => price !== null)
  if (budget || prices.length < SPREAD_ITEMS_MIN) return null
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  if (high < low * SPREAD) return null
  return say(`预算大概是多少？找到的价格从${yuanText(low)}到${yuanText(high)}。`,
    `What is your budget? Prices found go from ${yuanText(low)} to ${yuanText(high)}.`)
}
