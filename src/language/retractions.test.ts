import { describe, expect, test } from 'vitest'
import { understand } from './understand.ts'

const kindOf = (sentence: string) => understand(sentence).kinds[0]?.value

describe('what is taken back', () => {
  test.each([
    ['想买个 eyeshadow… 不对，是 highlighter 修容那种', 'contour_highlighter'],
    ['想买篮球，啊不是，排球', 'volleyball'],
    ['我要红茶算了绿茶吧', 'green_tea_leaves'],
    ['买两个枕头 改成一个抱枕', 'throw_pillow'],
    ['来瓶酱油，口误口误，是醋', 'vinegar'],
    ['狗粮，噢说错，猫粮，10斤装', 'cat_food'],
    ['I need a kettle, no wait, a toaster', 'toaster'],
    ['find me a tent, actually a sleeping bag', 'sleeping_bag'],
    ['do you have ukuleles? oops I meant violins', 'violin'],
  ])('gives way to the goods behind it: %s', (sentence, kind) => {
    expect(kindOf(sentence)).toBe(kind)
    expect(understand(sentence).more).toStrictEqual([])
    expect(understand(sentence).ignored.some(({ why }) => why === 'correction')).toBe(true)
  })

  test('may be a price, a count, a size or a colour', () => {
    expect(understand('预算200买个耳机，算了300吧').budget?.max).toBe(30_000)
    expect(understand('两箱牛奶，不，三箱').quantity?.count).toBe(3)
    expect(understand('36码的凉鞋，不对我穿37码').must.map(({ text }) => text)).toHaveLength(1)
    expect(understand('红色的围巾，哦不，绿色的').must.map(({ anyOf }) => anyOf[0]))
      .toStrictEqual(['绿色'])
  })

  test.each([
    ['要个8升以上的电饭煲？不对 4升的就行', 4000, 4000, '4升'],
    ['充电宝10000毫安以内，说错了，至少20000毫安', 20_000, null, '至少20000毫安'],
    ['来个500ml的杯子，算了，1升的', 1000, 1000, '1升'],
    ['a kettle over 2 liters, no wait, 1 liter', 1000, 1000, '1 liter'],
    ['27寸的显示器，口误，32寸以上', 32, null, '32寸以上'],
  ])('is a number with what bounds it: %s', (sentence, low, high, text) => {
    expect(understand(sentence).must).toMatchObject([{ text, measure: { low, high } }])
  })

  test.each(['羊毛的就算了，要棉的围巾', '毛巾、牙刷等等', '不是塑料的水杯'])(
    'is nothing where nothing takes its place: %s', (sentence) => {
      expect(understand(sentence).ignored.every(({ why }) => why !== 'correction')).toBe(true)
    })
})

test.each(['茶几不想要玻璃台面', '牙签和牙线', '我是说口琴', '宝宝穿L码的拉拉裤'])(
  'words of the sentence behind a name are no slip: %s', (sentence) => {
    expect(understand(sentence).corrections).toStrictEqual([])
  })
