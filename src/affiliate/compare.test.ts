import { fc, test } from '@fast-check/vitest'
import { Compile } from 'typebox/compile'
import { describe, expect, test as plain } from 'vitest'
import type { Item } from '../../adapters/contract.ts'
import { cpsCompare } from '../operations/cps-compare.ts'
import { compare, type Comparison } from './compare/index.ts'
import { createWorld } from '../../loadtest/evaluations/judged/world.ts'
import { anItem, price } from './testing/items.ts'

const output = Compile(cpsCompare.output)
const world = createWorld(600)
const items = fc.uniqueArray(fc.record({
  source: fc.constantFrom('shelf' as const, 'mall_a' as const, 'mall_b' as const),
  index: fc.integer({ min: 0, max: 599 }), bps: fc.integer({ min: 0, max: 10_000 }),
}), { minLength: 1, maxLength: 6, selector: ({ source, index }) => `${source} ${index}` })
  .map((all) => all.map(({ source, index, bps }): Item | null => {
    const item = world.item(source, index)
    return item && { ...item, commission: { bps, fen: 0 } }
  }).filter((item) => item !== null))

const row = ({ rows }: Comparison, attribute: string) =>
  rows.find((one) => one.attribute === attribute)?.cells.map(({ value, best }) =>
    (best ? `*${value}` : value))
const verdictOf = ({ verdicts }: Comparison, mode: string) =>
  verdicts.find((one) => one.mode === mode)

describe('any comparison', () => {
  test.prop([items])('has the declared form, and a cell for each item', (list) => {
    const comparison = compare(list)
    expect([...output.Errors(comparison)]).toEqual([])
    for (const { cells } of comparison.rows) expect(cells).toHaveLength(list.length)
  })

  test.prop([items])('is the same with other commissions, its verdicts in any order', (list) => {
    const others = list.map((item): Item => ({ ...item, commission: null }))
    expect(compare(others)).toEqual(compare(list))
    expect(compare(list.toReversed()).verdicts.map(({ item_id }) => item_id))
      .toEqual(compare(list).verdicts.map(({ item_id }) => item_id))
  })
})

describe('cells', () => {
  const comparison = compare([
    anItem('蓝月亮 洗衣液 3kg', 3000, { sales: 10, rating: 5,
      reviews: { count: 2, positive_percent: 100, samples: [] } }),
    anItem('蓝月亮 洗衣液 3kg*2瓶', 5000, { id: '2', sales: 900, rating: 4.9,
      reviews: { count: 9000, positive_percent: 98, samples: [] } }),
    anItem('立白 洗衣液 2kg', 1000, { id: '3', price: price(1000, { conditions: ['group'] }) }),
  ])

  plain('the best of a row is marked; unknown is null and never the best', () => {
    expect(row(comparison, 'sales')).toEqual(['10', '*900', null])
    expect(row(comparison, 'unit_price per 100g')).toEqual(['100', '*83', '50'])
  })

  plain('a price with conditions is never the best', () => {
    expect(row(comparison, 'payable')).toEqual(['*3000', '5000', '1000'])
    expect(verdictOf(comparison, 'cheapest')?.item_id).toBe('mall_a:1')
  })

  plain('a rating of few is not better than that of many', () => {
    expect(row(comparison, 'rating')).toEqual(['5', '*4.9', null])
  })

  plain('where all are alike none is the best', () => {
    const alike = compare([anItem('匠炊 电热水壶', 5900), anItem('澄器 电热水壶', 5900, { id: '2' })])
    expect(row(alike, 'payable')).toEqual(['5900', '5900'])
    expect(verdictOf(alike, 'cheapest')).toMatchObject({ item_id: null })
  })
})

