import { beforeAll, describe, expect, test } from 'vitest'
import { prepareUnderstanding, understand } from './understand.ts'
import type { Wish } from './understanding.ts'

beforeAll(prepareUnderstanding)

const valuesOf = (wishes: readonly Wish[], kind: string): string[] =>
  wishes.flatMap(({ values }) => (values?.get(kind) ?? []).map(({ text }) => text))
const supposed = (say: string): Wish[] => understand(say).must.filter((wish) => wish.isSupposed)

describe('a value that is said in words of the shopper', () => {
  test.each([
    ['烘鞋机能设时间自己停的', 'shoe_dryer', '烘干除臭定时'],
    ['litter box my cat enters from above through a hole in the lid', 'litter_box', '顶入式'],
    ['早上出门急，跑步夹身上的mp3，压根没有屏幕的', 'mp3_player', '无屏'],
  ])('is wished: %s', (say, kind, value) => {
    const { kinds, must } = understand(say)
    expect(kinds[0]?.value).toBe(kind)
    expect(valuesOf(must, kind)).toContain(value)
  })

  test('is supposed, and says where it is said', () => {
    const say = '投影幕布，按一下自己降下来的'
    const [wish] = supposed(say)
    expect(wish).toBeDefined()
    expect(say.slice(wish?.start, wish?.end)).toBe(wish?.text)
  })

  test('is not unclear besides', () => {
    const { unclear } = understand('长靴要拉到膝盖上头去的')
    expect(unclear.map(({ text }) => text)).toEqual([])
  })

  test('is refused where it stands in a refusal', () => {
    const { must, must_not: not } = understand('拖把替换布，不要靠粘的那种')
    expect(valuesOf(not, 'mop_head')).toContain('粘贴式拖布')
    expect(valuesOf(must, 'mop_head')).toEqual([])
  })
})

describe('nothing is supposed', () => {
  test.each(['手机', '跑步鞋', '我想买 降噪耳机，谢谢', 'blue running shoes, thanks',
    '苹果两斤', '一千以内的冰箱', '送妈妈的生日礼物'])('of what is plain: %s', (say) => {
    expect(supposed(say).map(({ text }) => text)).toEqual([])
  })

  test.each(['kayak, but not for only one person', '垃圾桶，脚踩的那种我腿脚不便，不行'])(
    'in a clause that may refuse it: %s', (say) => {
      expect(supposed(say).map(({ text }) => text)).toEqual([])
    })
})

test('of several values that a word may mean the one that the sentence tells is kept', () => {
  const { must } = understand('电视盒子，遥控器能对着它讲话找片子的')
  expect(valuesOf(must, 'tv_box')).toEqual(['蓝牙语音遥控'])
})

test.each([['想换个电饭煲，再贵老公要念我', '念我'], ['洗衣液，要最实惠的', '最'], ['周末露营带点啥', '带点啥']])(
  'what no goods say of themselves is no wish: %s', (say, words) => {
    const { must } = understand(say)
    expect(must.map(({ text }) => text).join()).not.toContain(words)
  })

test.each(['带笔筒的台灯', '羽绒服 带毛领', '杯子要带盖子'])('a thing to have is one: %s', (say) => {
  expect(understand(say).must).not.toEqual([])
})
