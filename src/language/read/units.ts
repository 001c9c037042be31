/** Units of goods: a number that has one is no price. */

/** Written → canonical unit and how many of that it is; without these, the unit is itself. */
const CANONICAL: Readonly<Record<string, readonly [unit: string, factor: number]>> = {
  毫升: ['ml', 1], ml: ['ml', 1], cl: ['ml', 10], 升: ['ml', 1000], l: ['ml', 1000],
  liter: ['ml', 1000], liters: ['ml', 1000], litre: ['ml', 1000], litres: ['ml', 1000],
  克: ['g', 1], g: ['g', 1], grams: ['g', 1], gram: ['g', 1], 毫克: ['mg', 1], mg: ['mg', 1],
  千克: ['g', 1000], 公斤: ['g', 1000], kg: ['g', 1000], kilo: ['g', 1000], 斤: ['g', 500],
  gb: ['g', 1], tb: ['tb', 1], t: ['tb', 1],
  毫米: ['mm', 1], mm: ['mm', 1], 厘米: ['mm', 10], 公分: ['mm', 10], cm: ['mm', 10],
  米: ['mm', 1000], m: ['mm', 1000], meter: ['mm', 1000], meters: ['mm', 1000],
  metre: ['mm', 1000], metres: ['mm', 1000], 米床: ['mm', 1000], m床: ['mm', 1000],
  寸: ['inch', 1], 英寸: ['inch', 1], 吋: ['inch', 1], inch: ['inch', 1], inches: ['inch', 1],
  '"': ['inch', 1], 瓦: ['w', 1], w: ['w', 1], watt: ['w', 1], watts: ['w', 1], 千瓦: ['w', 1000],
  kw: ['w', 1000], 毫安: ['mah', 1], 毫安时: ['mah', 1], mah: ['mah', 1], 小时: ['h', 1],
  h: ['h', 1], hour: ['h', 1], hours: ['h', 1], 分钟: ['min', 1], minutes: ['min', 1],
  赫兹: ['hz', 1], hz: ['hz', 1], 伏: ['v', 1], v: ['v', 1], '%': ['%', 1],
}

const LATIN = ['mah', 'wh', 'kwh', 'ml', 'cl', 'mg', 'kg', 'km', 'cm', 'mm', 'gb', 'tb', 'mb',
  'ghz', 'mhz', 'khz', 'hz', 'kpa', 'pa', 'db', 'lm', 'dpi', 'ppi', 'rpm', 'fps', 'kw', 'kv',
  'hrs?', 'hours?', 'mins?', 'minutes?', 'days?', 'inch(?:es)?', 'ft', 'feet', 'foot', 'oz',
  'lbs?', 'lit(?:er|re)s?', 'grams?', 'kilo', 'met(?:er|re)s?', 'watts?', 'volts?', 'years?',
  'months?', 'cores?', 'persons?', 'people', 'ply', 'count', 'ct', 'in-?1', 'in one', 'sheets?',
  'seaters?', 'layers?', 'keys?', 'tabs?', 'mp', 'qt', 'gen', 'packs?', 'm2']
/** With a space before them they are more often words of their own. */
const LATIN_CLOSE = ['a', 'v', 't', 'p', 'h', 'd']
const LATIN_SINGLE = ['g', 'l', 'm', 'w']

const HAN = ['毫升', '升', '克拉', '克', '千克', '公斤', '斤', '毫克', '吨', '毫米', '厘米', '公分',
  '分米', '公里', '千米', '米床(?![垫笠单品上架头罩褥裙])', '米', 'm床', '英寸', '寸', '吋', '英尺',
  '尺', '平方米?', '平米?', '千瓦', '瓦', '毫安时?', '安时?', '伏', '赫兹?', '流明', '度(?!假)', '匹',
  '码(?!字)', '号', '代', '款', '期', '级', '档', '挡', '层', '格', '孔', '位(?!置)', '核', '线程',
  '键', '轴(?!承)', '缸', '座', '人份', '人(?![民体造气工参字物像生间家行类])', '周?岁', '个月', '年', '月', '天',
  '个?小时', '分钟', '秒', '倍', '幅', '季', '开门', '门(?![锁口票])', '段', '帧', '转', '针', '色',
  '阶', '轮(?!胎)', '折叠', '合一', '分[裤袖]', '件套', '件装', '万像素', '像素', '声道', '通道',
  '周(?![岁末年])', '(?:元|块)(?=的?(?:话费|面值|购物卡|礼品卡|充值|加油卡))', '片', '抽', '粒', '颗', '页', 'k金',
  '[只支条片瓶包罐盒袋双个枚卷抽粒颗张听桶块节杯根本]装']

/** Of 一, only these: 一天 and 一次 are no attributes. */
const AFTER_ONE = /^(?:级|层|代|号|段|升|斤|公斤|米|匹|合一|体|键)/

const SPACED = new RegExp(`^(?: ?-?)(${[...LATIN, ...LATIN_SINGLE].join('|')})(?![a-z0-9])`)
const CLOSE = new RegExp(
  `^(${HAN.join('|')}|(?:${LATIN_CLOSE.join('|')})(?![a-z0-9])|%|"|'')`)
const HAN_SPACED = /^ (毫升|升|克|千克|公斤|斤|厘米|公分|毫米|米|英寸|寸|瓦|毫安|件套)/

export interface Unit {
  readonly name: string
  readonly factor: number
  /** Characters after the number, with a space or hyphen that stands between. */
  readonly length: number
}

/** The unit at the beginning of `rest`, the text after a number. */
export function unitAt(rest: string, isHanOne: boolean): Unit | undefined {
  if (isHanOne && !AFTER_ONE.test(rest)) return undefined
  const found = CLOSE.exec(rest) ?? SPACED.exec(rest) ?? HAN_SPACED.exec(rest)
  if (!found) return undefined
  const written = found[1] ?? ''
  const [name, factor] = CANONICAL[written] ?? [written, 1]
  return { name, factor, length: found[0].length }
}
