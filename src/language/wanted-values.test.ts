/** Values that are wanted or refused: by numbers, verbs, reasons, and what they are said of. */
import { describe, expect, test } from 'vitest'
import { understand } from './understand.ts'

const measuresIn = (say: string) => understand(say).must.flatMap(({ measure }) => measure ?? [])

const LEAST: readonly (readonly [say: string, low: number, unit: string])[] = [
  ['我一百三十公斤，跑步机得扛得住我', 130_000, 'g'],
  ['扫地机吸力上一万帕', 10_000, 'pa'],
  ['路由器要能盖住一百二十平', 120, 'm2'],
  ['电脑包装得下15.6寸', 15.6, 'inch'],
  ['洗碗机，13套或者更大', 13, '套'],
  ['插线板线长怎么也得五米', 5000, 'mm'],
  ['能放20张卡的卡包', 20, '卡位'],
  ['treadmill that holds 150 kg', 150_000, 'g'],
  ['treadmill, supports up to 150 kg', 150_000, 'g'],
]

describe('a number that has to be reached', () => {
  test.each(LEAST)('%s', (say, low, unit) => {
    expect(measuresIn(say)).toContainEqual({ low, high: null, unit })
  })
})

const EXACT: readonly (readonly [say: string, value: number, unit: string])[] = [
  ['女式高跟鞋我穿37', 37, 'shoe'],
  ['凉拖 41的脚', 41, 'shoe'],
  ["men's jeans, 34 waist", 34, 'shoe'],
  ['腰围二尺六的牛仔裤', 34, 'inch'],
  ['AA batteries, pack of 20', 20, '节'],
  ['vitamin tablets, 180 count', 180, '片'],
  ['瓷砖 300乘600', 300, 'mm'],
  ['智能手表续航两星期', 14, '天'],
]

describe('a number that is told by what it is said of', () => {
  test.each(EXACT)('%s', (say, value, unit) => {
    expect(measuresIn(say)).toContainEqual({ low: value, high: value, unit })
  })
})

test('a range between two numbers is read whole', () => {
  expect(measuresIn('ceiling light between 36 and 72 watts'))
    .toContainEqual({ low: 36, high: 72, unit: 'w' })
})

test('who goes to the second year is of an age, and of no amount', () => {
  expect(measuresIn('书包 孩子上二年级')).toContainEqual({ low: 85, high: 95, unit: 'month' })
})

const REFUSED: readonly (readonly [say: string, kind: string, value: string])[] = [
  ['高跟鞋，细跟的我走不了路', 'womens_high_heels', '细跟'],
  ['洗衣液 薰衣草香闻了头疼', 'liquid_laundry_detergent', '薰衣草香'],
  ['猫罐头：金枪鱼和三文鱼都排除', 'canned_cat_food', '三文鱼'],
  ['canned cat food, neither tuna nor salmon', 'canned_cat_food', '金枪鱼'],
  ['抽纸 本色竹浆 NO 其他原料OK', 'facial_tissue_paper', '本色竹浆'],
  ['high heels, stiletto excluded', 'womens_high_heels', '细跟'],
  ['enough of black socks, give me some other colour', 'everyday_socks', '纯黑'],
  ['锅具套装医生说别用铝锅', 'cookware_set', '铝合金不粘'],
]

const refusedOf = (say: string, kind: string): string[] =>
  understand(say).must_not.flatMap(({ values }) => values?.get(kind) ?? []).map(({ text }) => text)

describe('a value that is refused, whatever the words', () => {
  test.each(REFUSED)('%s', (say, kind, value) => {
    expect(refusedOf(say, kind)).toContain(value)
  })
})

test('who refuses sheep wool does not refuse cashmere', () => {
  const refused = refusedOf('针织衫，我皮肤沾不得羊毛', 'knit_sweater')
  expect(refused).toContain('羊毛混纺')
  expect(refused).not.toContain('山羊绒')
})

const NAMED: readonly (readonly [say: string, kind: string, values: readonly string[]])[] = [
  ['幼猫猫粮', 'cat_food', ['幼猫', '全阶段']],
  ['人体工学椅 腰托能调', 'ergonomic_chair', ['可调腰托', '自适应双背腰托']],
  ['怀孕五个月喝的孕妇奶粉', 'maternity_milk_powder', ['孕中晚期', '全孕期']],
  ['multivitamin for my 70 year old mom', 'multivitamin_tablets', ['中老年']],
  ['移动空调 大一匹', 'portable_air_conditioner', ['大1匹']],
  ['蒸笼要竹编的', 'steamer_basket', ['竹']],
]

describe('a value that is wanted', () => {
  test.each(NAMED)('%s', (say, kind, values) => {
    const { must, named } = understand(say)
    const wanted = [...must, ...named].flatMap((wish) => wish.values?.get(kind) ?? [])
      .map(({ text }) => text)
    for (const value of values) expect(wanted).toContain(value)
  })
})
