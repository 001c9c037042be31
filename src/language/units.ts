/** Units of goods, in one table for sentences and for items: 1.7升 and 1700ml are the same. */

/** Units in which two titles are compared with each other. */
export const SIZE_UNITS = ['ml', 'g', 'gb', 'mm', 'inch', 'w', 'mah', 'hz', 'degree', 'shoe',
  'month', 'year', 'person', 'grade', 'layer', 'hour', 'grit', 'page', 'percent'] as const
export type SizeUnit = (typeof SIZE_UNITS)[number]

/** Canonical unit → how it is written, with how many of the unit each stands for. */
const WRITTEN: Readonly<Record<string, string>> = {
  ml: '毫升 ml cl*10 升*1000 l*1000 liter*1000 liters*1000 litre*1000 litres*1000 公升*1000',
  g: '克 g gram grams 毫克*0.001 mg*0.001 千克*1000 公斤*1000 kg*1000 kilo*1000 斤*500 两*50 '
    + '吨*1000000 磅*454 lb*454 lbs*454 pound*454 pounds*454',
  gb: 'gb gig gigs gigabyte gigabytes tb*1024 terabyte*1024 terabytes*1024 t*1024 个t*1024 个g',
  // 3000M of a router reads as metres, in goods and in sentences alike.
  mm: '毫米 mm 兆*1000 厘米*10 公分*10 cm*10 米*1000 m*1000 meter*1000 meters*1000 metre*1000 metres*1000 '
    + '米床*1000 m床*1000 '
    + 'ft*304.8 foot*304.8 feet*304.8',
  inch: '寸 英寸 吋 英吋 inch inches "',
  w: '瓦 w watt watts 千瓦*1000 kw*1000',
  hp: '匹 hp horsepower',
  mah: '毫安时 毫安 mah ah*1000 安时*1000 安*1000 万毫安*10000',
  hz: '赫兹 赫 hz',
  db: '分贝 db',
  degree: '度 %vol',
  shoe: '码',
  month: '个月 月龄 month months 岁*12 周岁*12 半年*6',
  year: '年 year years',
  person: '人 人份 人位 口人 person persons people seaters seater',
  grade: '段 级',
  layer: '层 layer layers ply',
  hour: '小时 个小时 钟头 个钟头 h hour hours hr hrs',
  min: '分钟 min mins minute minutes',
  grit: '目',
  page: '页',
  percent: '% percent',
  v: '伏 v volt volts',
  carat: '克拉 carat carats',
  lines: 'k p',
  key: '键 keys',
  片: '片 片装 小片', 包: '包 包装 小包', 瓶: '瓶 瓶装 小瓶', 盒: '盒 盒装 小盒', 袋: '袋 袋装 小袋',
  罐: '罐 罐装 小罐', 支: '支 支装 小支',
  只: '只 只装', 双: '双 双装', 条: '条 条装 小条', 卷: '卷 卷装', 枚: '枚 枚装', 粒: '粒 粒装', 颗: '颗 颗装',
  张: '张 张装', 抽: '抽 抽装', 件: '件 件装 件套', 本: '本 本装', 册: '册', 节: '节 节装', 块: '块 块装 小块',
  根: '根 根装', 个: '个 个装', 桶: '桶 桶装', 听: '听 听装', 杯: '杯 杯装', 号: '号', 色: '色', 孔: '孔',
  格: '格', 档: '档 挡', 倍: '倍', 流明: '流明 lm lumen lumens', 枝: '枝 枝装 朵',
  天: '天 day days 周*7 星期*7 个星期*7 礼拜*7 个礼拜*7 week*7 weeks*7', 头: '头', 贴: '贴 贴装',
  km: '公里 千米 km kms kilometers kilometres', m2: '平方米 平方 平米 平 m2 sqm 坪*3.3',
  pa: '帕 pa 千帕*1000 kpa*1000', 万像素: '万像素 mp*100', 帧: '帧 fps', 转: '转 rpm 转/分',
  m3: 'm3 m3/h m3/min 立方 立方米 个立方', dpi: 'dpi', ppi: 'ppi', ms: 'ms 毫秒', psi: 'psi',
  'km/h': 'km/h kmh',
  套: '套 套装', 位: '位', 对: '对 对装', 把: '把 把装', 副: '副',
  份: '份', 步: '步 step steps', 音: '音', 骨: '骨', 速: '速', 卡位: '卡位', 夹: '夹', 口: '口', 门: '门 开门', 轮: '轮',
}

export interface Written {
  readonly unit: string
  readonly factor: number
}

