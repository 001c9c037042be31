/** Numbers with their units in a title: 1.7L, 500毫升, 12+256G, 200×230cm, 27英寸, 46度. */

export type Unit = 'ml' | 'g' | 'gb' | 'mm' | 'inch' | 'w' | 'mah' | 'hz' | 'degree' | 'shoe'
  | 'month' | 'year' | 'person' | 'grade' | 'layer' | 'hour' | 'grit' | 'page' | 'percent'

/** Unit → its values; 12GB+512GB has two. */
export type Sizes = ReadonlyMap<Unit, ReadonlySet<number>>

interface Written {
  readonly unit: Unit
  readonly factor: number
}

const of = (unit: Unit, factor = 1): Written => ({ unit, factor })

const UNITS: Readonly<Record<string, Written>> = {
  ml: of('ml'), 毫升: of('ml'), cl: of('ml', 10), l: of('ml', 1000), 升: of('ml', 1000),
  g: of('g'), 克: of('g'), mg: of('g', 0.001), 毫克: of('g', 0.001), kg: of('g', 1000),
  公斤: of('g', 1000), 千克: of('g', 1000), 斤: of('g', 500), 两: of('g', 50),
  gb: of('gb'), tb: of('gb', 1024), t: of('gb', 1024),
  mm: of('mm'), 毫米: of('mm'), cm: of('mm', 10), 厘米: of('mm', 10), 公分: of('mm', 10),
  m: of('mm', 1000), 米: of('mm', 1000), inch: of('inch'), inches: of('inch'), 英寸: of('inch'),
  寸: of('inch'), 吋: of('inch'), '"': of('inch'), w: of('w'), 瓦: of('w'), kw: of('w', 1000),
  千瓦: of('w', 1000), 匹: of('w', 735), mah: of('mah'), 毫安时: of('mah'), 毫安: of('mah'),
  ah: of('mah', 1000), 万毫安: of('mah', 10_000), hz: of('hz'), 赫兹: of('hz'),
  度: of('degree'), '%vol': of('degree'), 码: of('shoe'), 个月: of('month'), 年: of('year'),
  岁: of('year'), 人: of('person'), 段: of('grade'), 级: of('grade'), 层: of('layer'),
  小时: of('hour'), 目: of('grit'), 页: of('page'), '%': of('percent'),
}

const NAMES = Object.keys(UNITS).toSorted((left, right) => right.length - left.length).join('|')
const NUMBER = String.raw`\d{1,6}(?:\.\d{1,3})?`
const START = String.raw`(?<![a-z0-9.])(?<![a-z]-)`
const END = '(?![a-z])'
/** 200×230cm, 1.5*2.0米, 30x40x50cm: one unit for all. */
const DIMENSIONS = new RegExp(
  `${START}(${NUMBER}(?: ?(?:cm|mm|m|米|厘米)? ?[×x*] ?${NUMBER}){1,2}) ?(${NAMES})${END}`, 'g')
/** 12+256G, 8GB+128GB; 12g of it are gigabytes. */
const MEMORY = new RegExp(
  String.raw`${START}(\d{1,2}) ?(?:gb?)? ?\+ ?(\d{1,4}) ?(gb?|tb?)${END}`, 'g')
const SIZE = new RegExp(`${START}(${NUMBER})(?: ?[-~] ?(${NUMBER}))? ?(${NAMES})${END}`, 'g')
/** 5G手机 and 4G路由器 are no weights, 2.4G no storage, 360度 no alcohol. */
const NO_SIZE = new RegExp(String.raw`(?<![0-9.])(?:[2-6]|2\.4|5\.8) ?g(?![b0-9a-z])`
  + String.raw`(?=\/| ?(?:手机|网|全网通|智能|无线|双|路由|频|wifi|卡|版|信号|移动|$))`
  + '|(?:360|180|90|270) ?度', 'g')

export interface FoundSizes {
  readonly sizes: Sizes
  /** The text with what was read made blank. */
  readonly rest: string
}

/** `isDevice`: g is storage there, as in 256G. */
export function sizesIn(text: string, isDevice: boolean): FoundSizes {
  const sizes = new Map<Unit, Set<number>>()
  const add = (number: string, written: Written | undefined): void => {
    if (!written) return
    const value = Number((Number(number) * written.factor).toFixed(4))
    const known = sizes.get(written.unit)
    if (known) known.add(value)
    else sizes.set(written.unit, new Set([value]))
  }
  const blank = (found: string): string => ' '.repeat(found.length)
  const rest = text.replace(NO_SIZE, blank)
    .replace(MEMORY, (found, low: string, high: string, unit: string) => {
      add(low, UNITS['gb'])
      add(high, unit.startsWith('t') ? UNITS['tb'] : UNITS['gb'])
      return blank(found)
    })
    .replace(DIMENSIONS, (found, numbers: string, unit: string) => {
      for (const [number] of numbers.matchAll(new RegExp(NUMBER, 'g'))) add(number, UNITS[unit])
      return blank(found)
    })
    .replace(SIZE, (found, low: string, high: string | undefined, unit: string) => {
      if (unit === '年' && Number(low) > 1900) return found
      const written = unit === 'g' && isDevice ? UNITS['gb'] : UNITS[unit]
      add(low, written)
      if (high !== undefined) add(high, written)
      return blank(found)
    })
  return { sizes, rest }
}
