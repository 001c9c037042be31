/** What to ask the user when a sentence leaves open what changes the answer, in their language. */
import { taxonomy } from '../../goods/taxonomy.ts'
import type { Scored } from '../score.ts'
import type { Understanding } from '../../language/understanding.ts'
import { openPrice } from '../merge.ts'
import { yuanText } from '../../money.ts'

const QUESTIONS_MAX = 3
const CHOICES_MAX = 3
/** Kinds that are nearly as likely as the first. */
const RIVAL_SHARE = 0.6
/** From this ratio of prices on it helps to know the budget. */
const SPREAD = 4
const SPREAD_ITEMS_MIN = 4

export function clarify(understood: Understanding, scored: readonly Scored[]): string[] {
  const isChinese = /\p{Script=Han}/u.test(understood.sentence)
  const say = (zh: string, en: string): string => (isChinese ? zh : en)
  const questions = [
    whichKind(understood, say), whatGoods(understood, say), perWhat(understood, say),
    whatBudget(understood, scored, say),
  ]
  return questions.filter((question) => question !== null).slice(0, QUESTIONS_MAX)
}

type Say = (zh: string, en: string) => string

function whichKind({ kind, kinds }: Understanding, say: Say): string | null {
  const best = kinds[0]?.confidence ?? 0
  const rivals = kinds.filter(({ confidence }) => confidence >= best * RIVAL_SHARE)
    .slice(0, CHOICES_MAX).flatMap(({ value }) => taxonomy().kinds.get(value) ?? [])
  if (kind !== null || rivals.length < 2) return null
  return say(`您要的是${rivals.map(({ name_zh }) => name_zh).join('、')}中的哪一种？`,
    `Which do you mean: ${rivals.map(({ name_en }) => name_en).join(', ')}?`)
}

function whatGoods({ keywords, kinds, food }: Understanding, say: Say): string | null {
  const isNamed = keywords.length > 0 || kinds.length > 0 || food !== null
  return isNamed ? null : say('您想买哪一类商品？', 'What kind of goods are you looking for?')
}

/** 两瓶洗发水 100以内. */
function perWhat({ budget, quantity }: Understanding, say: Say): string | null {
  if (!budget || budget.per !== null || !quantity || quantity.count < 2) return null
  return say('预算是每件的价格，还是全部的总价？', 'Is the budget for each or for all together?')
}

function whatBudget(
  { budget }: Understanding, scored: readonly Scored[], say: Say,
): string | null {
  const prices = scored.filter(({ tier }) => tier === 'thing')
    .map(({ group }) => openPrice(group)).filter((price) => price !== null)
  if (budget || prices.length < SPREAD_ITEMS_MIN) return null
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  if (high < low * SPREAD) return null
  return say(`预算大概是多少？找到的价格从${yuanText(low)}到${yuanText(high)}。`,
    `What is your budget? Prices found go from ${yuanText(low)} to ${yuanText(high)}.`)
}
