import { beforeAll, describe, expect, test } from 'vitest'
import { kindChances } from './kind-encoder.ts'
import { portionsOf } from './portions.ts'
import { draftOf, prepareUnderstanding } from './understand.ts'

beforeAll(prepareUnderstanding)

const portions = (sentence: string): string[] => {
  const draft = draftOf(sentence)
  return portionsOf(draft, kindChances).map(({ start, end }) => draft.text.slice(start, end).trim())
}

describe('portions of a sentence', () => {
  test.each([
    ['牙膏两支，再来个漱口杯', ['牙膏两支', '个漱口杯']],
    ['a kettle, two mugs and a tray', ['a kettle', 'two mugs', 'a tray']],
    // What is counted ends a portion where counts stand behind names, else it begins one.
    ['烧烤架一个折叠桌一张椅子四把', ['烧烤架一个', '折叠桌一张', '椅子四把']],
    ['来一个折叠桌两把椅子', ['来一个折叠桌', '两把椅子']],
    // 跟 of a name joins nothing.
    ['高跟鞋，跟5厘米', ['高跟鞋', '5厘米']],
    ['屏幕5.5寸的手机，红的', ['屏幕5.5寸的手机', '红的']],
  ])('%s', (sentence, expected) => {
    expect(portions(sentence)).toEqual(expected)
  })

  test('one portion is none', () => {
    expect(portions('三百块的水壶')).toEqual([])
  })

  test('at most eight are read', () => {
    expect(portions(Array.from({ length: 30 }, (_, at) => `水壶${at}`).join('，'))).toHaveLength(8)
  })
})
