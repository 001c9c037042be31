/** Values as shoppers say them, and that goods which have them come before goods that do not. */
import { describe, expect, test } from 'vitest'
import { readFacts } from './facts.ts'
import { fitOf, planOf } from './fit.ts'
import { understand } from './understand.ts'

/** How well goods of the kind fit; -1 where the sentence refuses them. */
function fitOfTitle(sentence: string, title: string, kind: string): number {
  const facts = readFacts({ title, brand: null, category: null })
  return fitOf(planOf(understand(sentence)), facts, kind)?.value ?? -1
}

interface Case {
  readonly say: string
  readonly kind: string
  readonly has: string
  readonly lacks: string
}

const CLASSES: Readonly<Record<string, readonly Case[]>> = {
  'what may be had is not in the goods': [
    { say: 'coffee capsules, decaf', kind: 'coffee_capsules', has: '咖啡胶囊 10颗 低因 多趣系统',
      lacks: '咖啡胶囊 10颗 拿铁 多趣系统 低因可选' },
    { say: 'sugar free energy drink', kind: 'energy_drink', has: '能量饮料 250ml 无糖 原味',
      lacks: '能量饮料 250ml 低糖 原味 无糖可选' },
  ],
  'how many stand together tells goods apart': [
    { say: '折叠椅要两把的 露营坐', kind: 'folding_camp_chair', has: '户外折叠椅 月亮椅 碳钢 两把装',
      lacks: '户外折叠椅 月亮椅 碳钢 单把装' },
    { say: 'set of 4 wine glasses', kind: 'wine_glass', has: '红酒杯 无铅玻璃 300ml 4只',
      lacks: '红酒杯 无铅玻璃 300ml 1只' },
    { say: '一整箱纯牛奶 24小盒', kind: 'pure_milk', has: '纯牛奶 200ml 24盒 脱脂',
      lacks: '纯牛奶 200ml 1盒 脱脂' },
  ],
  'English says numbers in words': [
    { say: 'a phone with a terabyte of storage', kind: 'smartphone', has: '智能手机 12GB+1TB 云岩白',
      lacks: '智能手机 8GB+256GB 云岩白' },
    { say: 'laptop with 32 gigs of ram', kind: 'notebook_computer',
      has: '笔记本电脑 14英寸 32GB 1TB固态', lacks: '笔记本电脑 14英寸 16GB 1TB固态' },
    { say: 'camping tent that sleeps five or six', kind: 'camping_tent',
      has: '露营帐篷 5-8人 隧道帐', lacks: '露营帐篷 1-2人 隧道帐' },
    { say: 'robot vacuum that empties itself', kind: 'robot_vacuum', has: '扫地机器人 自动集尘 8000Pa',
      lacks: '扫地机器人 无基站 8000Pa' },
  ],
  'whom a name is for tells goods apart': [
    { say: '男童 运动鞋', kind: 'kids_sneakers', has: '儿童运动鞋 男童 网面 31码',
      lacks: '儿童运动鞋 女童 网面 31码' },
  ],
  'a value stands as a word of its own': [
    { say: '台式机用的内存条', kind: 'memory_module', has: '内存条 8GB DDR4 台式机 即插即用',
      lacks: '内存条 8GB DDR4 笔记本 台式机升级' },
    { say: '迷你的拍立得相纸', kind: 'instant_film', has: '拍立得相纸 迷你3英寸 白边 20张装',
      lacks: '拍立得相纸 宽幅5英寸 白边 20张装' },
  ],
  'who refuses a value is shown what says another': [
    { say: '挂耳咖啡，深烘的不要', kind: 'drip_coffee_bags', has: '挂耳咖啡 10包 浅烘',
      lacks: '挂耳咖啡 10包 中深烘' },
    { say: '平底锅 带涂层的都不要', kind: 'frying_pan', has: '平底煎锅 28cm 无涂层蜂窝纹',
      lacks: '平底煎锅 28cm 麦饭石纹不粘' },
    { say: '剃须刀，旋转式的夹胡子，换另一种', kind: 'electric_shaver', has: '电动剃须刀 往复式 三刀头',
      lacks: '电动剃须刀 旋转式 三刀头' },
    { say: '对乳胶过敏，买盒避孕套', kind: 'condom', has: '避孕套 12只 聚氨酯',
      lacks: '避孕套 12只 天然乳胶' },
  ],
  'numbers have the unit in which goods are told apart': [
    { say: '女童T恤 120码', kind: 'kids_tshirt', has: '儿童T恤 女童 120cm', lacks: '儿童T恤 女童 110cm' },
    { say: '移动硬盘 2000G', kind: 'portable_ssd', has: '移动固态硬盘 2TB', lacks: '移动固态硬盘 1TB' },
    { say: 'U盘要128个G的', kind: 'usb_flash_drive', has: 'U盘 128GB', lacks: 'U盘 64GB' },
    { say: 'CPL镜 77口径', kind: 'lens_filter', has: '相机滤镜 CPL偏振镜 77mm',
      lacks: '相机滤镜 CPL偏振镜 67mm' },
    { say: '30分的钻戒', kind: 'diamond_ring', has: '钻石戒指 天然钻石 0.3克拉',
      lacks: '钻石戒指 天然钻石 0.5克拉' },
    { say: '床笠 1.8', kind: 'fitted_bed_sheet', has: '床笠 全棉 180×200cm', lacks: '床笠 全棉 150×200cm' },
    { say: '窗帘 宽2米', kind: 'window_curtain', has: '窗帘 棉麻 宽2.0×高2.7米', lacks: '窗帘 棉麻 宽3.0×高2.7米' },
    { say: '睡袋，零下八度能用的', kind: 'sleeping_bag', has: '户外睡袋 白鹅绒 零下10℃',
      lacks: '户外睡袋 中空棉 10℃' },
    { say: 'sleeping bag good to minus five', kind: 'sleeping_bag', has: '户外睡袋 白鹅绒 零下10℃',
      lacks: '户外睡袋 中空棉 5℃' },
    { say: '衣物除菌液 2公斤', kind: 'laundry_sanitizer', has: '衣物除菌液 2L 松木香',
      lacks: '衣物除菌液 1L 松木香' },
  ],
  'a value has the names that shoppers give it': [
    { say: '女装 中老年 冬', kind: 'elderly_womens_wear', has: '中老年女装 外套 羊毛混纺 冬季加绒',
      lacks: '中老年女装 外套 棉麻 夏季' },
    { say: 'usb-c cable 1m', kind: 'charging_cable', has: '数据线 C转C 1米', lacks: '数据线 A转Micro 1米' },
    { say: 'usb c to c cable', kind: 'charging_cable', has: '数据线 C转C 1米', lacks: '数据线 A转C 1米' },
    { say: '秋裤 男 厚实点的', kind: 'thermal_underwear', has: '保暖内衣套装 男款 德绒 加厚款',
      lacks: '保暖内衣套装 男款 加厚纯棉 薄款' },
    { say: '无糖 橙汁 nfc', kind: 'fruit_juice', has: '果汁 甜橙 NFC鲜榨', lacks: '果汁 苹果 NFC鲜榨' },
    { say: '情侣穿的睡衣', kind: 'pajama_set', has: '睡衣套装 情侣款 莫代尔', lacks: '睡衣套装 男款 莫代尔' },
    { say: '办公用静音鼠标', kind: 'wireless_mouse', has: '无线鼠标 2.4G无线 静音微动',
      lacks: '无线鼠标 2.4G无线 即插即用' },
  ],
}

