import { describe, expect, test } from 'vitest'
import { recipientsOf } from './recipients.ts'
import { understand } from './understand.ts'

const partsOf = (sentence: string) =>
  understand(sentence).parts.map(({ kinds, budget, quantity }) =>
    ({ kind: kinds[0]?.value, max: budget?.max ?? null, count: quantity?.count ?? null }))

describe('each of several goods', () => {
  test.each([
    ['红包袋不超过10块，气球不超过20块', [['red_envelope', 1000], ['balloon', 2000]]],
    ['洗洁精20元内，厨房纸30元内，各来一种', [['dish_soap', 2000], ['kitchen_paper', 3000]]],
    ['面膜预算50 眼霜预算200', [['sheet_mask', 5000], ['eye_cream', 20_000]]],
    ['a desk lamp under 100 and a mouse pad under 30',
      [['study_desk_lamp', 10_000], ['mouse_pad', 3000]]],
  ])('has its own budget: %s', (sentence, goods) => {
    expect(partsOf(sentence).map(({ kind, max }) => [kind, max])).toStrictEqual(goods)
  })

  test.each([
    ['a tent and two sleeping bags', [['camping_tent', null], ['sleeping_bag', 2]]],
    ['买一盒牙签和两卷保鲜膜', [['toothpick', 1], ['cling_film', 2]]],
    ['酱油一瓶 醋两瓶 料酒一瓶', [['soy_sauce', 1], ['vinegar', 2], ['cooking_wine', 1]]],
  ])('has its own count: %s', (sentence, goods) => {
    expect(partsOf(sentence).map(({ kind, count }) => [kind, count])).toStrictEqual(goods)
  })

  test('is for whom all of it is', () => {
    const forWhom = (sentence: string) => understand(sentence).parts.map(recipientsOf)
    expect(forWhom('给妈妈买洗面奶和面霜')).toStrictEqual([['women'], ['women']])
    expect(forWhom('洗面奶和面霜')).toStrictEqual([[], []])
  })

  test('may cost all of a budget where either of them is bought', () => {
    expect(understand('一千五左右的空调扇或者空调').parts.map(({ budget }) => budget?.max))
      .toStrictEqual([180_000, 180_000])
  })

  test('has its own features', () => {
    const [litter, scratcher] = understand('猫砂要豆腐的，再来个猫抓板').parts
    expect(litter?.must.map(({ anyOf }) => anyOf[0])).toStrictEqual(['豆腐'])
    expect(scratcher?.must).toStrictEqual([])
  })

  test.each(['装机还差机箱跟机械硬盘', '想买个吉他，谱架也要', '定妆喷雾买一瓶，另外修容也要一个',
    '开学了要个书包，笔袋', 'need cat litter, also a scratching board', '牛奶和酸奶各一箱', '抽纸跟湿巾',
    '买个电饭煲和破壁机', '跑鞋和运动袜', '窗帘杆和窗帘一起买', '衬衫配领带', 'tent and a cooler'])(
    'is named by what joins it: %s', (sentence) => {
      expect(understand(sentence).parts).toHaveLength(2)
    })

  test.each([
    ['扫把、垃圾桶，还有拖地的，一块儿买', ['broom', 'trash_can', 'electric_mop']],
    ['备点铅笔、橡皮，还有削笔的', ['pencil', 'eraser', 'pencil_sharpener']],
    ['要贴春联发红包，帮我一块儿买齐了，再来点蜡烛', ['spring_couplets', 'red_envelope', 'candle']],
    ['想买帐篷，周末去露营，再来个睡袋', ['camping_tent', 'sleeping_bag']],
    ['Tent for 2 to 3 people and a camping lantern', ['camping_tent', 'camping_lantern']],
    ['sleeping bag for minus 5 degrees and a headlamp', ['sleeping_bag', 'headlamp']],
    ['给妈妈一条丝巾，给爸爸一个保温杯', ['silk_scarf', 'vacuum_flask']],
    // Goods of a list may be described.
    ['收纳箱两个，小推车一个，抽屉里分格的那种也来几个', ['storage_box', 'utility_cart', 'drawer_organizer']],
  ])('is kept beside what is said of others: %s', (sentence, kinds) => {
    expect(partsOf(sentence).map(({ kind }) => kind)).toStrictEqual(kinds)
  })

  test.each([
    ['我要养只仓鼠，笼子和粮都得有', ['hamster_cage', 'hamster_food']],
    ['刚接了只鹦鹉，笼子和鸟食', ['bird_cage', 'bird_food']],
    ['家里来了只乌龟，缸和粮都要', ['turtle_tank', 'turtle_food']],
    ['My new parrot needs a cage and toys', ['bird_cage', 'bird_toy']],
    ['Kitten coming home: litter box, litter and food', ['litter_box', 'cat_litter', 'cat_food']],
  ])('is that of the animal: %s', (sentence, kinds) => {
    expect(partsOf(sentence).map(({ kind }) => kind)).toStrictEqual(kinds)
  })

  test('is answered in the language of the whole', () => {
    const parts = understand('宝宝六个月，要买 high chair 还有 bib').parts
    expect(parts.map(({ language }) => language)).toStrictEqual(['zh', 'zh'])
  })

  test('shares a budget for all, and whom they are for', () => {
    const parts = understand('给我妈买围巾和手套，一共200以内').parts
    expect(parts.map(({ budget }) => budget?.max)).toStrictEqual([10_000, 10_000])
    expect(parts.every(({ ignored }) => ignored.some(({ why }) => why === 'recipient')))
      .toBe(true)
  })
})

