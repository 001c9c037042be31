/** Colours and materials that a title names, each under one key. */
import { fold } from '../fold.ts'
import { COLOURS, MATERIALS } from '../read/attribute-words.ts'
import { phrases } from '../read/phrases.ts'

const COLOUR_WORDS = phrases(COLOURS.map(fold))
const MATERIAL_WORDS = phrases(MATERIALS.map(fold))
const LATIN_COLOURS: Readonly<Record<string, string>> = {
  black: '黑', white: '白', red: '红', blue: '蓝', green: '绿', yellow: '黄', pink: '粉', purple: '紫',
  grey: '灰', gray: '灰', brown: '棕', orange: '橙', gold: '金', 'rose gold': '金', silver: '银',
  beige: '米', navy: '蓝', 'navy blue': '蓝', 'dark blue': '蓝', 'light blue': '蓝', khaki: '卡其',
  transparent: '透明', clear: '透明',
}
/** Each for all its shades. */
export const LATIN_COLOUR_WORDS = ['black', 'white', 'red', 'blue', 'green', 'yellow', 'pink',
  'purple', 'grey', 'gray', 'brown', 'orange'] as const
const CHARACTER = /[黑白红蓝绿黄粉紫灰棕橙金银青橘]/g
/** 曜石黑, 牛油果绿: a word that ends in a colour. */
const NAMED = new RegExp(String.raw`(?<!\p{Script=Han})\p{Script=Han}{1,4}`
  + String.raw`([黑白红蓝绿黄粉紫灰棕橙金银青])色?(?![\p{Script=Han}a-z0-9])`, 'gu')
const NO_COLOUR = /[美亮净嫩蛋留空告]白|[合白铂镀五黄现基奖]金|白银|[面米奶麦淀豆]粉|粉底|茶青|护发|k金|[口脸腮]红|蛋黄|大黄|车厘子红|[麻花]椒/
const LATIN_MATERIALS: Readonly<Record<string, string>> = {
  plastic: '塑料', 'stainless steel': '不锈钢', steel: '钢', glass: '玻璃', ceramic: '陶瓷',
  silicone: '硅胶', leather: '皮', 'genuine leather': '真皮', 'faux leather': 'pu皮', suede: '麂皮',
  canvas: '帆布', nylon: '尼龙', polyester: '涤纶', cotton: '棉', '100% cotton': '纯棉', linen: '亚麻',
  wool: '羊毛', cashmere: '羊绒', down: '羽绒', silk: '真丝', bamboo: '竹', latex: '乳胶',
  'memory foam': '记忆棉', 'solid wood': '实木', wood: '木', wooden: '木', aluminum: '铝合金',
  aluminium: '铝合金', titanium: '钛', 'cast iron': '铸铁', iron: '铁', copper: '铜', brass: '黄铜',
  rubber: '橡胶', acrylic: '亚克力', marble: '大理石', metal: '金属',
}
const SAME_MATERIAL: Readonly<Record<string, string>> = {
  全棉: '纯棉', 桑蚕丝: '真丝', 聚酯纤维: '涤纶', 聚酯: '涤纶', 木质: '木', 木头: '木', 竹制: '竹', 竹子: '竹',
  皮革: '皮', 皮质: '皮', 人造革: 'pu皮', 纯钛: '钛', 太空铝: '铝合金', 搪瓷: '珐琅', 原木: '实木',
}

/** Dark and light ones are kept apart where a word says so: 藏青 is no light blue. */
const DARK = /[深墨暗藏军酒烟乌枣]|黑|棕|咖|石墨|午夜|焦糖|炭|浆果|枫叶|复古红|车厘子|铁锈|navy|dark|black|brown/
const LIGHT = /[浅淡嫩奶杏裸银樱雾]|白|米|燕麦|月光|薄荷|粉|香槟|light|white|beige|pink/
/** 藏青 is called a green and is a blue. */
const NAMED_COLOURS: Readonly<Record<string, readonly string[]>> = {
  藏青: ['蓝'], 咖啡: ['棕'], 咖: ['棕'], 驼: ['棕'], 香槟: ['金'], 藕粉: ['粉'],
  深: [], 浅: [],
}

