import { describe, expect, test } from 'vitest'
import { readFacts } from './facts.ts'
import { fitOf, planOf } from './fit.ts'
import { understand } from './understand.ts'

const isShown = (sentence: string, title: string, brand: string | null = null): boolean => {
  const facts = readFacts({ title, brand, category: null })
  return fitOf(planOf(understand(sentence)), facts, [...facts.kinds.keys()][0]) !== undefined
}
const refused = (sentence: string): string[] =>
  understand(sentence).must_not.flatMap(({ anyOf }) => anyOf)

const HAN_BEFORE = ['不要', '不想要', '别给我推荐', '不喜欢', '不考虑', '别要', '不能是']
const HAN_BEHIND = ['不要', '的不要', '就算了', '的除外', '的不行', '不喜欢', '的都不考虑', '别给我推荐']
const LATIN_BEFORE = ['no ', 'not ', 'without ', 'except ', 'anything but ', 'other than ',
  'besides ', 'I don\'t want ', 'avoid ', 'apart from ']
/** Goods, an object, a title that has it and one that has not; the same in English. */
const CASES = [
  ['围巾', '红色', 'scarf', 'red', '围巾 女款 羊毛 酒红', '围巾 女款 羊毛 雾蓝'],
  ['沙发', '真皮', 'sofa', 'leather', '客厅沙发 三人位 头层牛皮 浅灰', '客厅沙发 三人位 棉麻布 浅灰'],
  ['手机', '苹果', 'phone', 'apple', 'Apple 苹果 iPhone 15 手机 128GB', '小米 14 手机 256GB'],
  ['吸顶灯', '圆形', 'ceiling light', 'round', '吸顶灯 圆形 24W 客厅', '吸顶灯 方形 24W 客厅'],
  ['水饺', '海鲜', 'dumplings', 'seafood', '速冻水饺 虾仁三鲜 500g', '速冻水饺 猪肉白菜 500g'],
  ['键盘', 'RGB', 'keyboard', 'RGB', '机械键盘 104键 RGB背光', '机械键盘 104键 无背光'],
  ['狗粮', '鸡肉', 'dog food', 'chicken', '狗粮 幼犬 鸡肉 5kg', '狗粮 幼犬 三文鱼 5kg'],
] as const

test('of one value behind the other, each with 的, is one of all', () => {
  expect(refused('儿子的书包，不要粉的紫的')).toEqual(['粉', '紫'])
})

test.each([['行李箱不要黑色不要银色', ['黑色', '银色']], ['毛衣不要高领不要带毛', ['高领', '毛']],
  ['不要苹果不要香蕉的果干', ['苹果', '香蕉']]])(
  'ends where the next begins: %s', (sentence, objects) => {
    expect(refused(sentence)).toEqual(objects)
  })

test.each([['雨伞，别给我折叠的', 'folding_umbrella'], ['an umbrella, no folding ones', 'folding_umbrella'],
  ['手链不要黄金的，戴着上流水线不让', 'gold_bracelet'], ['想喝咖啡，速溶不考虑', 'instant_coffee'],
  ['打印机别给我推喷墨的', 'inkjet_printer'], ['剃须刀 手动的不要', 'manual_razor']])(
  '%s: a kind that is called by it is refused', (sentence, kind) => {
    expect(understand(sentence).kinds.map(({ value }) => value)).not.toContain(kind)
  })

test.each(['不是磁吸的手机壳不要', '手机壳，不是磁吸的一律不考虑', '不能磁吸的手机壳不买',
  '手机壳 没有磁吸的别推荐'])('of what is not so wishes what is: %s', (sentence) => {
  const { must, must_not: not, named } = understand(sentence)
  expect(not).toStrictEqual([])
  expect([...must, ...named].filter(({ isStrict }) => isStrict)
    .map(({ anyOf }) => anyOf.join(' ')).join(' ')).toContain('磁吸')
})

test('of another brand wishes the brand', () => {
  const { keywords, must_not: not } = understand('罗技的无线鼠标，不是罗技的不要')
  expect(not).toStrictEqual([])
  expect(keywords.some(({ role, isStrict }) => role === 'brand' && isStrict)).toBe(true)
})

