/** Values in sentences and in items: form × unit × position × goods. */
import { describe, expect, test } from 'vitest'
import { readFacts } from './facts.ts'
import { fitOf, planOf } from './fit.ts'
import { understand } from './understand.ts'

/** Whether an item with these specifications has what the sentence asks for. */
function states(sentence: string, title: string, specs: string, kind?: string): string[] {
  const facts = readFacts({ title, brand: null, category: null, specs })
  return [...fitOf(planOf(understand(sentence)), facts, kind)?.states ?? ['refused']]
}

interface Case {
  readonly goods: string
  /** Ways to write one value. */
  readonly forms: readonly string[]
  readonly has: readonly string[]
  readonly lacks: readonly string[]
}

const CASES: readonly Case[] = [
  { goods: '手机', forms: ['12+256', '12+256g', '12g+256g', '12GB 256GB', '12GB/256GB',
    '12G内存256G存储'], has: ['12GB+256GB'], lacks: ['8GB+128GB', '8GB+256GB', '12GB+512GB'] },
  { goods: '电视', forms: ['55寸', '55英寸', '55吋', '55 inch', '五十五寸'], has: ['55英寸'],
    lacks: ['43英寸', '65英寸'] },
  { goods: '轮胎', forms: ['225/50R17', '225/50/17', '225 50 r17', '225/50 R17'], has: ['225/50R17'],
    lacks: ['225/60R18', '205/55R16'] },
  { goods: '四件套', forms: ['1米8', '一米八', '1.8米', '1.8m', '180cm', '1800mm'], has: ['1.8米床'],
    lacks: ['1.5米床', '2.0米床'] },
  { goods: '弹簧床垫', forms: ['1.8x2米', '1.8米*2米', '180*200', '180×200cm', '180乘200'],
    has: ['1.8×2.0米', '180×200cm'], lacks: ['1.5×2.0米', '2.0×2.2米'] },
  { goods: '跑步鞋', forms: ['43码', 'size 43', 'EU 43', '尺码43', '四十三码'],
    has: ['43码', '42-43码', '42-44码'], lacks: ['42码', '44-45码'] },
  { goods: '男士T恤', forms: ['2XL', 'XXL', '2xl码'], has: ['2XL'], lacks: ['XL', '3XL', 'M'] },
  { goods: '文胸', forms: ['75B', '75b', 'size 75B', '75B码'], has: ['75B'], lacks: ['75A', '80B'] },
  { goods: '牛仔裤', forms: ['腰围32', 'waist 32', '32码', '腰围32码'], has: ['32码'],
    lacks: ['30码', '36码'] },
  { goods: '充电宝', forms: ['20000毫安', '2万毫安', '两万毫安', '20000mAh', '20Ah'], has: ['20000mAh'],
    lacks: ['10000mAh'] },
  { goods: '空调', forms: ['1.5匹'], has: ['大1.5匹', '1.5匹'], lacks: ['大1匹', '2匹'] },
  { goods: '显示器', forms: ['4k', '4K', '2160p'], has: ['4K'], lacks: ['1080P', '2K'] },
  { goods: '米粉', forms: ['7个月', '七个月', '7 months old'], has: ['6个月以上', '6-12个月'],
    lacks: ['8个月以上', '10个月以上', '0-3个月'] },
  { goods: '绘本', forms: ['4岁', '四岁', '4周岁', '4岁半', '4 year old', 'aged 4', '48个月'],
    has: ['3-6岁', '4岁以上'], lacks: ['0-3岁', '6-9岁', '6岁以上'] },
  { goods: '书包', forms: ['三年级', '3年级', '小学三年级'], has: ['1-3年级', '6-12岁'],
    lacks: ['4-6年级', '3-6岁'] },
  { goods: '奶粉', forms: ['3段', '三段', 'stage 3'], has: ['3段'], lacks: ['1段', '2段'] },
  { goods: '沙发', forms: ['三人', '三人位', '3人'], has: ['三人位'], lacks: ['双人位', '单人位'] },
  { goods: '帐篷', forms: ['四人', '4人', '四个人用'], has: ['3-4人', '4-6人'], lacks: ['1-2人', '5-8人'] },
  { goods: '拼图', forms: ['1000片', '一千片'], has: ['1000片'], lacks: ['500片', '100片'] },
  { goods: '白酒', forms: ['52度', '五十二度', '52%vol'], has: ['52度'], lacks: ['42度', '53度'] },
  { goods: '早教机', forms: ['刚过一岁', '一岁多', '过了1岁'], has: ['1-3岁', '无WiFi 1-3岁'],
    lacks: ['6-12个月', '0-6个月'] },
  { goods: '英汉词典', forms: ['上初二', '初中', '初一学生'], has: ['初中生'], lacks: ['小学', '高中生'] },
  { goods: '被套', forms: ['220乘240', '220 by 240', '2米2乘2米4', '两米二乘两米四'], has: ['220×240cm'],
    lacks: ['200×230cm', '150×200cm'] },
  { goods: '电子琴', forms: ['61个键', '61键', '61 key'], has: ['61键'], lacks: ['49键', '88键'] },
  { goods: '拼装模型', forms: ['1/72', '1:72'], has: ['1:72'], lacks: ['1:144', '1:35'] },
  { goods: '大米', forms: ['10斤', '十斤', '5公斤', '5kg', '5000克'], has: ['5kg'],
    lacks: ['10kg', '2.5kg'] },
]

