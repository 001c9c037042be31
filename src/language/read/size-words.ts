/** 小电饭煲, "a large suitcase": a third of the sizes in which such goods are made. */
import { COOKING, FOOD } from '../../goods/categories.ts'
import { categoryOf } from '../../goods/taxonomy.ts'
import { attributeNamed, type AttributeValues, numbersIn, profileOf } from '../profile.ts'
import type { Guess, Measure } from '../understanding.ts'
import { overlaps, type Place } from './claims.ts'
import type { Draft } from './draft.ts'

const SMALL = new RegExp('^(?:[要来买换]一?[个款台只件]?)?(?:小(?:一?点|些|号|型|巧)?|迷你|mini'
  + '|small(?:er|est)?|little|tiny|compact)的?$')
const LARGE = new RegExp('^(?:[要来买换]一?[个款台只件]?)?(?:大(?:一?点|些|号|型|容量)?'
  + '|large(?:r|st)?|big(?:ger|gest)?|huge)的?$')
/** What tells how large goods are, the surest first, and in which units it is read. */
const SIZES: readonly (readonly [name: RegExp, units: readonly string[]])[] = [
  [/容量|容积/, ['ml']], [/尺寸|口径|直径|长度|规格/, ['mm', 'inch']], [/人数|人/, ['person']],
]
const SIZES_MIN = 3
const THIRD = 1 / 3
export const HALF = 1 / 2
/** 别太大: the smaller half. */
const NOT_TOO = new RegExp('^(?:太|过于?|特别|too )'
  + '(?:(大|big|large|huge|高|high|tall|长|long|厚|thick|重|heavy)'
  + '|(小|small|little|tiny|矮|低|low|短|short|薄|thin|轻|light))[了的]?$')
/** What tells how high or long goods are. */
const DIMENSIONS: readonly (readonly [said: RegExp, name: RegExp])[] = [
  [/高|矮|低|high|tall|low/, /高/], [/长|短|long|short/, /长/], [/厚|薄|thick|thin/, /厚/],
  [/重|轻|heavy|light/, /重/],
]

/** Adds what a word for large or small means of the goods, where nothing else has read it. */
export function readSizeWords(draft: Draft, kinds: readonly Guess<string>[]): void {
  const kind = kinds[0]?.value
  if (kind === undefined || FOOD.has(categoryOf(kind))) return
  readCabin(draft, kind)
  readMuchOf(draft, kind)
  readTooMuch(draft, kind)
  readEaters(draft, kind)
  const said = (place: Place): string => draft.text.slice(place.start, place.end).trim()
  const isSize = (place: Place): boolean => SMALL.test(said(place)) || LARGE.test(said(place))
  const word = draft.keywords.find((one) => one.role === 'word' && isSize(one))
  const wish = draft.must.find((one) => !one.measure && !one.values && isSize(one))
  const place = word ?? wish
  const measure = place && sizeOf(kind, SMALL.test(said(place)), THIRD)
  if (!place || !measure) return
  const { start, end } = place
  if (word) draft.keywords.splice(draft.keywords.indexOf(word), 1)
  if (wish) draft.must.splice(draft.must.indexOf(wish), 1)
  draft.must.push({ start, end, places: [{ start, end }], measure })
}

/** 能登机的: what airlines take aboard. */
const CABIN = new RegExp('(?<!不)(?:能|可|要|可以)?[带拿]?(?:登机|上飞机)(?:的?箱|能带|可带)?'
  + '|(?<![a-z])(?:carry[- ]?on|cabin(?: size)?)(?![a-z])')
const CABIN_KIND = 'rolling_suitcase'
const CABIN_INCHES = 20

function readCabin({ text, must, prefer, keywords }: Draft, kind: string): void {
  const isSized = must.some(({ measure }) => measure?.unit === 'inch')
  const found = kind === CABIN_KIND && !isSized ? CABIN.exec(text) : null
  if (!found) return
  const place = { start: found.index, end: found.index + found[0].length }
  for (const list of [must, prefer]) {
    list.splice(0, list.length, ...list.filter((one) => !overlaps(one, place)))
  }
  keywords.splice(0, keywords.length, ...keywords.filter((one) =>
    one.role !== 'word' || !overlaps(one, place)))
  must.push({ ...place, places: [place],
    measure: { low: null, high: CABIN_INCHES, unit: 'inch' } })
}

function readTooMuch({ text, must, mustNot }: Draft, kind: string): void {
  for (const wish of mustNot.splice(0)) {
    const [place] = wish.places
    const [, large, small] = NOT_TOO.exec(text.slice(place?.start, place?.end).trim()) ?? []
    const [, name] = DIMENSIONS.find(([said]) => said.test(large ?? small ?? '')) ?? []
    const measure = place && (large ?? small) !== undefined
      ? sizeOf(kind, large !== undefined, HALF, name && [[name, ['mm', 'g']]]) : undefined
    if (measure) must.push({ ...wish, measure })
    else mustNot.push(wish)
  }
}

const MUCH_OF = /^(?:要|来|有)?(?:([大高强长足])|[低小短])(\p{Script=Han}{2,3})的?$/u
/** 功率大一点, 屏幕大的: what is said of it stands behind. */
const OF_MUCH = /^(\p{Script=Han}{2,3}?)要?(?:([大高强长足久])|[低小短])$/u
/** 厚 of 厚一点. */
const DIMENSION = /^(?:([厚高宽粗重])|[薄矮窄细轻])$/
const MORE_BEHIND = /^(?:一?点儿?|一?些)(?:的|$|[ ,;。!?])/

