import { describe, expect, test } from 'vitest'
import { understand } from './understand.ts'

const kindOf = (sentence: string) => understand(sentence).kinds[0]?.value

describe('what they have, or do', () => {
  test.each([
    ['我的 laptop 15.6寸，要个 sleeve', 'laptop_sleeve'],
    ['平板买好了，想贴个膜', 'tablet_screen_protector'],
    ['我那把手动剃须刀该换刀片了', 'razor_blades'],
    ['托运箱子的保护套，26寸箱子用', 'luggage_cover'],
    ['手表 带子', 'wristwatch_strap'],
  ])('says for what an accessory is wanted: %s', (sentence, kind) => {
    expect(kindOf(sentence)).toBe(kind)
  })

  test.each([
    ['想买个电炖锅炖燕窝', 'slow_cooker'],
    ['做酸菜鱼，巴沙鱼来一包', 'basa_fillet'],
    ['I cook a lot of fish; what rice cooker do you suggest', 'rice_cooker'],
    ['want to learn the violin, which music stand should I get', 'music_stand'],
    ['Which translator device suits a trip to Spain?', 'translator'],
    ['Going hiking with kids, need a compass', 'compass'],
  ])('is no goods that they want: %s', (sentence, kind) => {
    expect(kindOf(sentence)).toBe(kind)
  })

  test('is wanted anew where it broke', () => {
    expect(kindOf('My electric shaver died, I need a new rotary one')).toBe('electric_shaver')
  })
})

test.each([['买点红枣泡水', 'red_dates'], ['瑜伽垫加厚的', 'yoga_mat'], ['买把牙刷和牙膏各一个', 'manual_toothbrush'],
  ['中秋拎什么白酒去体面', undefined]])(
  'a verb behind a name makes no other goods of it: %s', (sentence, kind) => {
    const { kinds } = understand(sentence)
    expect(kinds.length).toBeGreaterThan(0)
    expect(kind === undefined || kinds[0]?.value === kind).toBe(true)
  })

test('what is not drunk is refused, though it is a name of goods', () => {
  const { kinds, must_not } = understand('奶茶我不喝植脂末做的')
  expect(must_not.map(({ anyOf }) => anyOf)).toContainEqual(['植脂末'])
  expect(kinds.map(({ value }) => value)).not.toContain('coffee_creamer')
})

describe('a picture', () => {
  test.each([['🐦 的 🏠 买一个', 'bird_cage'], ['🐶🦴', 'dog_chew'], ['🚲🔒', 'bike_lock'],
    ['🎻 初学', 'violin'], ['🧹一把', 'broom'], ['🎈 50个', 'balloon']])(
    'names goods: %s', (sentence, kind) => {
      expect(kindOf(sentence)).toBe(kind)
    })
})

describe('a slip', () => {
  test.each([['想买个电顿锅炖燕窝', '电炖锅'], ['来几斤莲耦煲汤', '莲藕'], ['做酸菜鱼，巴杀鱼来一包', '巴沙鱼'],
    ['买点红早泡水', '红枣']])('is corrected inside a sentence: %s', (sentence, word) => {
    expect(understand(sentence).corrections.map(({ to }) => to)).toStrictEqual([word])
  })

  test.each(['女款 长版 羽绒外套', '擦字胶', '口香胶', '今天想喝霸王茶姬', '想要个炒过的'])(
    'is none where the characters say something else: %s', (sentence) => {
      expect(understand(sentence).corrections).toStrictEqual([])
    })
})

test.each([['老人便秘', 'dietary_fiber_powder'], ['女朋友痛经', 'hot_compress_pad'],
  ['娃一出门一身包', 'mosquito_repellent_spray']])(
  'what somebody suffers from is a need: %s', (sentence, kind) => {
    const { kinds, unsold } = understand(sentence)
    expect([kinds[0]?.value, unsold]).toStrictEqual([kind, null])
  })

test('a part of the name before a number is no attribute', () => {
  expect(kindOf('电脑屏幕27寸')).toBe('computer_monitor')
})
