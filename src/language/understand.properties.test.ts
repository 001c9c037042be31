import { fc, test } from '@fast-check/vitest'
import pairs from 'opencc-js/dict/TSCharacters'
import { describe, expect, test as plain } from 'vitest'
import { allSentences } from '../../loadtest/evaluations/sentences/expected.ts'
import { fold } from './fold.ts'
import { COLOURS, FEATURES, MATERIALS } from './read/attribute-words.ts'
import { RECIPIENTS } from './read/people.ts'
import { FILLERS, MEALS, SCENES } from './read/words.ts'
import { understand, type Span, type Understanding } from './understand.ts'

const said = allSentences.filter(({ known }) => !known).map(({ say }) => say)
const withoutBudget = said.filter((say) => {
  const { budget, notes } = understand(say)
  return budget === null && notes.length === 0 && /[\p{L}]/u.test(say)
})

const word = fc.oneof(
  fc.constantFrom(...MATERIALS, ...COLOURS, ...FEATURES, ...FILLERS, ...SCENES, ...RECIPIENTS,
    ...MEALS),
  fc.constantFrom('手机', '电热水壶', '机械键盘', 'running shoes', 'kettle', '澜曜', 'iphone 15', '三元',
    '不要', '没有', '别太', '要', '带', '适合', 'no', 'without', 'with', 'for', '预算', '不超过', '以内', '左右',
    '以上', '到', '-', '元', '块', '¥', '$', 'k', '万', '两三百', '几十', '一箱', '一盒', '三个', '500ml', '100%',
    '和', '或', 'or', ' ', ' ', '，', ',', '的', '第', 'x', '*', '+'),
  fc.integer({ min: 0, max: 99_999 }).map(String),
  fc.string({ unit: 'binary', maxLength: 3 }))
const sentence = fc.array(word, { maxLength: 24 }).map((words) => words.join(''))

/** Everything but where it stands, and how sure each kind is: words beside a name weigh there. */
function meaning(understood: Understanding) {
  const { budget, quantity, must, must_not, prefer, keywords, kinds, category, mode } = understood
  const texts = (list: Understanding['must']): string[] => list.map(({ anyOf }) => anyOf.join('|'))
  return {
    budget: budget && [budget.min, budget.max, budget.kind, budget.per],
    quantity: quantity?.count, must: texts(must), must_not: texts(must_not),
    prefer: texts(prefer), keywords: keywords.map(({ folded }) => folded),
    kinds: kinds.map(({ value }) => value), category: category?.value,
    mode: mode?.value,
  }
}

/** What only follows from a condition, as no meat from vegan, has no words of its own. */
const partsOf = (understood: Understanding): Span[] => {
  const { budget, quantity, must, must_not, prefer, keywords, ignored } = understood
  const refused = must_not.filter(({ anyOf, text }) =>
    anyOf.some((word) => fold(text).includes(word)))
  return [...budget?.spans ?? [], ...quantity ? [quantity] : [], ...must, ...refused,
    ...prefer, ...keywords, ...ignored].toSorted((left, right) =>
    left.start - right.start || left.end - right.end)
}

const fullWidth = (text: string): string => text.replace(/[!-+\--~]/g, (character) =>
  String.fromCharCode(character.charCodeAt(0) + 0xfee0))

const TRADITIONAL = new Map(pairs.split('|').map((pair): [string, string] => {
  const [traditional = '', simplified = ''] = pair.split(' ')
  return [simplified, traditional]
}))
const traditional = (text: string): string =>
  [...text].map((character) => TRADITIONAL.get(character) ?? character).join('')