describe('a value', () => {
  const POSITIONS = [(goods: string, value: string) => `${goods} ${value}`,
    (goods: string, value: string) => `${value}的${goods}`,
    (goods: string, value: string) => `想买个${goods}，${value}的，谢谢`]
  for (const { goods, forms, has, lacks } of CASES) {
    test.each(forms.flatMap((form) => POSITIONS.map((say) => say(goods, form))))(
      '%s is found in what has it, and in nothing else', (sentence) => {
        for (const value of has) {
          expect([value, ...states(sentence, '', value)]).toContain('met')
          expect([value, ...states(sentence, '', value)]).not.toContain('against')
        }
        for (const value of lacks) {
          expect([value, ...states(sentence, '', value)]).toContain('against')
        }
        expect(understand(sentence).budget).toBeNull()
      })
  }

  test.each([
    ['2升以上的电饭煲', ['2L', '3L'], ['1.6L']], ['至少8GB显存的显卡', ['8GB', '12GB'], ['6GB']],
    ['显示器不小于27寸', ['27英寸', '34英寸'], ['24.5英寸']], ['1.5米以内的数据线', ['1米', '1.5米'], ['2米']],
    ['最大65w的充电器', ['45W', '65W'], ['100W']], ['5岁以上的积木', ['6岁以上', '8岁以上'], ['0-3岁']],
    ['女T恤 加大码', ['XL', '3XL'], ['M', 'L']], ['身高120的儿童内裤', ['110-120cm'], ['130-140cm']],
  ])('%s bounds it', (sentence, has, lacks) => {
    for (const value of has) expect([value, ...states(sentence, '', value)]).toContain('met')
    for (const value of lacks) expect([value, ...states(sentence, '', value)]).toContain('against')
  })

  test.each([['充电宝 20000', '20000mAh', '10000mAh'], ['男鞋 42', '42码', '40码'],
    ['机械键盘 87', '87键', '104键']])('%s has no unit and is read by the goods', (say, has, lacks) => {
    expect(states(say, '', has)).toContain('met')
    expect(states(say, '', lacks)).toContain('against')
  })

  test.each(['血压135/85 想买血压计', '205/55R16轮胎', '225/60/18的轮胎', '显示器 1920x1080', '12+256的手机',
    '4060的游戏本'])('%s names no price', (say) => expect(understand(say).budget).toBeNull())

  test.each([['抽纸 24包', '24包', '10包'], ['啤酒 12罐', '12罐', '6罐'], ['6瓶红酒', '6瓶', '2瓶']])(
    '%s is a pack that there is', (say, has, lacks) => {
      expect(understand(say).quantity).toBeNull()
      expect(states(say, '', has)).toContain('met')
      expect(states(say, '', lacks)).toContain('against')
    })

  test('two of something are two, and a pressure is nothing that goods have', () => {
    expect(understand('抽纸 2包').quantity?.count).toBe(2)
    expect(understand('血压160/100 血压计').must).toEqual([])
  })

  test.each(['65 inch tv', 'XL码纸尿裤', 'L码纸尿裤96片', 'rice cooker 3 liters'])(
    '%s is written right', (say) => expect(understand(say).corrections).toEqual([]))
})

describe('whom goods are for', () => {
  test.each([
    ['女生牛仔裤', '牛仔裤 女款', '牛仔裤 男款'], ['mens running shoes', '跑步鞋 男款', '跑步鞋 女款'],
    ['给老公买条牛仔裤', '牛仔裤 男款', '牛仔裤 女款'], ['给女朋友买的T恤', '女士T恤', '男士T恤'],
    ['猫用的冻干零食', '冻干 猫狗通用', '冻干 狗'], ['给爷爷买手机', '老年 手机', '儿童 手机'],
  ])('%s', (say, has, lacks) => {
    expect(states(say, has, '')).not.toContain('against')
    expect(states(say, lacks, '')).toContain('against')
  })

  test('what names nobody is for a recipient, too', () => {
    expect(states('给老公买条牛仔裤', '牛仔裤 直筒', '')).not.toContain('unknown')
  })
})

describe('a colour', () => {
  test.each([
    ['黑色手机', '手机 曜石黑', '手机 云岩白'], ['深色牛仔裤', '牛仔裤 深蓝', '牛仔裤 浅蓝'],
    ['浅色四件套', '四件套 米白', '四件套 墨绿'], ['navy blue school bag', '书包 藏青', '书包 浅蓝'],
    ['浅蓝色书包', '书包 浅蓝', '书包 深蓝'],
  ])('%s is of its family', (say, has, lacks) => {
    expect(states(say, has, '')).toContain('met')
    expect(states(say, lacks, '')).toContain('against')
  })
})