const TABLE: ReadonlyMap<string, Written> = new Map(Object.entries(WRITTEN).flatMap(
  ([unit, names]) => names.split(' ').map((entry): [string, Written] => {
    const [name = '', factor = '1'] = entry.split('*')
    return [name, { unit, factor: Number(factor) }]
  })))

/** The canonical unit of one that is written so; a unit that the table lacks is its own. */
export const writtenUnit = (name: string): Written =>
  TABLE.get(name) ?? { unit: name, factor: 1 }

/** All that the table has, the longest first, to find them in titles. */
export const UNIT_NAMES = [...TABLE.keys()].filter((name) => name !== 'p' && name !== 'k')
  .toSorted((left, right) => right.length - left.length).join('|')

/** How many lines a picture has that is 2K or 1080P. */
const LINES: Readonly<Record<string, number>> = { '2': 1440, '4': 2160, '5': 2880, '8': 4320 }

export const linesOf = (value: number, letter: string): number | undefined =>
  letter === 'p' ? value : LINES[String(value)]

const PART_UNITS = {
  piece: '片 件 块 个 粒 颗 枚 张 只 支 条', port: '口 孔 位 个', outlet: '位 孔 口', setting: '套',
  sheet: '张 抽 片', head: '头', speed: '档', tier: 'layer',
  compartment: '格', hole: '孔', door: '门', drawer: '抽', wheel: '轮', pair: '双 对', roll: '卷',
  shelf: 'layer', rung: '步', slice: '片', colour: '色', color: '色',
}
/** English words of which goods have a number. */
export const PARTS: ReadonlySet<string> = new Set(Object.keys(PART_UNITS))

/** A sentence's unit → units in which items may state the same; the unit itself where none is. */
export const SAME_UNITS: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
  // 256G of a telephone; waists are in inches, and stated as sizes.
  g: [['g', 1], ['gb', 1]], inch: [['inch', 1], ['shoe', 1]],
  year: [['year', 1], ['month', 12], ['天', 365]],
  month: [['month', 1], ['year', 1 / 12], ['天', 30]],
  hour: [['hour', 1], ['min', 60]],
  片: [['片', 1], ['抽', 1], ['粒', 1], ['张', 1]], 粒: [['粒', 1], ['片', 1], ['颗', 1]],
  颗: [['颗', 1], ['粒', 1]], 支: [['支', 1], ['只', 1], ['枝', 1]], 枝: [['枝', 1], ['支', 1]],
  只: [['只', 1], ['支', 1], ['个', 1]], 个: [['个', 1], ['只', 1], ['枚', 1]], 枚: [['枚', 1], ['个', 1]],
  罐: [['罐', 1], ['听', 1]], 听: [['听', 1], ['罐', 1]],
  双: [['双', 1], ['对', 1]], 对: [['对', 1], ['双', 1]],
  本: [['本', 1], ['册', 1]], 册: [['册', 1], ['本', 1]],
  张: [['张', 1], ['抽', 1], ['片', 1]], 抽: [['抽', 1], ['张', 1]],
  // 43号 of shoes, 8% of wine, dishes for five.
  号: [['号', 1], ['shoe', 1]], percent: [['percent', 1], ['degree', 1]],
  person: [['person', 1], ['份', 1]],
  ...Object.fromEntries(Object.entries(PART_UNITS).map(([unit, names]) =>
    [unit, [unit, ...names.split(' ')].map((name) => [name, 1] as const)])),
}

const LATIN = ['mah', 'ah', 'wh', 'kwh', 'ml', 'cl', 'mg', 'kg', 'km/h', 'kmh', 'km', 'cm', 'mm',
  'gb', 'tb', 'mb',
  'gigs?', 'gigabytes?', 'terabytes?',
  'ghz', 'mhz', 'khz', 'hz', 'kpa', 'pa', 'db', 'lm', 'dpi', 'ppi', 'rpm', 'fps', 'kw', 'kv',
  'hrs?', 'hours?', 'mins?', 'minutes?', 'days?', 'inch(?:es)?', 'ft', 'feet', 'foot', 'oz',
  'lbs?', 'lit(?:er|re)s?', 'grams?', 'kilo', 'sq(?:uare)? ?m(?:et(?:er|re)s?)?',
  'met(?:er|re)s?', 'watts?', 'volts?', 'years?',
  'months?', 'cores?', 'persons?', 'people', 'ply', 'count', 'ct', 'in-?1', 'in one', 'sheets?',
  'seaters?', 'layers?', 'keys?', 'tabs?', 'mp', 'qt', 'gen', 'packs?', 'm2', 'carats?', 'hp',
  'horsepower', 'steps?', 'weeks?', 'kms', 'kilomet(?:er|re)s', 'lumens?',
  'm3(?:/h|/min)?', 'ms', 'psi', 'per ?cent']
