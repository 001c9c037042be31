import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { fold } from '../language/fold.ts'
import { indexTokens } from './document.ts'
import { queryWords, type QueryWord } from './query.ts'

const finds = (query: string, title: string): boolean => {
  const tokens = new Set(indexTokens([title], { ends: true }))
  const words = queryWords(fold(query))
  return words.length > 0 && words.every((word) => stands(word, tokens))
}

const stands = ({ tokens, any }: QueryWord, inText: ReadonlySet<string>): boolean =>
  any ? tokens.some((token) => inText.has(token)) : tokens.every((token) => inText.has(token))

const TITLE = '易禾Yihovo SY-1507B 智能手机壳 16GB 1.5L 防摔大容量 连衣裙女士红色'

describe('what finds a title', () => {
  test.each([
    '智能手机壳', '手机', '机壳', '能手', '壳', '手机智能', '女士红色连衣裙', '红色 连衣裙',
    'SY-1507B', 'sy1507b', 'SY 1507B', 'sy-1507', '1507b', '1507', 'SY', 'ＳＹ－１５０７Ｂ',
    '16GB', '16 gb', '1.5L', '1.5 l', 'yihovo', 'YIHOVO', '智能手機殼', '連衣裙', '大容量', '防摔',
  ])('%s', (query) => expect(finds(query, TITLE)).toBe(true))

  test.each(['电脑', 'SY-1508B', '507', '6GB', '15L', 'yiho', '女壳', '小'])('not %s', (query) =>
    expect(finds(query, TITLE)).toBe(false))

  test('names with and without their space or hyphen are one name', () => {
    for (const title of ['iPhone 15 Pro', 'iPhone15Pro', 'iphone-15-pro']) {
      for (const query of ['iphone15', 'iPhone 15', 'iphone-15 pro', 'iphone15pro']) {
        expect(finds(query, title), `${query} in ${title}`).toBe(true)
      }
    }
  })

  test("apostrophes and ampersands join: levi's is levis, H&M is hm", () => {
    expect(finds('levis', "Levi's 501")).toBe(true)
    expect(finds("levi's", 'levis 501')).toBe(true)
    expect(finds('H&M', 'H&M 连衣裙')).toBe(true)
  })
})

test('text without letters and digits has no words', () => {
  for (const text of ['', ' ', '😀', '！？。', '-', '({[|]})', '\u200b']) {
    expect(queryWords(text)).toEqual([])
    expect(indexTokens([text], { ends: true })).toEqual([])
  }
})

test('a single character is looked for by itself in titles, else with its neighbour', () => {
  expect(queryWords('大容量')).toEqual([
    { text: '大', tokens: ['大', '大容'], any: true },
    { text: '容量', tokens: ['容量'], any: false },
  ])
  expect(queryWords('说', '他', '')).toEqual([{ text: '说', tokens: ['说', '他说'], any: true }])
  expect(indexTokens(['大容量'], { ends: false })).toEqual(['大容', '容量'])
})

test('a number and its unit are one word, in one spelling', () => {
  const tokensOf = (q: string): string[] => queryWords(fold(q)).flatMap(({ tokens }) => tokens)
  for (const q of ['500ml', '500 ML', '500毫升', '0.5L', '０.５升']) {
    expect(tokensOf(q), q).toEqual(['500ml'])
    expect(indexTokens([q], { ends: false }), q).toContain('500ml')
  }
  expect(tokensOf('256GB')).toEqual(tokensOf('256g'))
  expect(tokensOf('3斤')).toEqual(tokensOf('1.5kg'))
  expect(tokensOf('30×40cm')).toEqual(tokensOf('30x40 厘米'))
  // Parts of names are not measures.
  expect(tokensOf('X5L')).toEqual(['x5', '5l'])
  expect(tokensOf('5L2')).toEqual(['5l', 'l2'])
})

test('width, case, accents and traditional characters are folded; kana keep their marks', () => {
  expect(fold('ＡＢＣ１２ Crème BRÛLÉE 電視機')).toBe('abc12 creme brulee 电视机')
  expect(fold('がぎ')).toBe('がぎ')
})

test.prop([fc.string({ unit: 'grapheme', maxLength: 60 })])(
  'tokens are letters, digits and underscores only, whatever the text', (text) => {
    const words = queryWords(fold(text)).flatMap(({ tokens }) => tokens)
    for (const token of [...words, ...indexTokens([text], { ends: true })]) {
      expect(token).toMatch(/^[\p{L}\p{M}\p{N}_ー]+$/u)
    }
  })

const han = fc.string({
  unit: fc.constantFrom(...'智能手机壳防摔大容量连衣裙女士红色保温杯'), minLength: 1, maxLength: 20,
})

test.prop([han, fc.nat(), fc.nat()])('a Han title is found by parts and end', (title, a, b) => {
  const [from = 0, to = 0] = [a % title.length, b % title.length].toSorted((x, y) => x - y)
  const part = from === to ? title.slice(-1) : title.slice(from, to + 1)
  expect(finds(part, title)).toBe(true)
})
