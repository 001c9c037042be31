import { expect, test } from 'vitest'
import { taxonomy } from '../goods/taxonomy.ts'
import { audiencesIn } from './audience.ts'
import { OCCASION_GIFTS } from './read/occasions.ts'
import { understand } from './understand.ts'

const kindsOf = (sentence: string): string[] => understand(sentence).kinds.map(({ value }) => value)

test('every gift of an occasion is a kind of the catalogue', () => {
  const { kinds } = taxonomy()
  expect(OCCASION_GIFTS.flatMap((one) => one.kinds).filter((kind) => !kinds.has(kind))).toEqual([])
})

test.each([
  ['中秋节给领导送啥', 'mooncake'], ['朋友乔迁新居，带点什么过去', 'home_ornament'],
  ['同学下个月结婚，送什么有面子', 'silk_quilt'], ['去医院探病，送点什么好', 'fruit_gift_box'],
  ['a housewarming gift for a friend', 'home_ornament'],
])('%s: what is usual then comes first', (sentence, kind) => {
  expect(kindsOf(sentence).slice(0, 3)).toContain(kind)
})

test('goods that are named with whom they are given to are those that are wanted', () => {
  expect(kindsOf('送丈母娘的茶叶，三百以上的')[0]).toMatch(/tea/)
  expect(kindsOf('two suitcases, 1000 yuan for both')[0]).toBe('rolling_suitcase')
})

test('a hobby gives gifts, and no parts', () => {
  expect(kindsOf('男朋友爱打游戏，送他点啥')).not.toContain('cpu_cooler')
})

test('grandparents are old', () => {
  expect(kindsOf('爷爷用的手机，字要大')[0]).toBe('senior_phone')
})

test('one piece more is no price', () => {
  expect(understand('相机电池不够用，再配一块').budget).toBeNull()
})

test.each([
  ['两岁用的牙膏', 'kids_toothpaste'], ['四岁的小姑娘，牙刷', 'kids_toothbrush'],
  ['3 year old toothbrush', 'kids_toothbrush'],
])('%s: an age tells for whom', (sentence, kind) => {
  expect(kindsOf(sentence)[0]).toBe(kind)
})

test.each([
  ['无线吸尘器 能跑一个半小时的', { low: 1.5, high: null, unit: 'hour' }],
  ['四米五的鱼竿', { low: 4500, high: 4500, unit: 'mm' }],
])('%s', (sentence, measure) => {
  expect(understand(sentence).must.map((one) => one.measure)).toContainEqual(measure)
})

test.each([
  ['三十五岁，牙刷', []], ['十二岁，牙刷', ['kids']], ['两岁用的牙膏', ['kids', 'baby']],
  ['八十五岁用的手机', ['elderly']], ['35岁', []], ['十二岁的狗', ['dog']],
])('the age in %s is read whole', (sentence, audiences) => {
  expect(audiencesIn(sentence).map(({ audience }) => audience)).toEqual(audiences)
})

test.each([
  ['十岁女儿生日，她特别喜欢画画', 'colored_pencils'],
  ['my dad is crazy about cooking. present ideas?', 'kitchen_utensil_set'],
  ['同事养了两只猫，她生日我想送跟猫有关的', 'cat_toy'], ['朋友的小店下周开张，送盆什么好', 'potted_plant'],
])('%s: a gift that suits what they like or have', (sentence, kind) => {
  expect(kindsOf(sentence)).toContain(kind)
})

test('how old somebody is is no price, and tells whom goods are for', () => {
  const { budget, kinds } = understand('我妈七十多了，要双防滑的鞋')
  expect(budget).toBeNull()
  expect(kinds[0]?.value).toBe('elderly_shoes')
})

test.each([
  ['晚上老有蚊子', 'mosquito_swatter'], ['孩子写作业老驼背', 'posture_corrector'],
  ['一坐车就吐', 'motion_sickness_patch'],
])('%s tells a trouble, and is no name of goods', (sentence, kind) => {
  const { kinds, unsold, isOpen } = understand(sentence)
  expect([kinds[0]?.value, unsold, isOpen]).toEqual([kind, null, true])
})

test('what has run out is wanted again, each of it', () => {
  const { kinds, more } = understand('厨房没酱油跟醋了，盐也要')
  expect([kinds, ...more].map(([first]) => first?.value)).toEqual(
    ['soy_sauce', 'vinegar', 'table_salt'])
})

/** What goods for the people who are named have, of the likeliest kind. */
const suitedTo = (sentence: string): string[] => {
  const { suited, kinds } = understand(sentence)
  return suited.flatMap(({ values }) => values?.get(kinds[0]?.value ?? '') ?? [])
    .map(({ text }) => text)
}

test.each([
  ['给舅妈挑条披肩', '送妈妈'], ['替退休的姑姑找个收音机', '老人'], ['我外公七十五了，想要个收音机', '老人'],
  ['radio for my grandpa', '老人'], ['送老板的茶具', '商务送礼'], ['给丈夫买个打火机', '送男友'],
  ['给闺蜜买条手链', '送闺蜜'], ['饼干 我有糖尿病', '苏打'],
  ['饼干 我有糖尿病', '咸味'], ['green tea as a gift', '礼盒装'],
])('%s: goods that say %s come first', (sentence, value) => {
  expect(suitedTo(sentence)).toContain(value)
})

test.each(['不要老人用的收音机', '老人手机', '老年犬狗粮'])('%s names no such people', (sentence) => {
  expect(suitedTo(sentence)).toEqual([])
})

test.each(['来点像样的茶杯招待客人', '领导乔迁,送个有面子的摆件', 'a presentable tie for an interview',
  '丈母娘爱喝茶，送点好茶叶'])('%s asks for none of the cheapest', (sentence) => {
  expect(understand(sentence).mode?.value).toBe('quality')
})

test.each(['nothing presentable, just a mug', '好看的茶杯', '茶杯 好洗的'])(
  '%s asks for no better goods', (sentence) => {
    expect(understand(sentence).mode).toBeNull()
  })
