/** How many a title sells, and whether other things come with it. */

export interface Pack {
  /** Null where the title does not say; 24 in 500ml*24瓶, 2 in 两瓶装. */
  readonly count: number | null
  /** Pieces inside: 100 in 100抽*24包. */
  readonly pieces: number | null
  /** What is counted inside: 抽, 片. */
  readonly counter: string | null
  /** 100只 … 50只装: one of them is wrong. */
  readonly isUnclear: boolean
  /** 礼盒, 套装, 买一送一, 主机+手柄: not the thing alone. */
  readonly bundles: ReadonlySet<string>
}

const HAN_NUMBERS: Readonly<Record<string, number>> = {
  单: 1, 一: 1, 两: 2, 二: 2, 双: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9, 十: 10,
}
const CONTAINERS = '[瓶罐盒袋包支条只双个枚卷桶听提箱件根把对本册块杯台部张套份节]'
const CONTAINER = new RegExp(`^${CONTAINERS}$`)
const GIFT = /(?:买[一二三\d]+)?[送赠](?:\d+|[一两二三四五六])?[^ ,;+]{0,8}/g
const BUY_GET = /买[一二三\d]+[送赠]/
/** 第2件半价, 满2件8折, 拍2件: a sale, not what is sold. */
const SALE = /[第拍满][\d一二两三]+[件瓶盒包](?:[\d.]+折|半价|[^ ]{0,4}减\d*)?|[\d一两二三]件[\d.]+折/g
const WORDS = new RegExp(
  `([单一两二双三四五六七八九十])(${CONTAINERS})(?:箱|礼盒|提|组)?装|(?:一|1)(对)(?:装)?(?![话])`, 'g')
const SET_OF = /(\d{1,3}|[两二三四五六七八九十]) ?(?:件套|件组|pcs|pieces?|packs?|pack of)(?![a-z])/g
const PACK_OF = /(?:pack|set|box) of (\d{1,3})|(\d{1,3})[- ]?(?:pack|count|ct)(?![a-z])/g
const COUNTED = new RegExp(`(?<![a-z0-9.-])(\\d{1,4}) ?(${CONTAINERS})(?!\\d)(?:装)?`, 'g')
const TIMES = /[*×](?: ?)(\d{1,3})(?![\d.]|cm|mm|m|米| ?(?:cm|mm|厘米))|(?<= )x(\d{1,3})(?![\d.a-z])/g
const INSIDE = /(?<![a-z0-9.-])(\d{1,5}) ?([片抽粒颗张枚贴])(?:装)?/g
/** 主机+手柄; not 12+256G, PA++ or UPF100+. */
const MORE = new RegExp(String.raw`(?<!pa\+{0,3})(?<!\d)\+(?! ?\d+ ?(?:gb?|tb?)(?![a-z])) ?`
  + String.raw`(?:\d+[a-z]* ?)?\p{Script=Han}{2}|(?<=\d)\+\p{Script=Han}{2}`, 'u')
const BUNDLES: readonly (readonly [string, RegExp])[] = [
  ['gift box', /礼盒|木盒|礼袋装|gift (?:box|set)/],
  ['set', /套装|套餐|组合|全家桶|大礼包|combo|bundle|kit(?![a-z])|(?<!screwdriver )set(?! of|[a-z])/],
  ['with more', MORE],
  ['refill', /补充[袋装]|替换装|refill/],
]

/** `text` is without its sizes, so that 500ml is no count. */
export function packIn(text: string): Pack {
  const bundles = new Set(BUNDLES.flatMap(([name, cue]) => cue.test(text) ? [name] : []))
  if (BUY_GET.test(text)) bundles.add('with more')
  let rest = text.replace(SALE, blank).replace(GIFT, blank)
  const counts: number[] = []
  const said = new Map<string, number>()
  let isUnclear = false
  const take = (pattern: RegExp): void => {
    rest = rest.replace(pattern, (found, ...groups: (string | undefined)[]) => {
      const written = groups.slice(0, 3).find((group) => group !== undefined
        && (/^\d+$/.test(group) || group in HAN_NUMBERS))
      const isPair = groups.slice(0, 3).includes('对')
      const number = written === undefined ? 1 : HAN_NUMBERS[written] ?? Number(written)
      const container = groups.find((group) => CONTAINER.test(group ?? ''))
      const before = container === undefined ? undefined : said.get(container)
      if (before !== undefined && before !== number) isUnclear = true
      if (container !== undefined) said.set(container, number)
      // 12双 … 12双装 says it twice.
      if (before !== number) counts.push(isPair && number === 1 ? 2 : number)
      return blank(found)
    })
  }
  take(SET_OF)
  take(PACK_OF)
  take(WORDS)
  const inside = new Map([...rest.matchAll(INSIDE)]
    .map(([, number, counter = '']) => [Number(number), counter]))
  rest = rest.replace(INSIDE, blank)
  const direct = counts.length
  take(TIMES)
  const multiplied = counts.splice(direct)
  take(COUNTED)
  const counted = counts.splice(direct)
  return {
    count: countOf(counts, multiplied, counted),
    pieces: inside.size === 1 ? [...inside.keys()][0] ?? null : null,
    counter: inside.size === 1 ? [...inside.values()][0] ?? null : null,
    isUnclear: isUnclear || inside.size > 1,
    bundles,
  }
}

const blank = (found: string): string => ' '.repeat(found.length)

/** 500ml*12瓶*2箱 is 24; 单瓶装 beside 6瓶 is what a box holds. */
function countOf(
  said: readonly number[], multiplied: readonly number[], counted: readonly number[],
): number | null {
  const product = (numbers: readonly number[]): number =>
    numbers.reduce((all, one) => all * one, 1)
  const numbers = [...said, ...multiplied]
  // The counter after a multiplication names the same number: *24瓶.
  const rest = counted.filter((number) => !numbers.includes(number))
  if (numbers.length + counted.length === 0) return null
  const whole = product(numbers) * (rest.length > 0 && rest[0] !== undefined
    ? numbers.length === 0 || multiplied.length > 0 || product(numbers) === 1
      ? product(rest.slice(0, 2)) : 1 : 1)
  return Math.min(whole, 100_000)
}