test.each(['前台收银用一体机，27英寸、内存16G', '128G的U盘，手机电脑都能插', '拉拉裤，宝宝穿L码', '跑鞋，运动鞋都行',
  '相机，镜头要能换的',
  '圆形茶几，岩板台面', '旗袍，料子要上档次', '送副中国象棋，材料要体面点', '送一套茶具，盒子要好看',
  '周末在家涮锅，肥牛卷来点', '端午自己包粽子，要糯米', '超市要多囤点雪糕，我想添个冰柜', '今天买了咖啡豆，想配个磨豆机',
  'backpack with laptop sleeve and a rain cover',
  '手机和平板支架', '放口红和粉底的收纳盒', 'phone and tablet stand',
  'folding wheelchair, light, for travelling with my mother'])(
  'what is said of goods is no further one: %s', (sentence) => {
    expect(understand(sentence).parts).toStrictEqual([])
  })

describe('goods that are compared', () => {
  test.each([
    ['蚕丝被和羽绒被哪个暖和', ['silk_quilt', 'down_duvet']],
    ['给爸妈买扫地机器人还是洗地机好', ['robot_vacuum', 'floor_washer']],
    ['空气炸锅和烤箱哪个好', ['air_fryer', 'electric_oven']],
    ['电饭煲和高压锅哪个实用', ['rice_cooker', 'pressure_cooker']],
    ['Which is better, a dehumidifier or an air purifier?', ['dehumidifier', 'air_purifier']],
    ['washing machine or dryer, which is better', ['drum_washing_machine', 'heat_pump_dryer']],
  ])('are both shown: %s', (sentence, kinds) => {
    expect(partsOf(sentence).map(({ kind }) => kind)).toStrictEqual(kinds)
    expect(understand(sentence).parts.map(({ unsold }) => unsold)).toEqual([null, null])
  })

  test.each(['苹果或梨都行', '800以内扫地机器人和洗地机哪个好'])(
    'are no list where one is bought, or whichever: %s', (sentence) => {
      expect(understand(sentence).parts).toStrictEqual([])
    })
})

test.each([['a phone, 256GB storage, black', 'smartphone'], ['平板，128G内存，送孩子', 'tablet_computer'],
  ['手机 8G运存 256G内存', 'smartphone'], ['15 inch laptop, 32GB RAM, silver', 'notebook_computer']])(
  'how much a device has of a part is no second goods: %s', (sentence, kind) => {
    const { kinds, parts, more } = understand(sentence)
    expect([kinds[0]?.value, parts, more]).toEqual([kind, [], []])
  })

test('who buys a part beside a device buys both', () => {
  expect(understand('laptop and 16GB RAM').parts).toHaveLength(2)
})

test('what is light between commas is no lamp', () => {
  const { must, keywords } = understand('suitcase, 20 inch, light, blue')
  expect(must.map(({ text }) => text)).toContain('light')
  expect(keywords.map(({ text }) => text)).not.toContain('light')
})