interface Much { readonly of: string, readonly much: boolean, readonly share: number }

function muchIn(said: string, behind: string): Much | undefined {
  const [isBefore, much, of = ''] = MUCH_OF.exec(said) ?? []
  if (isBefore !== undefined) return { of, much: much !== undefined, share: THIRD }
  const [isBehind, what = '', more] = OF_MUCH.exec(said) ?? []
  if (isBehind !== undefined) return { of: what, much: more !== undefined, share: HALF }
  const [isAlone, large] = MORE_BEHIND.test(behind) ? DIMENSION.exec(said) ?? [] : []
  return isAlone === undefined ? undefined
    : { of: said.replace('薄', '厚').replace('矮', '高').replace('窄', '宽').replace('细', '粗')
      .replace('轻', '重'), much: large !== undefined, share: HALF }
}

/** 大功率, 长续航: the upper third of what such goods have of it. */
function readMuchOf({ text, must, keywords }: Draft, kind: string): void {
  const open = [...keywords.filter(({ role }) => role === 'word'),
    ...must.filter(({ measure, values }) => !measure && !values)]
  for (const { start, end } of open) {
    const { much, of, share } = muchIn(text.slice(start, end).trim(), text.slice(end)) ?? {}
    const named = of === undefined ? undefined : attributeNamed([kind], of)
    const unit = named?.values[0]?.unit
    const measure = named && unit && shareOf(named.values, unit, !much, share ?? THIRD)
    if (!measure) continue
    for (const list of [must, keywords]) {
      const at = list.findIndex((one) => one.start === start && one.end === end)
      if (at >= 0) list.splice(at, 1)
    }
    must.push({ start, end, places: [{ start, end }], measure })
  }
}

const EATERS = new RegExp('一家([二两三四五六七八])口|([三四五六])口之家'
  + '|([二两三四五六])个?人(?:一起)?(?:用|吃|够吃?)|(两)(?:口子|人世界)|夫妻(两)|(?<![a-z])for (two)(?![a-z])'
  + '|(?<![a-z])family of (three|four|five|six|[3-8])(?![a-z0-9])|(?<one>一个人|一人(?!份)|自己(?:吃|住)|独居'
  + '|单身|(?<![a-z])(?:for one|just me|for myself|liv(?:e|ing) alone)(?![a-z]))')
const COUNTS = '零一二三四五六七八'
const ENGLISH = ['', '', 'two', 'three', 'four', 'five', 'six']
/** By how many eat, the share of the sizes that do: of one and two the least, else the largest. */
const SHARES = [0, 1 / 4, HALF, 0.65, 0.45, 0.2]
const FEW = 2

/** 一家五口用的电饭煲: goods that cook tell how much they hold, and not for how many. */
function readEaters({ text, must, prefer, keywords }: Draft, kind: string): void {
  const { attributes } = profileOf(kind)
  const isStated = attributes.some(({ values }) => values.some(({ unit }) => unit === 'person'))
  if (isStated || !COOKING.has(categoryOf(kind))) return
  const found = EATERS.exec(text)
  const said = found?.slice(1).find((one) => one !== undefined) ?? ''
  const isOne = found?.groups?.['one'] !== undefined
  const family = isOne ? 1 : found ? Math.max(COUNTS.indexOf(said.replace('两', '二')),
    ENGLISH.indexOf(said), Number(said) || 0) : 0
  const wish = must.find((one) => one.measure?.unit === 'person'
    || (found && one.measure?.unit === '口' && one.start <= found.index + found[0].length
      && one.end >= found.index))
  const count = family || (wish?.measure?.low ?? 0)
  if (count === 0) return
  const measure = sizeOf(kind, count <= FEW, SHARES[Math.min(count, SHARES.length - 1)] ?? HALF)
  if (!measure) return
  if (wish) must.splice(must.indexOf(wish), 1, { ...wish, measure })
  else if (found) {
    const place = { start: found.index, end: found.index + found[0].length }
    if (must.some((one) => overlaps(one, place))) return
    prefer.splice(0, prefer.length, ...prefer.filter((one) => !overlaps(one, place)))
    keywords.splice(0, keywords.length, ...keywords.filter((one) => !overlaps(one, place)))
    must.push({ ...place, places: [place], measure })
  }
}

/** `share`: of the sizes in which such goods are made. */
export function sizeOf(
  kind: string, isSmall: boolean, share: number, sizes = SIZES,
): Measure | undefined {
  for (const [name, units] of sizes) {
    for (const { names, values } of profileOf(kind).attributes) {
      const [unit] = units.filter((one) => values.some((value) => value.unit === one))
      if (unit === undefined || !name.test(names[0] ?? '')) continue
      const measure = shareOf(values, unit, isSmall, share)
      if (measure) return measure
    }
  }
  return undefined
}

/** The lower or upper share of the numbers that goods state in the unit. */
function shareOf(
  values: AttributeValues['values'], unit: string, isLower: boolean, share: number,
): Measure | undefined {
  const known = numbersIn(values, unit)
  if (known.length < SIZES_MIN) return undefined
  const last = known.length - 1
  return isLower ? { low: null, high: known[Math.floor(last * share)] ?? null, unit }
    : { low: known[Math.ceil(last * (1 - share))] ?? null, high: null, unit }
}