export const colourKeys = (word: string): string[] => [
  ...LATIN_COLOURS[word] !== undefined ? [LATIN_COLOURS[word]]
    : NAMED_COLOURS[word.replace(/色$/, '')] ?? word.match(CHARACTER) ?? [],
]

/** 深, 浅 or neither. */
export const shadesOf = (word: string): string[] =>
  [...DARK.test(word) ? ['深'] : [], ...LIGHT.test(word) ? ['浅'] : []]

/** What 深色 and 藏青 ask for beside the colour itself; 黑色 asks for no shade. */
export const askedShade = (word: string): string | undefined =>
  /^(?:深|暗|墨|藏|军绿|酒红|navy|dark)/.test(word) ? '深'
    : /^(?:浅|淡|天蓝|light)/.test(word) ? '浅' : undefined

/** How near goods come to a colour that they have not: 1 for another red than 酒红. */
export function colourNearness(word: string, { colours, shades }: Appearance): number {
  const asked = askedShade(word)
  if (!colourKeys(word).some((key) => colours.has(key))) {
    return asked !== undefined && shades.has(asked) ? NEAR.shade : 0
  }
  return asked === undefined || shades.size === 0 || shades.has(asked) ? 1 : NEAR.colour
}
const NEAR = { colour: 0.5, shade: 0.3 } as const

export const materialKey = (word: string): string =>
  LATIN_MATERIALS[word] ?? SAME_MATERIAL[word] ?? word

export interface Appearance {
  readonly colours: ReadonlySet<string>
  /** 深 and 浅, as the colours say. */
  readonly shades: ReadonlySet<string>
}

export function appearanceIn(text: string): Appearance {
  const words = COLOUR_WORDS.find(text).map(({ phrase }) => phrase)
  const named = [...text.matchAll(NAMED)].map(([word]) => word)
    .filter((word) => !NO_COLOUR.test(word))
  const said = words.flatMap((word) =>
    word === '透明' || word.startsWith('卡其') || word.startsWith('米') ? [word.replace('色', '')]
      : colourKeys(word))
  const ends = named.flatMap((word) => colourKeys(/.色?$/.exec(word)?.[0] ?? ''))
  return { colours: new Set([...said, ...ends]),
    shades: new Set([...words, ...named].flatMap(shadesOf)) }
}

/** 送玻璃杯 and 玻璃面板 are too many to tell apart; a wish asks only whether it is said. */
export const materialsIn = (text: string): ReadonlySet<string> =>
  new Set(MATERIAL_WORDS.find(text).filter(({ phrase, start, end }) =>
    phrase.length > 1 || isAlone(text, start, end)).map(({ phrase }) => materialKey(phrase)))

const isAlone = (text: string, start: number, end: number): boolean =>
  !/\p{Script=Han}/u.test(text.charAt(start - 1)) && !/\p{Script=Han}/u.test(text.charAt(end))

/** 蓝, 粉颜色, 灰色系, 偏绿: colours, however they are said. */
const SAID_COLOUR = new RegExp('^(?:\\p{Script=Han}{0,4}[黑白红蓝绿黄粉紫灰棕橙金银青橘](?:颜?色|色系|色调|系|调)'
  + '|(?:[偏发泛]|有点|带点)?[黑白红蓝绿黄粉紫灰棕橙橘]|([黑白红蓝绿黄粉紫灰])\\1)$', 'u')
export const isMaterial = (word: string): boolean => MATERIAL_WORDS.has(word)
export const isColour = (word: string): boolean => COLOUR_WORDS.has(word)
  || SAID_COLOUR.test(word)
