import { describe, expect, test } from 'vitest'
import { factsOf } from './facts.ts'

const facts = (title: string) => factsOf({ title, brand: null, category: null })
const sizes = (title: string): Record<string, number[]> => Object.fromEntries(
  [...facts(title).sizes].map(([unit, values]) => [unit, [...values]]))

describe('sizes', () => {
  test.each<[string, Record<string, number[]>]>([
    ['电热水壶 1.7升 1500W', { ml: [1700], w: [1500] }],
    ['智能手机 12+256G 5G手机', { gb: [12, 256] }],
    ['智能手机 12GB 1TB', { gb: [12, 1024] }],
    ['凉席 200×230cm', { mm: [2000, 2300] }],
    ['床垫 1.5×2.0米 16cm', { mm: [1500, 2000, 160] }],
    ['白酒 52%vol 500ml', { degree: [52], ml: [500] }],
    ['显示器 27英寸 165Hz', { inch: [27], hz: [165] }],
    ['大米 5斤', { g: [2500] }],
    ['黄小米 5kg 内蒙古', { g: [5000] }],
    ['X5L2 水壶', {}],
    ['电热水壶 360度旋转底座', {}],
  ])('%s has %j', (title, expected) => expect(sizes(title)).toEqual(expected))
})

describe('kinds', () => {
  test.each([
    ['图南造Tunazo TV-S26 电视柜 160cm', 'tv_stand'], ['咖啡机 胶囊 15Bar 黑色', 'coffee_machine'],
    ['手机 支架 桌面', 'phone_stand'],
  ])('%s is a %s', (title, kind) =>
    expect([...facts(title).kinds].sort(([, one], [, other]) => other - one)[0]?.[0]).toBe(kind))

  test('what is called an accessory is no bare part', () =>
    expect(facts('婴儿车配件 脚垫杯架').isPart).toBe(false))
})

describe('packs', () => {
  test.each<[string, number | null]>([
    ['洗衣液 3kg*2瓶', 2], ['洗衣液 3kg 两瓶装', 2], ['洗衣液 3kg 单瓶装', 1], ['洗衣液 3kg', null],
    ['矿泉水 550ml×24瓶', 24], ['抽纸 100抽*24包', 24], ['啤酒 500ml*12罐*2箱', 24],
    ['四件套 1.8m床', 4], ['batteries pack of 8', 8], ['towels 3 pack', 3], ['袜子 5双装', 5],
    ['洗发水 500ml 第2件半价', null], ['水壶 送2个杯子', null], ['手机 P-1042', null],
    ['红酒 750ml 6瓶 礼盒装', 6],
  ])('%s sells %j', (title, count) => expect(facts(title).pack.count).toBe(count))
})

describe('nature', () => {
  test.each([
    ['适用 iPhone 15 手机壳', true], ['小米14 钢化膜', true], ['case for iphone 15', true],
    ['飞利浦 电动牙刷 替换刷头', true], ['飞利浦 HX6730 电动牙刷 2支刷头', false],
    ['戴森 V12 吸尘器 送收纳包', false], ['Apple iPhone 15 128GB', false],
    ['叮壳Dinkeo 充电宝 10000mAh', false],
  ])('%s is an accessory: %j', (title, expected) =>
    expect(facts(title).isAccessory).toBe(expected))

  test.each([
    ['二手 iPhone 13', true], ['95新 相机', true], ['iPhone 13 官翻', true], ['沙发垫 旧沙发翻新', false],
    ['全新 非二手 iPhone 13', false], ['used for kitchen towels', false],
  ])('%s was used: %j', (title, expected) => expect(facts(title).isUsed).toBe(expected))
})

describe('looks', () => {
  test('colours are found by what they are called', () => {
    expect([...facts('手机 曜石黑').colours]).toEqual(['黑'])
    expect([...facts('牙膏 美白 亮白').colours]).toEqual([])
    expect([...facts('rose gold watch').colours]).toEqual(['金'])
  })

  test('materials in both languages are the same', () => {
    expect([...facts('stainless steel bottle').materials]).toEqual(['不锈钢'])
    expect([...facts('304不锈钢 保温杯').materials]).toEqual(['304不锈钢'])
  })
})

test('what two goods say alike is kept once', () => {
  const [one, other] = [facts('星柚 电热水壶 1.7升 白色'), facts('云砾 电热水壶 白色 1.7升')]
  expect(other.kinds).toBe(one.kinds)
  expect(other.values).toBe(one.values)
  expect(other.colours).toBe(one.colours)
  expect(other.text).not.toBe(one.text)
})

test('G of a title is storage in devices alone', () => {
  const unitsOf = (title: string): string[] => [...facts(title).values.keys()]
  expect(unitsOf('智能手机 256G')).toEqual(['gb'])
  expect(unitsOf('挂耳咖啡 256G')).toEqual(['g'])
})