test.each([['行李箱别黑色', '黑色'], ['沙发千万别真皮的', '真皮'], ['羽绒服,可别红的', '红']])(
  'needs no verb where it names what goods are like: %s', (sentence, object) => {
    expect(refused(sentence)).toEqual([object])
  })

test.each(['千万别迟到的快递盒', '别墅用的吊灯'])('is none of what is done: %s', (sentence) => {
  expect(refused(sentence)).toEqual([])
})

test('of white leaves out shoes that are called white', () => {
  expect(understand('找双运动鞋，千万别白色').kinds.map(({ value }) => value))
    .not.toContain('white_sneakers')
})

test('what is refused is no wish where it is told before', () => {
  expect(understand('我想买一把雨伞，不过折叠的老是被风吹翻，别给我折叠的').must).toEqual([])
})

describe('a refusal', () => {
  const sentences = CASES.flatMap(([zh, object, en, word, having, lacking]) => [
    ...HAN_BEFORE.flatMap((cue) => [`${cue}${object}的${zh}`, `${zh}，${cue}${object}的`,
      `想买${zh} ${cue}${object}`]),
    ...HAN_BEHIND.flatMap((cue) => [`${zh} ${object}${cue}`, `想买个${zh}，${object}${cue}`]),
    `除了${object}都行的${zh}`, `除${object}以外的${zh}`, `${zh} 除了${object}其他都可以`,
    ...LATIN_BEFORE.flatMap((cue) => [`${en} ${cue}${word}`, `${en}, ${cue}${word} please`]),
  ].map((sentence) => ({ sentence, having, lacking })))

  test(`leaves out the goods that have it, in ${sentences.length} sentences`, () => {
    expect(sentences.filter(({ sentence, having }) => isShown(sentence, having))
      .map(({ sentence }) => sentence)).toEqual([])
  })

  test('shows the goods that have it not', () => {
    expect(sentences.filter(({ sentence, lacking }) => !isShown(sentence, lacking))
      .map(({ sentence }) => sentence)).toEqual([])
  })

  test('of two things refuses both', () => {
    expect(refused('运动鞋 白色红色都不要')).toEqual(['白色', '红色'])
    expect(refused('laptop except lenovo and hp')).toEqual(['lenovo', 'hp'])
    expect(refused('不要塑料和玻璃的水壶')).toEqual(['塑料', '玻璃'])
  })

  test('behind a complaint takes what is complained of', () => {
    expect(refused('围巾，羊毛的穿着痒，不要')).toEqual(['羊毛'])
    expect(refused('杯子 玻璃的容易碎 不要')).toEqual(['玻璃'])
  })

  test.each([
    ['男士内裤，平角以外的不要', '平角'], ['牛仔裤 除了黑色以外的都不要', '黑色'],
  ])('of all but one wishes that: %s', (say, wanted) => {
    expect(refused(say)).toEqual([])
    expect(understand(say).must.map(({ text }) => text)).toEqual([wanted])
  })

  test('of a further thing that is wanted as well is none', () => {
    expect(refused('除了键盘还要一个鼠标')).toEqual([])
  })

  test('keeps its object out of the wishes and the words', () => {
    const { must, keywords } = understand('吸顶灯 圆的不要')
    expect(must).toEqual([])
    expect(keywords.map(({ folded }) => folded)).toEqual(['吸顶灯'])
  })
})

