/** What nobody said is no wish: words that share a character with a value, orders, and titles. */
import { describe, expect, test } from 'vitest'
import { understand } from './understand.ts'

const supposedIn = (say: string): string[] => {
  const { must, prefer } = understand(say)
  return [...must, ...prefer].filter(({ isSupposed }) => isSupposed)
    .flatMap(({ values }) => [...values?.values() ?? []].flat().map(({ text }) => text))
}

describe('a word is no evidence of a value', () => {
  test.each([
    ['of a colour of which it is no colour', '老婆总熬夜加班，换个键盘', '午夜黑'],
    ['by one of people', '奶爸想要个婴儿推车', '奶茶棕'],
    ['by one of sentences', '想自己做面包，来袋面粉', '自发粉'],
    ['by one of sentences', '小阳台种花,都需要买啥', '大口径'],
    ['by one of places', '小饭馆用油多，食用油哪款划算', '古法小榨'],
    ['by a title', '想买《三体》全套', '《三字经》'],
  ])('%s: %s', (_, say, value) => {
    expect(supposedIn(say)).not.toContain(value)
  })

  test.each([
    ['盘式蚊香那种一圈圈的，点起来冒烟的蚊香', 'mosquito_coil'],
    ['给我家娃挑块电话手表，前后都能拍照的', 'kids_watch_phone'],
  ])('but what is told is one: %s', (say) => {
    expect([...understand(say).must, ...understand(say).prefer].length).toBeGreaterThan(0)
  })
})

describe('a noun that nobody knows has no goods', () => {
  test.each(['给我来个杜鹃', '来盆芍药', '我想买杜鹃花', '帮我找个木鱼', '卖芍药吗',
    '有没有杜鹃花', '请问店里有木鱼吗'])(
    'however it is asked for: %s', (say) => {
      expect(understand(say).kinds).toStrictEqual([])
    })

  test.each([['来桶油', 'cooking_oil'], ['有貔貅吗', 'home_ornament'],
    ['找个遮瑕', 'concealer'], ['来束玫瑰', 'fresh_flowers']])(
    'others have: %s', (say, kind) => {
      expect(understand(say).kinds[0]?.value).toBe(kind)
    })
})

test.each([['出差用的牙刷毛巾套装', '刷毛磨圆'], ['身高一米四的校服', '高中']])(
  'what begins in one word and ends in another is no value: %s', (say, value) => {
    const { must, named } = understand(say)
    expect([...must, ...named].flatMap(({ values }) => [...values?.values() ?? []].flat()
      .map(({ text }) => text))).not.toContain(value)
  })

test('what tells how goods are is no part of another name', () => {
  expect(understand('字大声音响的手机').unsold).toBeNull()
})