describe.each(Object.entries(CLASSES))('%s', (_, cases) => {
  test.each(cases)('$say', ({ say, kind, has, lacks }) => {
    expect(fitOfTitle(say, has, kind)).toBeGreaterThan(fitOfTitle(say, lacks, kind))
  })
})

test('what alone does counts more than all else that is said of the goods', () => {
  for (const say of ['basketball shoes for outdoor courts, size 42, mid top only',
    '42码室外打球的篮球鞋，只要中帮的', '室外篮球鞋42码 中帮的，别的款式不考虑']) {
    expect(fitOfTitle(say, '篮球鞋 中帮 室内木地板 40码', 'basketball_shoes'), say)
      .toBeGreaterThan(fitOfTitle(say, '篮球鞋 低帮 室外水泥地 42码', 'basketball_shoes'))
  }
})

test('how much is bought says less than what it is', () => {
  expect(fitOfTitle('买三斤线椒', '辣椒 1斤 线椒', 'fresh_chilies'))
    .toBeGreaterThan(fitOfTitle('买三斤线椒', '辣椒 3斤 甜椒', 'fresh_chilies'))
})

test('when goods are wanted is no age', () => {
  expect(understand('过三个月考六级，想买词汇书').must.map(({ text }) => text)).not.toContain('过三个月')
})

test('whom trousers are for makes no other goods of them', () => {
  for (const title of ['牛仔裤 男款 修身小脚 深蓝', '阔腿裤 女款 高腰 黑色', '运动裤 男款 速干']) {
    const { kinds } = readFacts({ title, brand: null, category: null })
    expect(Math.max(...kinds.values()), title).toBeGreaterThan(0.6)
  }
})

test('two sides are no noodles', () => {
  for (const say of ['黑白激光打印机，能扫描，自动双面', '浴巾，要双面']) {
    expect(understand(say).more, say).toEqual([])
  }
})

test('what a hundred grams may cost is no price of the goods', () => {
  for (const say of ['挂面 每100克不到1块', '一斤八块以内的鸡胸肉', '洗衣液每升不超过10元']) {
    const { budget, per } = understand(say)
    expect([say, budget, per !== null]).toEqual([say, null, true])
  }
})

test('what is refused as too cheap is the least that may be spent', () => {
  for (const say of ['翡翠手镯 低于五千的信不过', '羽绒服，五千以下的不放心']) {
    expect(understand(say).budget?.min, say).toBe(500_000)
  }
})

test('a size that does not do is replaced by the next that is named', () => {
  const [first, ...more] = understand('26寸能上飞机吗？不行的话要20寸登机箱').must
  expect(first?.measure?.low).toBe(20)
  expect(more).toEqual([])
})