describe('an allergy, a diet or a state of health', () => {
  test.each([
    ['我家猫对鸡肉过敏，买猫粮', '猫粮 成猫 鸡肉 2kg', '猫粮 成猫 三文鱼 2kg'],
    ['花生过敏的孩子吃的饼干', '饼干 花生夹心 200克', '饼干 苏打 原味 200克'],
    ['snacks, I\'m allergic to nuts', '零食大礼包 坚果 500克', '零食大礼包 肉脯 500克'],
    ['peanut allergy, need cookies', '饼干 花生夹心 200克', '饼干 苏打 200克'],
    ['乳糖不耐受能喝的牛奶', '纯牛奶 250ml 全脂', '纯牛奶 250ml 零乳糖'],
    ['lactose intolerant, protein powder', '乳清蛋白粉 908g', '大豆蛋白粉 908g'],
    ['我吃素，想买自热米饭', '自热米饭 土豆牛腩 牛肉', '自热米饭 香菇青菜'],
    ['清真的自热火锅', '自热火锅 午餐肉 麻辣', '自热火锅 牛腩 番茄'],
    ['gluten-free noodles', '挂面 小麦 1000g', '荞麦挂面 1000g'],
    ['无酒精的漱口水', '漱口水 250ml 含酒精', '漱口水 250ml 不含酒精'],
  ])('%s', (sentence, having, lacking) => {
    expect(isShown(sentence, having)).toBe(false)
    expect(isShown(sentence, lacking)).toBe(true)
  })

  test.each([
    ['有蚊子，不想要电蚊拍，别的灭蚊东西', 'mosquito_swatter'],
    ['想让妈妈睡得好点，但她不吃褪黑素', 'melatonin'],
    ['against mosquitoes, but no electric swatter please', 'mosquito_swatter'],
  ])('is of the kind that is refused by its name: %s', (sentence, refused) => {
    expect(understand(sentence).kinds.map(({ value }) => value)).not.toContain(refused)
  })

  test.each([
    ['速冻饺子来点但是韭菜的不要啊家里没人吃', '韭菜鸡蛋'], ['速冻饺子，韭菜馅吃腻了换个别的', '韭菜鸡蛋'],
  ])('is heard without a sign behind it: %s', (sentence, value) => {
    expect(understand(sentence).must_not.flatMap(({ values }) => [...values?.values() ?? []])
      .flat().map(({ text }) => text)).toContain(value)
  })

  test('is no wish for what is not tolerated', () => {
    const { must, prefer } = understand('猫粮 我家猫对鸡肉过敏')
    expect([...must, ...prefer].flatMap(({ anyOf }) => anyOf)).not.toContain('鸡肉')
    expect(refused('猫粮 我家猫对鸡肉过敏')).toEqual(['鸡肉'])
  })

  test('prefers what suits it, of goods that can have it', () => {
    expect(understand('给糖尿病人买饼干').must[0]?.anyOf).toContain('无糖')
    expect(understand('糖尿病人的袜子').must).toEqual([])
    expect(understand('高血压老人用的酱油').must[0]?.anyOf).toContain('减盐')
    expect(understand('高血压用的血压计').must).toEqual([])
  })
})

describe('what goods must be without', () => {
  test.each([
    ['婴儿沐浴露 要没香味的', '无香'], ['火锅底料一点辣都不能有', '不辣'],
    ['花生酱要没加糖的', '无糖'],
  ])('%s', (sentence, value) => {
    const { must, must_not } = understand(sentence)
    expect([...must[0]?.values?.values() ?? []].flat().map(({ text }) => text)).toContain(value)
    expect(must_not).toEqual([])
  })

  test('is refused where it cannot be done', () => {
    expect(isShown('租房墙上不能打孔，想买窗帘', '窗帘 棉麻 85%遮光 打孔罗马杆')).toBe(false)
    expect(isShown('租房墙上不能打孔，想买窗帘', '窗帘 棉麻 85%遮光 魔术贴免打孔')).toBe(true)
  })
})

describe('a value that what stands around it refuses', () => {
  test.each([
    ['四件套，上面别印卡通图案', '卡通'], ['速冻饺子，馅里头没韭菜的', '韭菜'], ['面膜，我对烟酰胺不耐受', '烟酰胺'],
    ['香水，花香的太冲，别的香型都行', '花香'], ['月饼，五仁的谁爱吃谁吃', '五仁'],
    ['汽车脚垫，丝圈那种藏灰，不要', '丝圈'], ['抽纸，发黄的本色纸我家不用', '本色'],
    ['积木拼装，恐龙主题家里已经有了', '恐龙'], ['猫砂，膨润土的粉尘大，换别的', '膨润土'],
    ['牛奶，全脂的喝了胖，不考虑', '全脂'], ['床单，纯棉的吃不消', '纯棉'],
  ])('%s', (sentence, value) => {
    const { must, named } = understand(sentence)
    expect(refused(sentence)).toContain(value)
    expect([...must, ...named].flatMap(({ anyOf }) => anyOf)).not.toContain(value)
  })

  test.each([
    ['我要红色的裙子，别的颜色不要', '红色'], ['给我找个充电的暖手宝 不要超过六十块钱', '充电'],
    ['辣条，微辣就行，特辣的吃不消', '微辣'], ['要纯棉的睡衣，不要太厚', '纯棉'],
  ])('%s refuses something else', (sentence, value) => {
    expect(refused(sentence)).not.toContain(value)
  })
})

