/** How a value may be said by its form alone: 三刀头, 3个头, "three heads"; 全遮光 and 遮光率100%. */
import type { Kind } from '../goods/taxonomy.ts'
import { fold } from './fold.ts'
import { COUNTED_PARTS } from './value-words.ts'

const DIGITS = '零一二三四五六七八九十'
const ENGLISH = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const PARTS = new Map(COUNTED_PARTS)
const COUNTED = new RegExp(String.raw`(?<![\d.零一二三四五六七八九十百])(单|双|[两二三四五六七八九十]|\d{1,2})`
  + `(${[...PARTS.keys()].join('|')})`, 'gu')
/** 单人 says more than one person; 单面 and 单刀 are what 一面 and 一个刀 are. */
const NUMBER: Readonly<Record<string, number>> = { 单: 1, 双: 2, 两: 2 }
const SAID_DOUBLE = ['double', 'dual', 'twin']

const plural = (word: string): string => word === 'person' ? 'people' : word === 'shelf' ? 'shelves'
  : /(?:s|people|in 1|in one|sided|ply)$/.test(word) ? word : `${word}s`

/** 三层: 3层, 三层, 3个层, three layers, 3-tier. */
function countedForms(text: string): string[] {
  return [...text.matchAll(COUNTED)].flatMap(([, number = '', part = '']) => {
    const count = NUMBER[number] ?? (/\d/.test(number) ? Number(number) : DIGITS.indexOf(number))
    const han = count === 2 ? ['两', '双', '二'] : count === 1 ? ['单', '一'] : [DIGITS[count] ?? '']
    const inHan = [String(count), ...han.filter((one) => one !== '')].flatMap((one) =>
      [`${one}${part}`, `${one}个${part}`, `${one}个${part}子`, `${one}${part}子`])
    const latin = [String(count), ENGLISH[count] ?? '', ...count === 2 ? SAID_DOUBLE : [],
      ...count === 1 ? ['single'] : []].filter((one) => one !== '')
    if (part === '合一') inHan.push(`${count}合1`, `${count}in1`, `${count}-in-1`, `${count} in 1`)
    return [...inHan, ...latin.flatMap((one) => (PARTS.get(part) ?? []).flatMap((word) =>
      [`${one} ${word}`, `${one}-${word}`, `${one} ${plural(word)}`]))]
  })
}

/** 85%黑巧克力: 85 percent, 百分之八十五; 100%羊毛 is 纯羊毛, too. */
function shareForms(text: string): string[] {
  const [, number = '', thing = ''] = /^(\d{1,3})%(\p{Script=Han}+)/u.exec(text) ?? []
  if (number === '') return []
  const han = hanShare(Number(number))
  return [...['百分之', '百分'].map((of) => `${of}${han}${thing}`),
    ...number === '100' ? [`百分百${thing}`, `百分百的${thing}`, `纯${thing}`, `全${thing}`] : []]
}

function hanShare(share: number): string {
  if (share === 100) return '百'
  const [tens, ones] = [Math.floor(share / 10), share % 10]
  return `${tens > 1 ? DIGITS.charAt(tens) : ''}${tens > 0 ? '十' : ''}`
    + (ones > 0 ? DIGITS.charAt(ones) : '')
}

/** 100% of it. */
function wholeForms(text: string): string[] {
  const [, thing = ''] = /^全(遮光|遮阳|防水|棉|羊毛|麦|脂|实木|牛皮|铜|钢|天然|植物|谷物)/u.exec(text) ?? []
  return thing === '' ? [] : ['100%', '百分百', '百分之百', '完全', '全部'].flatMap((all) =>
    [`${all}${thing}`, `${all}的${thing}`, `${thing}${all}`, `${thing}率${all}`, `${thing}率是${all}`])
}

const ENDING = /(?<=\p{Script=Han}{2})[式型款版类装]$/u

/** 吸盘式: 吸盘. */
const withoutEnding = (text: string): string[] =>
  ENDING.test(text) && !/[套组]装$/.test(text) ? [text.replace(ENDING, '')] : []

/** HDMI2.1: 2.1, 2.1版. */
function versionForms(text: string): string[] {
  const [, version = ''] = /^[a-z\p{Script=Han}]+ ?(\d\.\d)$/u.exec(text) ?? []
  return version === '' ? [] : [version, `${version}版`, `${version}版本`]
}

/** 大1匹: 大一匹. */
const withHanDigits = (text: string): string[] => {
  const said = text.replace(/(?<=\p{Script=Han})[1-9](?=\p{Script=Han})/gu, (digit) =>
    DIGITS.charAt(Number(digit)))
  return said === text ? [] : [said]
}

