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

export const colourKeys = (word: string): string[] => LATIN_COLOURS[word] !== undefined
  ? [LATIN_COLOURS[word]] : word.match(CHARACTER) ?? []

export const materialKey = (word: string): string =>
  LATIN_MATERIALS[word] ?? SAME_MATERIAL[word] ?? word

export function coloursIn(text: string): ReadonlySet<string> {
  const words = COLOUR_WORDS.find(text).map(({ phrase }) => phrase)
  const named = [...text.matchAll(NAMED)].filter(([word]) => !NO_COLOUR.test(word))
    .map(([, character]) => character ?? '')
  const said = words.flatMap((word) =>
    word === '透明' || word.startsWith('卡其') || word.startsWith('米') ? [word.replace('色', '')]
      : colourKeys(word))
  return new Set([...said, ...named])
}

/** 送玻璃杯 and 玻璃面板 are too many to tell apart; a wish asks only whether it is said. */
export const materialsIn = (text: string): ReadonlySet<string> =>
  new Set(MATERIAL_WORDS.find(text).filter(({ phrase, start, end }) =>
    phrase.length > 1 || isAlone(text, start, end)).map(({ phrase }) => materialKey(phrase)))

const isAlone = (text: string, start: number, end: number): boolean =>
  !/\p{Script=Han}/u.test(text.charAt(start - 1)) && !/\p{Script=Han}/u.test(text.charAt(end))

export const isMaterial = (word: string): boolean => MATERIAL_WORDS.has(word)
export const isColour = (word: string): boolean => COLOUR_WORDS.has(word)
  || /^\p{Script=Han}{0,4}[黑白红蓝绿黄粉紫灰棕橙金银青橘]色$/u.test(word)