/** With a space before them they are more often words of their own. */
const LATIN_CLOSE = ['a', 'v', 't', 'p', 'h', 'd']
const LATIN_SINGLE = ['g', 'l', 'm', 'w']

/** What ends a word: 3个头, but not 3个头盔. */
const WORD_END = '(?=$|[ ,.;。!?、的带款有以装\\0])'
/** 61个键 and 四个格子 are as 61键 and 四格. */
const COUNTED_PART = new RegExp(`^个(键|头|层|格|档|孔|口|门|色|轮|音|骨|卡位)子?${WORD_END}`)

const HAN = ['毫升', '公?升', '克拉', '克', '千克', '公斤', '斤', '毫克', '吨', '毫米', '厘米', '公分',
  '分米', '公里', '千米', '米床(?![垫笠单品上架头罩褥裙])', '米', 'm床', '英寸', '寸', '吋', '英尺',
  '尺(?!寸|码)', '平方米?', '平米?(?!板)', '坪', '千瓦', '瓦', '毫安时?', '安时?', '伏', '赫兹?', '流明', '分贝', '千?帕',
  '支(?=纱|长绒|贡缎|全?棉|精梳|天丝)', '度(?!假)', '匹',
  '码(?!字)', '号', '代', '款', '期', '级', '档', '挡', '层', '格', '孔', '位(?!置)', '核', '线程',
  '键', '轴(?!承)', '缸', '座', '口人', '人份', '人位', '人(?![民体造气工参字物像生间家行类])', '周?岁', '个月', '年', '月',
  '天', '个?小时', '个?钟头', '个?(?:星期|礼拜)', '分钟', '磅', '兆', '类(?![似型别])', '个[tg](?![a-z])',
  '音(?![箱响乐盒])', '骨(?![头科汤])', '速(?![度干冻溶热])', '卡位',
  '口(?=$|[ ,.;。!?、的带款有以装交网路])',
  '毫秒', '个?立方米?', '秒', '倍', '幅', '季', '开门', '门(?![锁口票])', '段', '帧', '转', '针', '色',
  '阶', '夹(?![克子心层角板棉])', '轮(?![胎车])', '折叠', '合一', '分[裤袖]', '件套', '件装', '万像素', '像素', '声道', '通道',
  '周(?![岁末年边围])', '(?:元|块)(?=的?(?:话费|面值|购物卡|礼品卡|充值|加油卡))', '片', '抽', '粒', '颗', '页', 'k金',
  '步(?![行骤伐道到枪])', '贴(?=$|[ ,.;。!?、的装])', '小(?=[盒瓶包袋罐支条块片])[盒瓶包袋罐支条块片]',
  '[只支条片瓶包罐盒袋双个枚卷抽粒颗张听桶块节杯根本]装']

/** Of 一, only these: 一天 and 一次 are no attributes. */
const AFTER_ONE = /^(?:级|层|代|号|段|公?升|斤|公斤|米|匹|合一|体|键|周?岁|磅|个t(?![a-z]))/

const SPACED = new RegExp(`^(?: ?-?)(${[...LATIN, ...LATIN_SINGLE].join('|')})(?![a-z0-9])`)
const CLOSE = new RegExp(
  `^(${HAN.join('|')}|(?:${LATIN_CLOSE.join('|')})(?![a-z0-9])|v(?=\\d{1,3} ?ah)|%vol|%|"|'')`)
const HAN_SPACED = new RegExp('^ (毫升|升|克|千克|公斤|斤|厘米|公分|毫米|米|英寸|寸|瓦|毫安|件套'
  // Others end the word: 24 色, 61 键.
  + `|(?:${HAN.join('|')})${WORD_END})`)

export interface UnitFound extends Written {
  readonly name: string
  /** Characters after the number, with a space or hyphen that stands between. */
  readonly length: number
}

/** The unit at the beginning of `rest`, the text after a number in a sentence. */
export function unitAt(rest: string, isHanOne: boolean): UnitFound | undefined {
  if (isHanOne && !AFTER_ONE.test(rest)) return undefined
  const found = COUNTED_PART.exec(rest) ?? CLOSE.exec(rest) ?? SPACED.exec(rest)
    ?? HAN_SPACED.exec(rest)
  if (!found) return undefined
  const name = (found[1] ?? '').replace('per cent', 'percent').replace(/^sq.*/, 'm2')
  return { name, length: found[0].length, ...writtenUnit(name) }
}
