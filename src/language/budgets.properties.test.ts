/** Sentences of known meaning: number form × comparator × polarity × position × language. */
import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { understand } from './understand.ts'

type Bounds = readonly [min: number | null, max: number | null]
interface Amount { readonly text: string, readonly yuan: number }

const amounts = (...pairs: readonly (readonly [string, number])[]): Amount[] =>
  pairs.map(([text, yuan]) => ({ text, yuan }))
const HAN_AMOUNTS = amounts(['三百', 300], ['一百五', 150], ['两百五十', 250], ['一千二', 1200],
  ['八百块', 800], ['两千元', 2000], ['1.5k', 1500], ['1k5', 1500], ['400块钱', 400], ['¥260', 260],
  ['600', 600], ['1,200元', 1200], ['0.2万', 2000], ['九百八', 980], ['伍佰元', 500], ['350rmb', 350])
const LATIN_AMOUNTS = amounts(['300 yuan', 300], ['¥450', 450], ['1,200 rmb', 1200],
  ['two hundred yuan', 200], ['1.5k', 1500], ['260', 260], ['a thousand yuan', 1000],
  ['3 hundred yuan', 300], ['a hundred and fifty yuan', 150])

/** `#` is the amount, `@` the goods. */
type Form = readonly [text: string, bound: 'most' | 'least']
const HAN_FORMS: readonly Form[] = [
  ['#以内的@', 'most'], ['@ 不超过#', 'most'], ['@，最多#', 'most'], ['@，#封顶', 'most'],
  ['@ #往下都行', 'most'], ['@，打死不超过#', 'most'], ['@，#顶天了', 'most'], ['@ 别超过#', 'most'],
  ['@，不高于#', 'most'], ['@，#以上的不要', 'most'], ['高于#的@就算了', 'most'],
  ['别给我看#以上的@', 'most'], ['贵过#的不考虑 @', 'most'], ['@，超过#就别推荐了', 'most'],
  ['预算# @', 'most'], ['@ 控制在#以内', 'most'], ['#以下的@有吗', 'most'],
  ['@ 至少#', 'least'], ['#以上的@', 'least'], ['@，#起', 'least'], ['@，不低于#', 'least'],
  ['@，低于#的就别推了', 'least'], ['别给我看#以下的@', 'least'], ['@ 不要#以内的', 'least'],
  ['不到#的@就不用推荐了', 'least'], ['@，不要太便宜的 #以上', 'least'], ['@，起码#', 'least'],
  ['@，#以下的一律不看', 'least'], ['@ #开外', 'least'], ['少于#的@免谈', 'least'], ['@，起步价#', 'least'],
]
const LATIN_FORMS: readonly Form[] = [
  ['@ under #', 'most'], ['@, nothing over # please', 'most'], ['@ no more than #', 'most'],
  ['don\'t show me anything above #, @', 'most'], ['keep it under #, a @', 'most'],
  ['@, # max', 'most'], ['@ up to #', 'most'], ['@, # or less', 'most'],
  ['no @ over # please', 'most'], ['a @ that costs less than #', 'most'],
  ['@, anything over # is too expensive', 'most'], ['@ for at most #', 'most'],
  ['@ at least #', 'least'], ['@ over #', 'least'], ['@, # or more', 'least'],
  ['don\'t show me any @ below #', 'least'], ['@, nothing under #', 'least'],
  ['anything under # is no good, a @', 'least'], ['@, not less than #', 'least'],
]
const HAN_GOODS = ['电饭煲', '机械键盘', '跑步鞋', '双肩包', '电动牙刷', '行李箱']
const LATIN_GOODS = ['rice cooker', 'mechanical keyboard', 'backpack', 'suitcase', 'hair dryer']

const boundsOf = ({ yuan }: Amount, bound: Form[1]): Bounds =>
  bound === 'most' ? [null, yuan * 100] : [yuan * 100, null]

const filled = (form: string, amount: Amount, goods: string): string =>
  form.replace('#', () => amount.text).replace('@', goods)

function expectBounds(say: string, [min, max]: Bounds, per: 'each' | 'total' | null = null): void {
  const { budget, must, quantity } = understand(say)
  expect([say, budget && [budget.min, budget.max, budget.kind, budget.per]])
    .toEqual([say, [min, max, 'hard', per]])
  expect([say, must.map(({ anyOf }) => anyOf)]).toEqual([say, []])
  if (per === null) expect([say, quantity]).toEqual([say, null])
}

const RUNS = { numRuns: 300, seed: 20_261_123 }

describe('a bound of a price', () => {
  test.prop([fc.constantFrom(...HAN_FORMS), fc.constantFrom(...HAN_AMOUNTS),
    fc.constantFrom(...HAN_GOODS)], RUNS)('is read in Chinese', ([form, bound], amount, goods) => {
    expectBounds(filled(form, amount, goods), boundsOf(amount, bound))
  })

  test.prop([fc.constantFrom(...LATIN_FORMS), fc.constantFrom(...LATIN_AMOUNTS),
    fc.constantFrom(...LATIN_GOODS)], RUNS)(
    'is read in English', ([form, bound], amount, goods) => {
      expectBounds(filled(form, amount, goods), boundsOf(amount, bound))
    })

  test.prop([fc.constantFrom<readonly [string, 'each' | 'total']>(
    ['@三个，每个不超过#', 'each'], ['@三个，单价#以内', 'each'], ['@三个，人均#以内', 'each'],
    ['@三个，一共#以内', 'total'], ['@三个，总价不超过#', 'total'], ['@三个，加起来#封顶', 'total'],
    ['@三个，#以内一个', 'each'], ['@三个，总共别超过#', 'total']),
  fc.constantFrom(...HAN_AMOUNTS), fc.constantFrom(...HAN_GOODS)], RUNS)(
    'is of each or of all', ([form, per], amount, goods) => {
      expectBounds(filled(form, amount, goods), [null, amount.yuan * 100], per)
    })

  test.prop([fc.constantFrom('#到$的@', '@ #-$', '@，价格在#和$之间', '#以上$以下的@', '最低#最高$的@', '最少#最多$的@'),
    fc.integer({ min: 2, max: 40 }), fc.integer({ min: 1, max: 30 }),
    fc.constantFrom(...HAN_GOODS)], RUNS)('has two sides', (form, low, more, goods) => {
    const [min, max] = [low * 50, (low + more) * 50]
    const say = form.replace('#', String(min)).replace('$', String(max)).replace('@', goods)
    const { budget } = understand(say)
    expect([say, budget?.min, budget?.max]).toEqual([say, min * 100, max * 100])
  })
})
