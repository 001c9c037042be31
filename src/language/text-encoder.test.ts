import { describe, expect, test } from 'vitest'
import { tokensIn, TOKENS_MAX } from './text-encoder.ts'

describe('pieces', () => {
  const known = new Map([['手', 2], ['机', 3], ['run', 4], ['##ning', 5], ['running', 6], [',', 7]])
  test.each([
    ['手机', [2, 3]], ['running', [6]], ['runningning', [6, 5]], ['runner 机', [1, 3]],
    ['手,x', [2, 7, 1]], ['', []],
  ])('of %j are the longest that are known', (text, pieces) => {
    expect(tokensIn(text, known).map(({ piece }) => piece)).toEqual(pieces)
  })

  test('are no more than a text may have', () => {
    expect(tokensIn('手'.repeat(300), known)).toHaveLength(TOKENS_MAX)
  })

  test('know where they stand', () => {
    expect(tokensIn('a 手running', known)).toEqual([
      { piece: 1, start: 0, end: 1 }, { piece: 2, start: 2, end: 3 },
      { piece: 6, start: 3, end: 10 },
    ])
  })
})
