/** Which kinds and values searches mean that strangers found misread. */
import { describe, expect, test } from 'vitest'
import { understand } from './understand.ts'

const first = (sentence: string): string | undefined => understand(sentence).kinds[0]?.value

describe('names of goods that nobody sells', () => {
  test.each([
    ['沙发罩', 'sofa_cover'], ['想买个沙发套', 'sofa_cover'], ['沙法套', 'sofa_cover'],
    ['baseball glove', 'baseball_bat'], ['镜头 清洁 套装', 'screen_cleaner'],
    ['净水器滤芯', 'water_filter_pitcher'], ['吸尘器的替换滤网', 'stick_vacuum'],
    ['中性笔芯', 'gel_pen'], ['教师扩音器', 'microphone'],
  ['泡脚桶', 'wash_basin'], ['foot spa', 'wash_basin'], ['激光笔', 'cat_toy'],
  ['想买个痰盂', 'potty_trainer'],
  ])('%s is told to be none, and %s the nearest', (sentence, kind) => {
    const { unsold } = understand(sentence)
    expect(unsold).not.toBeNull()
    expect(first(sentence)).toBe(kind)
  })

  test.each(['沙发垫', '棒球棍', '车衣 SUV'])('%s is sold', (sentence) => {
    expect(understand(sentence).unsold).toBeNull()
  })
})

test.each([
  ['wanju', 'fidget_toy'], ['xiyiji', 'drum_washing_machine'], ['jiaozi', 'frozen_dumplings'],
  ['pingguo', 'fuji_apples'], ['yizi', 'ergonomic_chair'], ['haoyou', 'oyster_sauce'],
  ['豪油', 'oyster_sauce'], ['毫油', 'oyster_sauce'],
])('of several words that sound as %s the common one is meant', (sound, kind) => {
  expect(first(sound)).toBe(kind)
})

test.each([
  ['瑜伽', 'yoga_mat'], ['瑜伽服', 'yoga_pants'], ['瑜伽上衣', 'sports_bra'],
  ['45W usb-c charger', 'wall_charger'], ['充电器', 'wall_charger'], ['车载充电器', 'car_charger'],
  ['床头灯', 'bedside_night_light'], ['放枕头边的灯', 'bedside_night_light'],
  ['卫生纸', 'toilet_paper_rolls'], ['44码棉鞋', 'cotton_shoes'], ['居家棉鞋', 'cotton_slippers'],
])('%s means %s first', (sentence, kind) => {
  expect(first(sentence)).toBe(kind)
})

test.each([['卫生纸', 'facial_tissue_paper'], ['weishengzhi', 'facial_tissue_paper']])(
  '%s is none of %s', (sentence, kind) => {
    expect(understand(sentence).kinds.map(({ value }) => value)).not.toContain(kind)
  })

test.each([
  ['撑花儿', 'folding_umbrella'], ['绢头', 'handkerchief'], ['买个拖畚', 'mop'],
  ['洗衫机', 'drum_washing_machine'], ['洋火', 'lighter'], ['抹桌帕', 'dish_cloth'], ['瓢根儿', 'spoon'],
  ['马夹袋', 'shopping_bag'], ['鬓刨', 'electric_shaver'],
  ['夜壶箱', 'bedside_table'], ['钢精锅', 'soup_pot'], ['裤头带', 'leather_belt'], ['白脱', 'baking_butter'],
  ['枕头边边用的灯', 'bedside_night_light'],
])('%s is said somewhere of %s', (sentence, kind) => {
  expect(first(sentence)).toBe(kind)
})

test('two nouns of goods are no slip of a third', () => {
  expect(understand('伞架').corrections).toEqual([])
})

test.each([
  ['热水袋', '注水电热水袋'], ['汤婆子', '注水电热水袋'], ['蛋糕蜡烛', '生日数字'], ['🎂蜡烛', '生日数字'],
  ['desk fan', '台式'], ['cordless drill', '12v'],
])('%s says which of the goods: %s', (sentence, value) => {
  expect(understand(sentence).named.flatMap(({ values }) => [...values?.values() ?? []].flat())
    .map(({ text }) => text)).toContain(value)
})

test.each([
  ['白衬衫配深蓝领带', ['mens_dress_shirt', 'necktie']],
  ['红色毛衣搭配黑色裙子', ['knit_sweater', 'womens_dress']],
  ['想吃火锅,底料和牛肉卷都要', ['hotpot_base', 'beef_rolls']],
  ['给宝宝买奶瓶和奶嘴', ['baby_bottle', 'bottle_nipple']],
])('%s asks for both', (sentence, kinds) => {
  expect(understand(sentence).parts.map((part) => part.kinds[0]?.value)).toEqual(kinds)
})

test('of goods with colours each has its own', () => {
  expect(understand('白衬衫配深蓝领带').parts.map(({ must }) => must.map(({ text }) => text)))
    .toEqual([['白'], ['深蓝']])
})

test('yarn counts are no number of pieces', () => {
  expect(understand('60支的床单')).toMatchObject({ quantity: null, must: [{ anyOf: ['60支'] }] })
  expect(understand('20支中性笔').quantity?.count).toBe(20)
})

test.each([
  ["women's running shoes size 8", 38, 39], ["men's running shoes us 10", 43, 43],
  ['雪地靴 男 44码', 44, 44], ["women's white trainers uk size 6", 39, 39],
  ['toddler shoes size 15', 15, 15],
])('%s is European %i to %i', (sentence, low, high) => {
  expect(understand(sentence).must.flatMap(({ measure }) => measure ?? []))
    .toEqual([{ low, high, unit: 'shoe' }])
})

test.each(['领养一只布偶猫', '买一只活的大熊猫', 'adopt a kitten', '收养一只流浪狗'])(
  '%s asks for no goods', (sentence) => {
    const { kinds, must, prefer, notes } = understand(sentence)
    expect([kinds, must, prefer]).toEqual([[], [], []])
    expect(notes[0]).toMatch(/活体动物|live animals/)
  })

test.each(['给领养的猫买个窝', '活虾', '买只布偶猫玩具'])('%s asks for goods', (sentence) => {
  expect(understand(sentence).kinds).not.toEqual([])
})

test.each([['大码女鞋', 41], ['大码 男士皮鞋', 45]])('%s are %i and more', (sentence, low) => {
  expect(understand(sentence).must.flatMap(({ measure }) => measure ?? []))
    .toEqual([{ low, high: null, unit: 'shoe' }])
})

test.each(['西装配领结', '买电脑配键盘鼠标'])('%s asks for two', (sentence) => {
  expect(understand(sentence).parts).toHaveLength(2)
})