describe('words that only look like a refusal', () => {
  test.each(['不锈钢锅', '不粘锅', '无线鼠标', '无人机', '免洗洗手液', '别墅用的除湿机', '除螨仪', '防晒霜 不油腻',
    '非遗剪纸', '除臭喷雾', '无痕内裤', '免打孔置物架', '过敏药', '减肥茶'])('%s', (sentence) => {
    expect(refused(sentence)).toEqual([])
  })
})

test('what is told before 的 is called by its name behind it', () => {
  expect(refused('无线耳机，不想要塞进耳道的入耳式')).toContain('入耳式')
  expect(refused('有没有no sugar的可乐')).not.toContain('可乐')
  expect(refused('water bottle, nothing plastic')).toContain('plastic')
})

test('salt that is made for who may have little is shown to them', () => {
  expect(isShown('老妈高血压，医生让吃低钠盐', '食用盐 低钠盐 350g')).toBe(true)
  expect(refused('高血压吃的饼干')).toEqual(['盐'])
})

test.each([
  '头皮屑太多了，想买个洗发水', '家里老鼠太多了，有啥办法', '沙发上猫毛太多，想要个粘毛器', '上次买的牛仔裤掉色太厉害，想换一条',
])('a trouble is none of what the goods against it are: %s', (sentence) => {
  expect(refused(sentence)).toEqual([])
})

describe('goods that a refusal tells apart', () => {
  test.each([
    ['红酒除了甜的都行', 'dry_red_wine'], ['窗帘不要打孔装的那种，租的房子', 'window_curtain'],
    ['台灯不要夹的那种', 'study_desk_lamp'], ['泡面什么味都行，就是别来老坛酸菜', 'instant_noodles'],
    ['酱油 不要老抽', 'soy_sauce'],
  ])('are wanted: %s', (sentence, kind) => {
    expect(understand(sentence).kinds[0]?.value).toBe(kind)
  })

  test.each([
    ['水果除了香蕉都行', 'bananas'], ['茶叶除了绿茶都喝', 'green_tea_leaves'], ['啤酒别要黑啤', 'dark_beer'],
    ['老丈人喝不惯酱香，白酒除了酱香的都可以', 'sauce_aroma_baijiu'],
  ])('are no longer those that are refused: %s', (sentence, kind) => {
    expect(understand(sentence).kinds.length).toBeGreaterThan(0)
    expect(understand(sentence).kinds.map(({ value }) => value)).not.toContain(kind)
  })

  test.each([
    ['巧克力，酒心的别推给我', '酒心'], ['no more plastic in the kitchen. Glass food containers', 'plastic'],
    ['Please no polyester. I need a bed sheet', 'polyester'],
    ['chocolate, but none with liquor', 'liquor'],
  ])('do not have it: %s', (sentence, word) => {
    expect(refused(sentence)).toContain(word)
    expect(understand(sentence).must.flatMap(({ anyOf }) => anyOf)).not.toContain(word)
  })

  test('are leather by their name only, where they say nothing more', () => {
    expect(isShown('belt, no leather', '皮带 男款 帆布 黑色 120cm')).toBe(true)
    expect(isShown('belt, no leather', '皮带 男款 头层牛皮 黑色 120cm')).toBe(false)
  })
})