const DENOMINATORS: Readonly<Record<string, string>> =
  { 2: 'half', 3: 'third', 4: 'quarter', 8: 'eighth' }

/** 1/2 of a violin: 二分之一, half size. */
function fractionForms(text: string): string[] {
  const [, above = '', below = ''] = /^(\d)\/(\d)$/.exec(text) ?? []
  if (below === '') return []
  const latin = DENOMINATORS[below]
  const said = above === below ? ['full'] : latin === undefined ? []
    : above === '1' ? [latin, `one-${latin}`, `one ${latin}`]
      : [`${ENGLISH[Number(above)] ?? ''}-${latin}s`, `${ENGLISH[Number(above)] ?? ''} ${latin}`,
        `${ENGLISH[Number(above)] ?? ''}-${latin}`]
  return [`${DIGITS.charAt(Number(below))}分之${DIGITS.charAt(Number(above))}`,
    ...said.flatMap((one) => [`${one} size`, `${one}-size`, `${one}-sized`])]
}

export const formsOfValue = (text: string): string[] =>
  [...countedForms(text), ...withHanDigits(text), ...wholeForms(text), ...shareForms(text),
    ...withoutEnding(text), ...versionForms(text), ...fractionForms(text)]

const CODE = /^(\d{3,5})(?=\p{Script=Han})/u

/** 502快干 of glue is 502胶水, 18650锂电 of batteries a 18650电池, and 95%白鹅绒 is said without %. */
export function codedNames(
  text: string, { name_zh, aliases }: Pick<Kind, 'name_zh' | 'aliases'>,
): string[] {
  const [, code] = CODE.exec(text) ?? []
  const plain = /^\d+%\p{Script=Han}/u.test(text) ? [text.replace('%', '')] : []
  if (code === undefined) return plain
  return [name_zh, ...aliases].map((name) => fold(name).replace(/^\d+/, ''))
    .filter((name) => /^\p{Script=Han}+$/u.test(name)).map((name) => code + name)
}

/** What a name of two English words is a sort of. */
const NOUN = /(?<=^[a-z]+ )[a-z]{4,}$/
/** What tells it from others of the sort; these say nothing by themselves. */
const LEAD = new RegExp('^(?!with|extra|ultra|super|high|full|half|semi|double|single|dual|triple'
  + '|multi|long|short|large|small|light|dark|deep|pale|real|pure|anti|natural|regular|thick|thin'
  + '|wide)[a-z]{4,}(?= [a-z]{4,}$)')

/** Glitter of "fine glitter", carbon of "carbon fibre". */
export const tellingWords = (name: string): string[] =>
  [NOUN, LEAD].flatMap((word) => word.exec(name)?.[0] ?? [])

const CAN_MOVE = ['能调', '可调', '能调节', '可调节', '可以调', '可以调节', '能升降', '可升降', '能动', '活动']

/** 固定腰枕 is a support that cannot be moved; others can. */
export function fixedBy(text: string): { readonly ways: readonly string[] } | undefined {
  const [, thing] = /^(?:固定|不可调?)(\p{Script=Han}{1,3})$/u.exec(text) ?? []
  return thing === undefined ? undefined
    : { ways: ['', thing].flatMap((name) => CAN_MOVE.map((way) => name + way)) }
}

/** 无盖, 不含酒精, 0脂肪: of these, what the goods lack; 无缝 and 无线电 lack nothing that one names. */
const LACKING = new RegExp('^(?:无添加|零添加|未添加|不含有?|不带|没有|无|零|免|不加|0(?![.\\d-]))'
  + '(?!痕|缝|菌|级|极|限|叶|纺布|重力|基础|食|售|下|花果)(\\p{Script=Han}{1,7}?|[a-z]{2,10})(?:味|款|装|版|型)?$', 'u')
