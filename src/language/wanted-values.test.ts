/** Values that are wanted or refused: by numbers, verbs, reasons, and what they are said of. */
import { describe, expect, test } from 'vitest'
import { readFacts } from './facts.ts'
import { fitOfFacts, planOf } from './fit.ts'
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
  ['腰围二尺六的牛仔裤', 34, 'inch'], ['牛仔裤腰围两尺四', 32, 'inch'], ['二尺五的裤子', 33, 'inch'],
  ['显示器 高刷165', 165, 'hz'], ['2米×1.5米的蚊帐', 1500, 'mm'], ['1.8米床', 1800, 'mm'],
  ['AA batteries, pack of 20', 20, '节'],
  ['vitamin tablets, 180 count', 180, '片'],
  ['瓷砖 300乘600', 300, 'mm'],
  ['智能手表续航两星期', 14, '天'],
  ['炒锅缺个盖子，32的', 320, 'mm'],
  ['U盘要64的', 64, 'gb'],
  ['鞋带 白色 120的', 1200, 'mm'],
  ['自行车，26寸的就不用给我看了，要24的', 24, 'inch'],
  ['圆桌布 180', 1800, 'mm'],
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
  ['泳衣，比基尼就不要推给我了', 'swimsuit', '比基尼'],
  ['方向盘套，毛绒的不要，捂一手汗', 'steering_wheel_cover', '短毛绒'],
  ['羊肉串要真羊肉，鸡肉混合的pass', 'lamb_skewers', '鸡肉'],
  ['毛衣，不要高领，勒得慌', 'knit_sweater', '半高领'],
  ['拖鞋，毛绒的ban掉', 'indoor_slippers', '短毛绒'],
  ['围巾，羊毛的劝退，扎脖子', 'winter_scarf', '羊毛'],
  ['月饼，五仁退散', 'mooncake', '五仁'],
  ['鸡胸肉，香辣和藤椒口味勿扰', 'instant_chicken_breast', '藤椒'],
  ['猫砂，膨润土的拜拜，灰太大', 'cat_litter', '膨润土'],
  ['牛奶，脱脂的不要给我上', 'pure_milk', '脱脂'],
  ['雨伞要自动的，手动的就别往我这推了', 'folding_umbrella', '手动'],
  ['灯带，RGB的闪眼，不要带这个', 'led_light_strip', 'rgb彩色'],
  ['键盘，青轴吵，别推青轴', 'mechanical_keyboard', '青轴'],
  ['染头发的，膏状的别给我，嫌脏手', 'hair_dye', '膏状'],
  ['毛线帽，说红的戴够了，不要红色的', 'knit_hat', '红色'],
  ['狗粮不含鸡肉的', 'dog_food', '鸡肉'],
  ['对天然乳胶过敏，避孕套买哪种', 'condom', '天然乳胶'],
  ['枕头，非乳胶的', 'sleeping_pillow', '泰国乳胶'],
  ['路由器，WiFi5的就别推了', 'wifi_router', 'wifi5'],
  ['dog food, chicken-free since he is allergic', 'dog_food', '鸡肉'],
  ['swimsuit, bikinis need not apply', 'swimsuit', '比基尼'],
  ['running socks, ankle ones are out', 'everyday_socks', '短筒'],
  ['protein bars, hold the peanut', 'protein_bar', '花生'],
  ['a sleep mask, but not the heated kind', 'sleep_eye_mask', '一次性蒸汽'],
]

const refusedOf = (say: string, kind: string): string[] =>
  understand(say).must_not.flatMap(({ values }) => values?.get(kind) ?? []).map(({ text }) => text)

describe('a value that is refused, whatever the words', () => {
  test.each(REFUSED)('%s', (say, kind, value) => {
    expect(refusedOf(say, kind)).toContain(value)
  })
})

test('what is refused once is not wished where it is named again', () => {
  expect(understand('键盘，青轴吵，别推青轴').must).toEqual([])
})

test('what a broken thing of theirs is called is no refusal of what is for it', () => {
  const { must, must_not } = understand('我的民谣吉他断了根弦，换一套弦')
  expect(must.flatMap(({ anyOf }) => anyOf)).toEqual(['民谣吉他'])
  expect(must_not).toEqual([])
})

test('who refuses a size wants another of the same unit', () => {
  const { must, must_not } = understand('充电宝，一万毫安的就别推了，要两万的')
  expect(must_not.map(({ measure }) => measure?.low)).toEqual([10_000])
  expect(must.map(({ measure }) => measure)).toEqual([{ low: 20_000, high: 20_000, unit: 'mah' }])
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
  ['床头铁栏杆上夹个小风扇', 'desk_fan', ['夹式']],
  ['羊肉串要真羊肉，鸡肉混合的pass', 'lamb_skewers', ['羊肉']],
  ['该换二分之一的小提琴了', 'violin', ['1/2']],
  ['小提琴 3/4 的', 'violin', ['3/4']],
  ['a half-size violin', 'violin', ['1/2']],
  ['pill box with a compartment for each day of the week', 'pill_organizer', ['一周分格']],
]

describe('a value that is wanted', () => {
  test.each(NAMED)('%s', (say, kind, values) => {
    const { must, named } = understand(say)
    const wanted = [...must, ...named].flatMap((wish) => wish.values?.get(kind) ?? [])
      .map(({ text }) => text)
    for (const value of values) expect(wanted).toContain(value)
  })
})

describe('goods that have the value by itself', () => {
  const words = (say: string, title: string): number | undefined =>
    fitOfFacts(planOf(understand(say)), readFacts({ title, brand: null, category: null }))
      ?.words

  test.each([
    ['幼猫粮', '猫粮 幼猫 鸡肉 2kg', '猫粮 全阶段 鸡肉 2kg'],
    ['纯棉 女款 睡衣', '睡衣套装 女款 纯棉 M', '睡衣套装 情侣款 纯棉 M'],
  ])('come before those that are for others as well: %s', (say, own, shared) => {
    expect(words(say, own)).toBeGreaterThan(words(say, shared) ?? 0)
  })
})

test('how long they have been pregnant is no age', () => {
  expect(measuresIn('怀孕七个月，想买个孕妇枕')).toEqual([])
})

test('a family of five counts no litres', () => {
  expect(measuresIn('rice cooker for a family of five').map(({ high }) => high)).toEqual([null])
})