test.each([
  ['火锅底料来一包，一点辣都吃不了', '火锅底料 麻辣牛油 150g 特辣', '火锅底料 番茄 300g 不辣'],
  ['泳衣，比基尼我穿不出去，别的款式', '泳衣 比基尼 锦氨 碎花白 XL', '泳衣 连体平角 锦氨 黑色 XL'],
  ['买个猫窝，半封闭的它都不进', '宠物窝 L码 半封闭窝 绒布 猫', '宠物窝 L码 方形垫 绒布 猫'],
  ['眼药水不要清凉型的', '眼药水 抗疲劳 5ml 清凉 成人', '眼药水 抗疲劳 5ml 无清凉 成人'],
  ['口琴不学复音的', '口琴 复音 24孔 A调 儿童', '口琴 布鲁斯 10孔 C调 儿童'],
  ['月饼，五仁的千万莫给我', '月饼 五仁 8枚 礼盒', '月饼 莲蓉 8枚 礼盒'],
  ['给猫买罐头，海鲜味的它一口都不碰', '猫罐头 三文鱼 肉丝汤煲 85g 6罐', '猫罐头 鸡肉 肉丝汤煲 85g 6罐'],
  ['狗粮 我家狗吃牛肉会拉肚子', '狗粮 成犬 牛肉 5kg', '狗粮 成犬 鸭肉 5kg'],
  ['方便面，不辣的', '方便面 香辣牛肉 桶面 6份', '方便面 番茄 桶面 6份'],
  ['口红 不要太red的', '口红 哑光 正红色 3g', '口红 哑光 裸色 3g'],
  ['洗衣液不想带一丁点香味', '洗衣液 2kg 薰衣草香 袋装', '洗衣液 2kg 无香 袋装'],
])('by a verb, or however little of it, is shown by no item: %s', (sentence, refusedOne, other) => {
  expect(isShown(sentence, refusedOne)).toBe(false)
  expect(isShown(sentence, other)).toBe(true)
})

test.for([
  ['铅笔盒粉红色的不要太贵', '粉红色'], ['织毛衣的毛线要软和的不扎人', '要软和'],
  ['路由器穿墙不行，打游戏老是卡', '穿墙'], ['整个不用装外机的空调行不行', '不用装外机'],
] as const)('is none where it is said of something else: %s', ([sentence, wish]) => {
  const { must, must_not: not } = understand(sentence)
  expect(must.map(({ text }) => text)).toContain(wish)
  expect(not).toEqual([])
})

test.each([['no sugar cola', 'cola'], ['still no umbrella, a black one', 'folding_umbrella'],
  ['gluten-free isn\'t needed, just penne', 'pasta']])(
  'that is no refusal of the goods leaves them: %s', (sentence, kind) => {
    expect(understand(sentence).kinds.map(({ value }) => value)).toContain(kind)
  })

test.each([
  ['窗帘别给我推荐要打孔的', 'window_curtain', '打孔'], ['沙发 不要推荐要自己组装的', 'living_room_sofa', '自己组装'],
  ['蚊子多，不想点蚊香', 'mosquito_swatter', '蚊香'],
])('a refusal goes before what has to be done: %s', (say, kind, object) => {
  const { kinds, must, must_not: not } = understand(say)
  expect(kinds[0]?.value).toBe(kind)
  expect(must).toEqual([])
  expect(not.map(({ text }) => text).join()).toContain(object)
})

test.each(['手机支架，不要手机', '平板支架，平板不要', 'camera bag, no camera'])(
  'the goods that others are made for are refused, and not the others: %s', (say) => {
    expect(understand(say).must_not).toEqual([])
  })

test.each(['能不能买到降噪的耳机', '会不会有防水的书包', '可不可以要纯棉的床单', '有没有塑料的菜板'])(
  'who asks whether refuses nothing: %s', (sentence) => {
    expect(refused(sentence)).toEqual([])
  })

test.each(['洗发水，别有香精', '洗发水，香味的不要', 'shampoo without fragrance'])(
  'smells of nothing, nor keeps a scent: %s', (sentence) => {
    expect(isShown(sentence, '洗发水 400ml 去屑止痒 无香')).toBe(true)
    expect(isShown(sentence, '洗发水 400ml 去屑止痒 雪松木香 男士')).toBe(false)
    expect(isShown(sentence, '洗发水 400ml 持久留香 无香')).toBe(false)
  })

test.each(['买个冰箱 价格不成问题', '想要台相机，预算真的不是问题', 'a good camera, money is no object'])(
  'what is no matter is not refused: %s', (sentence) => {
    expect(refused(sentence)).toEqual([])
  })
