/** The order of a smart search: what has all that was wished comes first, whatever else is true. */
import { describe, expect, test } from 'vitest'
import type { Item } from '../../adapters/contract.ts'
import { anItem, ranked } from './testing/items.ts'

const ids = (sentence: string, items: readonly Item[]): string[] =>
  ranked(sentence, items).items.map(({ item_id }) => item_id.split(':')[1] ?? '')

const keyboard = (id: string, keys: number, stand: string, fen: number): Item =>
  anItem(`启蔓 EK-${id}${id} 电子琴 ${keys}键 标准键 ${stand}`, fen, { id, sales: 9 })

describe('goods that lack a wish', () => {
  const exact = keyboard('1', 61, '琴加支架', 99_900)
  const other = keyboard('2', 61, '单琴', 9_900)
  const none = keyboard('3', 49, '单琴', 8_900)

  test('come after those that have all, by how much they lack, not by their price', () => {
    expect(ids('61键 琴加支架的电子琴', [none, other, exact])).toEqual(['1', '2', '3'])
    expect(ids('最便宜的电子琴，61键，琴加支架', [none, other, exact])).toEqual(['1', '2', '3'])
  })

  test('have fewer points the more they lack', () => {
    const scores = ranked('61键 琴加支架的电子琴', [none, other, exact]).items
      .map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(new Set(scores).size).toBe(3)
  })

  test('come after those of which nobody knows', () => {
    const unknown = anItem('启蔓 EK-44 电子琴 61键 标准键', 99_900, { id: '4' })
    expect(ids('61键 琴加支架的电子琴', [other, unknown, exact])).toEqual(['1', '4', '2'])
  })

  test('are not shown beside a handful that have all', () => {
    const many = ['5', '6', '7', '8'].map((id) => keyboard(id, 61, '琴加支架', 99_900))
    expect(ids('61键 琴加支架的电子琴', [other, exact, ...many])).toHaveLength(5)
  })
})

test('a size is given up before what the goods are for', () => {
  const shoes = (id: string, guard: string, size: number): Item =>
    anItem(`蹊小满 劳保鞋 ${guard} 飞织 四季 黑色 ${size}码 男款`, 9900, { id })
  expect(ids('劳保鞋 防砸 42码', [shoes('1', '绝缘', 42), shoes('2', '防砸', 41), shoes('3', '防静电', 43)]))
    .toEqual(['2', '1', '3'])
})

describe('where nothing has a size or colour', () => {
  const boots = (id: string, size: number, fen: number, colour = '黑色'): Item =>
    anItem(`蹊小满 雪地靴 男款 中筒 牛反绒 ${colour} ${size}码`, fen, { id })

  test('what comes nearest to it comes first, whatever it costs', () => {
    expect(ids('男士雪地靴 46码', [boots('1', 38, 4900), boots('2', 42, 5900), boots('3', 45, 29_900),
      boots('4', 44, 19_900)])).toEqual(['3', '4', '2', '1'])
    expect(ids('蓝色的男士雪地靴', [boots('1', 42, 4900, '粉色'), boots('2', 42, 29_900, '藏青')]))
      .toEqual(['2', '1'])
  })

  test('of two measures both count', () => {
    const sheet = (id: string, size: string, fen: number): Item =>
      anItem(`织南 床笠 水洗棉 ${size}cm 纯色粉`, fen, { id })
    expect(ids('1米8乘2米2的床笠', [sheet('1', '90×200', 2900), sheet('2', '150×200', 2900),
      sheet('3', '180×200', 9900)])[0]).toBe('3')
  })
})

test('what is for dogs does not come before what is for a cat', () => {
  const fountain = (id: string, whom: string, fen: number): Item =>
    anItem(`咕噜坞 宠物饮水机 2L ${whom} 静音水泵`, fen, { id })
  expect(ids('给猫买个饮水机', [fountain('1', '狗', 4900), fountain('2', '猫', 5900)])[0]).toBe('2')
})

test('what is made for children comes first only where somebody tells of a child', () => {
  const umbrella = (id: string, whom: string, fen: number): Item =>
    anItem(`居南里 晴雨伞 三折 ${whom} 藏青`, fen, { id })
  const items = [umbrella('1', '儿童', 2900), umbrella('2', '男女通用', 3500)]
  expect(ids('晴雨伞', items)).toEqual(['2', '1'])
  expect(ids('给孩子买把晴雨伞', items)).toEqual(['1', '2'])
  expect(ids('最便宜的晴雨伞', items)).toEqual(['1', '2'])
})

test('a word that nobody knows hides no goods', () => {
  const items = [keyboard('1', 61, '琴加支架', 9900), keyboard('2', 61, '单琴', 9900),
    anItem('启蔓 EK-33 电子琴 61键 嘟噜比', 99_900, { id: '3' })]
  expect(ids('嘟噜比 电子琴 61键', items)[0]).toBe('3')
  expect(ids('嘟噜比 电子琴 61键', items)).toHaveLength(3)
})

describe('a price that was only about named', () => {
  const ring = (id: string, yuan: number): Item =>
    anItem(`昀星 黄金戒指 ${id}克 足金999 素圈`, yuan * 100, { id })

  test('reaches further where too little lies within it', () => {
    expect(ids('1500元左右的黄金戒指 素圈', [ring('1', 1099), ring('2', 1999), ring('3', 1480),
      ring('4', 700)])).toEqual(['3', '1', '2'])
  })

  test('keeps what lies within it alone where that is enough', () => {
    const within = [1, 2, 3, 4, 5].map((one) => ring(String(one), 1400 + one))
    expect(ids('1500元左右的黄金戒指 素圈', [...within, ring('7', 1099)])).not.toContain('7')
  })
})

test('of equal products the offer that says what was wished stands for them', () => {
  const said = { brand: '跃栎', title: '跃栎 LG-238 拉杆行李箱 20寸 奶油白' }
  const [item] = ranked('20寸拉杆箱 要TSA海关锁', [
    anItem(said.title, 10_000, { id: '1', brand: said.brand }),
    anItem(said.title, 12_000, { id: '2', source: 'shelf', brand: said.brand,
      specs: '20寸 tsa海关锁' } as Partial<Item>),
  ]).items
  expect(item?.item_id).toBe('shelf:2')
  expect(item?.offers).toHaveLength(2)
})