describe('any sentence', () => {
  test.prop([sentence], { numRuns: 600 })('is understood, always in the same way', (say) => {
    const understood = understand(say)
    expect(understand(say)).toEqual(understood)
    const { budget } = understood
    if (budget && budget.min !== null && budget.max !== null) {
      expect(budget.min).toBeLessThanOrEqual(budget.max)
    }
    for (const list of [understood.keywords, understood.must, understood.must_not]) {
      expect(list.length).toBeLessThanOrEqual(20)
    }
  })

  test.prop([fc.oneof(sentence, fc.constantFrom(...said))], { numRuns: 600 })(
    'belongs to its parts, each character to one of them at most', (say) => {
      const understood = understand(say)
      let end = 0
      for (const part of partsOf(understood)) {
        expect(part.text).toBe(understood.sentence.slice(part.start, part.end))
        expect(part.start).toBeGreaterThanOrEqual(end)
        end = part.end
      }
    })

  test.prop([fc.string({ unit: 'binary', maxLength: 400 })])('may be any text', (say) => {
    expect([...understand(say).sentence].length).toBeLessThanOrEqual(200)
  })
})

describe('a sentence of the frozen set', () => {
  plain.each(said)('is accounted for to the last character: %s', (say) => {
    const covered = new Set(partsOf(understand(say)).flatMap(({ start, end }) =>
      Array.from({ length: end - start }, (_, at) => start + at)))
    const missing = [...say.matchAll(/[\p{L}\p{N}]/gu)].filter(({ index }) => !covered.has(index))
    expect(missing.map(([character]) => character)).toEqual([])
  })

  test.prop([fc.constantFrom(...withoutBudget), fc.integer({ min: 30, max: 9999 }),
    fc.constantFrom<[string, (yuan: number) => [number | null, number | null]]>(
      ['，预算#以内', (yuan) => [null, yuan * 100]], ['，不超过#元', (yuan) => [null, yuan * 100]],
      ['，#块以下', (yuan) => [null, yuan * 100]], [', under # yuan', (yuan) => [null, yuan * 100]],
      ['，至少#元', (yuan) => [yuan * 100, null]], [', at least ¥#', (yuan) => [yuan * 100, null]],
      [', max # rmb', (yuan) => [null, yuan * 100]])])(
    'gets exactly the budget that is added to it, and means the same otherwise',
    (say, yuan, [phrase, bounds]) => {
      // Which kinds are likely depends on the price: a notebook for ¥3,000 is a computer.
      const withoutKinds = (all: ReturnType<typeof meaning>) =>
        ({ ...all, kinds: null, category: null })
      const [min, max] = bounds(yuan)
      expect(withoutKinds(meaning(understand(say + phrase.replace('#', String(yuan))))))
        .toEqual({ ...withoutKinds(meaning(understand(say))), budget: [min, max, 'hard', null] })
    })

  test.prop([fc.constantFrom(...said), fc.constantFrom('我想买 ', '请帮我找一下，', '请问有没有 ',
    'please find me ', 'hello, '), fc.constantFrom('', '，谢谢', '，麻烦推荐一下', ', thanks')])(
    'means the same with polite words around it', (say, before, after) => {
      expect(meaning(understand(before + say + after))).toEqual(meaning(understand(say)))
    })

  plain.each(said)('means the same in full width and traditional characters: %s', (say) => {
    expect(meaning(understand(fullWidth(say)))).toEqual(meaning(understand(say)))
    expect(meaning(understand(traditional(say)))).toEqual(meaning(understand(say)))
  })
})

describe('a hostile sentence', () => {
  const pieces = ['不要', '1', '一', '百', '1-', '1,000', '不超过', 'no ', 'a ', '手机', '手机 ', ' ', '适合',
    '100元以内', 'under ', '预算大概', '不要红色和', '红色或', 'budget of is ', '的', '零', '两', 'x', '*1', '+1',
    '第一', '½', 'ﷺ', 'e\u0301', '\u200d', '，', '无', 'pro max ', '12:', '一二三', '十', '$', 'at least ']
  plain('of 200 characters costs little: there is no pattern that backtracks', () => {
    understand('手机')
    const start = process.cpuUsage()
    for (const piece of pieces) {
      understand(piece.repeat(Math.ceil(200 / piece.length)))
      understand(`${piece.repeat(Math.floor(190 / piece.length))}！不是价格`)
    }
    const { user, system } = process.cpuUsage(start)
    const each = (user + system) / 1000 / (2 * pieces.length)
    expect(each).toBeLessThan(50)
  })
})