describe('specifications', () => {
  const fan = (id: string, text: string) => anItem(`清川 电热水壶 ${text}`, 5900, { id })
  const shaver = (id: string, specs: string) => anItem('朗刃 电动剃须刀', 19_900, { id, specs })

  plain('stand side by side with their units, the better one marked by the taxonomy', () => {
    const phones = compare([anItem('云砾 智能手机 8GB+128GB 5000mAh', 99_900),
      anItem('云砾 智能手机 12GB+256GB 6500mAh', 129_900, { id: '2' })])
    expect(row(phones, '内存 (memory)')).toEqual(['8GB+128GB', '*12GB+256GB'])
    expect(row(phones, '电池容量 (battery)')).toEqual(['5000mAh', '*6500mAh'])
    expect(phones.rows.find(({ attribute }) => attribute.startsWith('电池容量'))?.better).toBe('high')
  })

  plain('what nobody agrees on is shown without a best', () => {
    const [power] = compare([fan('1', '1.7L 1500W'), fan('2', '1.7L 1800W')]).rows
      .filter(({ attribute }) => attribute.includes('功率'))
    expect(power?.cells.map(({ value, best }) => [value, best]))
      .toEqual([['1500W', false], ['1800W', false]])
    expect(power?.better).toBeUndefined()
  })

  plain('one that does not say is unknown, and never the best', () => {
    const { rows } = compare([shaver('1', '45分钟'), shaver('2', '')])
    const [life] = rows.filter(({ attribute }) => attribute.startsWith('续航'))
    expect(life?.cells.map(({ value, best }) => [value, best]))
      .toEqual([['45分钟', false], [null, false]])
  })

  plain('of goods that no list has, each line of a specification is a row as it is stated', () => {
    const loom = (id: string, ...spec_list: { name: string, value: string }[]) =>
      anItem('织造者 提花小样机', 90_000, { source: 'shelf', id, spec_list })
    const comparison = compare([
      loom('1', { name: '综框', value: '8页' }, { name: '品牌', value: '织造者' }),
      loom('2', { name: '综框', value: '16页' }, { name: '幅宽', value: '60cm' }),
      anItem('织造者 提花小样机 二代', 80_000),
    ])
    expect(row(comparison, '综框')).toEqual(['8页', '16页', null])
    expect(row(comparison, '幅宽')).toEqual([null, '60cm', null])
    expect(row(comparison, '品牌')).toBeUndefined()
  })

  plain('a specification that the kind has is no second row', () => {
    const phone = (id: string, value: string) => anItem('云砾 智能手机', 99_900,
      { source: 'shelf', id, specs: value, spec_list: [{ name: '电池容量', value }] })
    const { rows } = compare([phone('1', '5000mAh'), phone('2', '6500mAh')])
    expect(rows.filter(({ attribute }) => attribute.startsWith('电池容量'))).toHaveLength(1)
  })

  plain.each(['折纸鹤架', '无痕挂钩'])('a colour of a %s has one row, stated or in a title', (name) => {
    const { rows } = compare([anItem(`晴野 ${name}`, 5900, {
      specs: '胡桃色', spec_list: [{ name: '颜色', value: '胡桃色' }],
    }), anItem(`晴野 ${name} 黑色`, 5900, { id: '2' })])
    const colours = rows.filter(({ attribute }) => /colour|颜色/.test(attribute))
    expect(colours.map(({ cells }) => cells.map(({ value }) => value))).toEqual([['胡桃色', '黑']])
  })

  plain('different goods are not measured by each other\'s attributes', () => {
    const { rows } = compare([anItem('云砾 智能手机 5000mAh', 99_900), fan('2', '1.7L')])
    for (const { attribute, cells } of rows.filter((one) => one.attribute.includes('电池'))) {
      expect([attribute, ...cells.map(({ best }) => best)]).toEqual([attribute, false, false])
    }
  })
})

describe('verdicts', () => {
  plain('say by how much, and what it costs by the unit', () => {
    expect(verdictOf(compare([anItem('蓝月亮 洗衣液 3kg', 3000),
      anItem('蓝月亮 洗衣液 3kg*2瓶', 5000, { id: '2' })]), 'cheapest')?.why).toBe(
      '¥30.00 is the lowest price without conditions, ¥20.00 below the next; freight is not known. '
      + 'By 100g, mall_a:2 costs less: ¥0.83 to ¥1.00.')
  })

  plain('the same product twice is said', () => {
    const title = '匠炊Jianchuo EK-6843 电热水壶 1.5L'
    const twice = compare([anItem(title, 5900), anItem(title, 4900, { source: 'mall_b' })])
    expect(row(twice, 'same_product_as')).toEqual(['mall_b:1', 'mall_a:1'])
    expect(verdictOf(twice, 'cheapest')?.why).toMatch(/It is the same product as another/)
  })

  plain('different kinds of goods are said to be so', () => {
    const mixed = compare([anItem('匠炊 电热水壶 1.5L', 5900),
      anItem('澄器 智能手机 256GB', 99_900, { id: '2' })])
    expect(verdictOf(mixed, 'value')?.why).toMatch(/not the same kind/)
  })

  plain('one item has nothing to be compared with', () => {
    const { verdicts } = compare([anItem('匠炊 电热水壶', 5900)], ['mall_b:1'])
    expect(new Set(verdicts.map(({ item_id, why }) => `${item_id} ${why}`)))
      .toEqual(new Set(['null There is no other item to compare it with.']))
  })

  plain('what could not be found is passed on', () => {
    expect(compare([anItem('匠炊 电热水壶', 5900)], ['mall_b:9']).missing).toEqual(['mall_b:9'])
  })
})
