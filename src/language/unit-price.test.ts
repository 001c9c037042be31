import { describe, expect, test } from 'vitest'
import { factsOf } from './facts.ts'
import { unitPriceOf } from './unit-price.ts'

const perOf = (title: string, fen: number) =>
  unitPriceOf(factsOf({ title, brand: null, category: null }), fen)

describe('each kind of goods has its unit, whatever the pack', () => {
  test.each([
    ['小洗象 抽纸 20包 80抽 4层 原生木浆', 1600, { fen: 100, per: '100 sheets' }],
    ['清栎 卷纸 10卷 100g 5层 有芯', 2000, { fen: 200, per: '100g' }],
    ['居南里 垃圾袋 手提背心式 45×55cm 300只', 900, { fen: 300, per: '100 pieces' }],
    ['康源 维生素C片 60片 500mg 两瓶装', 6000, { fen: 50, per: 'tablet' }],
    ['康源 鱼油软胶囊 1000mg 100粒', 9000, { fen: 90, per: 'tablet' }],
    ['清露 矿泉水 550ml*24瓶', 2640, { fen: 200, per: 'litre' }],
    ['白汀 玻璃清洁剂 500ml 2瓶', 1090, { fen: 1090, per: 'litre' }],
    ['霂白 护手霜 60g 樱花 3支装', 1800, { fen: 1000, per: '100g' }],
    ['芷珀 爽肤水 150ml 补水', 3000, { fen: 2000, per: '100ml' }],
    ['皓涤森 洗衣凝珠 100颗 15g 三盒装', 9000, { fen: 30, per: 'piece' }],
    ['栖页 纸尿裤 M码 60片', 6000, { fen: 100, per: 'piece' }],
    ['柚伴 碱性干电池 5号 40节', 4000, { fen: 100, per: 'piece' }],
    ['谷满 速冻水饺 500g 单只15g', 1500, { fen: 300, per: '100g' }],
  ])('%s at %i fen', (title, fen, unit) => {
    expect(perOf(title, fen)).toEqual(unit)
  })
})

test('a pack that is stated twice counts once', () => {
  expect(perOf('满苫 晾衣夹 竹木 40个 不生锈 40个装', 4000)).toEqual({ fen: 100, per: 'piece' })
})

describe('where it would mislead there is none', () => {
  test.each([
    ['a title that contradicts itself', '藤小格 一次性纸杯 300ml 100只 50只装'],
    ['the volume of a vessel', '匠炊 电热水壶 1.5L'],
    ['the weight of a device', '康栎 MG-98R 筋膜枪 600g'],
    ['what is bought by the gram', '沁序 口红 丝绒雾面 1.8g 单支装'],
    ['a set of different things', '收野 家用工具箱 56件套'],
    ['gifts of an unknown size', '蓝月亮 洗衣液 3kg 买一送一'],
  ])('%s', (_, title) => {
    expect(perOf(title, 5000)).toBeUndefined()
  })
})