const THING_MAX = 3
/** What else a thing is called that a value lacks. */
const THINGS: Readonly<Record<string, readonly string[]>> = {
  香: ['香味', '味道', '气味', '味儿', '香气', '香精', '香料', 'fragrance', 'scent', 'perfume', 'smell'],
  味: ['味道', '气味', '味儿', '香味', 'smell', 'scent', 'fragrance'], 糖: ['糖分', '甜味', 'sugar'],
  氟: ['氟化物', 'fluoride'], 酒精: ['酒精味', 'alcohol'], 盖: ['盖子', 'lid', 'cover'], 脂肪: ['脂', 'fat'],
  线: ['电线', '线缆', 'wire', 'wires', 'cord', 'cable'], 轮: ['轮子', 'wheel', 'wheels'],
  灯: ['灯光', '光', 'light', 'lights'], 背光: ['灯光', '灯', 'backlight', 'backlighting'],
  钢圈: ['钢托', 'underwire', 'wire'],
  袖: ['袖子', 'sleeve', 'sleeves'], 扶手: ['armrest', 'armrests', 'arms'],
  靠背: ['back', 'backrest'], 帽: ['帽子', 'hood'], 屏: ['屏幕', 'screen', 'display'], 麦克风: ['麦', 'mic',
    'microphone'], 氨: ['ammonia'], 辣: ['辣味', '辣椒', 'spice', 'chili'], 盐: ['盐分', 'salt'],
  硅油: ['silicone', 'silicones'],
  框: ['边框', 'frame'], 胸垫: ['垫', 'padding', 'pads'], 镜: ['镜子', 'mirror'],
  口袋: ['兜', 'pocket', 'pockets'], 涂层: ['coating'], 刺: ['鱼刺', 'bones'], 骨: ['骨头', 'bones', 'bone'],
  核: ['果核', 'pit', 'pits', 'seeds', 'stone'], 咖啡因: ['caffeine'], 铅: ['lead'], 门: ['door'],
  卡: ['存储卡', '内存卡', 'card', 'memory card'], 支架: ['架子', 'stand', 'bracket'], 酒具: ['酒杯', 'glasses'],
  护栏: ['围栏', 'guardrail', 'rail', 'rails'], 坐垫: ['垫子', 'cushion', 'seat pad'], 脚踏: ['footrest'],
  储物: ['收纳', 'storage'], 水箱: ['tank', 'water tank'], 配饰: ['accessories'], 蓝牙: ['bluetooth'],
  馅: ['馅儿', 'filling'], 谷: ['谷物', 'grain', 'grains'], 声光: ['声音', '灯光', 'sound', 'lights'],
  刷: ['碳刷', 'brush'], 孔: ['洞', 'hole', 'holes'], 锁: ['锁子', 'lock'], 芯: ['纸芯', 'core'],
  乳糖: ['lactose'], 网口: ['网线口', 'ethernet', 'ethernet port'], 清凉: ['薄荷', '凉', 'cooling', 'mint'],
}

const NONE_HAN = ['没', '没有', '没加', '没放', '不加', '不放', '不带', '不含', '不要', '不用',
  '不需要', '不想要', '不配', '不用配',
  '别放', '别加', '别带', '无', '零', '0', '一点不', '一点都不', '完全不', '完全没', '完全没有', '一点都没有',
  '非']
const NONE_HAN_BEHIND = ['都不能有', '都没有', '都不要', '都不能', '也不能有', '也不要']
const NONE_LATIN = ['no ', 'without ', 'without a ', 'without any ', 'w/o ', 'not any ', 'zero ',
  'free of ', 'do not want ', 'don\'t want ', 'non ', 'non-']

/** 含氟 and 低氟 have what 无氟 lacks. */
export const hasOf = (text: string, { names: [thing = ''] }: Lacked): boolean =>
  text.includes(thing)

export interface Lacked {
  /** Its names. */
  readonly names: readonly string[]
  /** Ways to say that goods must be without it. */
  readonly ways: readonly string[]
  /** The value says nothing else. */
  readonly isWhole: boolean
}

/** What a value says that the goods are without. */
/** `attribute` may name it, too: 锅盖 of 无盖. */
export function lackedBy(text: string, attribute = ''): Lacked | undefined {
  const [, said] = LACKING.exec(text) ?? []
  if (said === undefined) return undefined
  const isWhole = said.length <= THING_MAX || /^[a-z]/.test(said)
  // 无轮四脚 says more.
  const thing = THINGS[said] ? said : Object.keys(THINGS)
    .filter((one) => said.startsWith(one) && said.length - one.length > 1)
    .sort((one, other) => other.length - one.length)[0] ?? (isWhole ? said : undefined)
  if (thing === undefined) return undefined
  const names = [thing, ...THINGS[thing] ?? [],
    ...attribute !== thing && attribute.includes(thing) ? [attribute] : []]
  return { names, isWhole: thing === said, ways: names.flatMap((name) => /[a-z]/.test(name)
    ? [...NONE_LATIN.map((cue) => cue + name), `${name} free`, `${name}-free`, `${name}less`]
    : [...NONE_HAN.map((cue) => cue + name),
      ...NONE_HAN_BEHIND.map((cue) => `一点${name}${cue}`)]) }
}
