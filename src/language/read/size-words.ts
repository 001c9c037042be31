/** 小电饭煲, "a large suitcase": a third of the sizes in which such goods are made. */
import { FOOD } from '../../goods/categories.ts'
import { categoryOf } from '../../goods/taxonomy.ts'
import { profileOf } from '../profile.ts'
import type { Guess, Measure } from '../understanding.ts'
import type { Place } from './claims.ts'
import type { Draft } from './draft.ts'

const SMALL = new RegExp('^(?:要|来|买)?(?:小(?:一?点|些|号|型|巧)?|迷你|mini'
  + '|small(?:er|est)?|little|tiny|compact)的?$')
const LARGE = new RegExp('^(?:要|来|买)?(?:大(?:一?点|些|号|型|容量)?'
  + '|large(?:r|st)?|big(?:ger|gest)?|huge)的?$')
/** What tells how large goods are, the surest first, and in which units it is read. */
const SIZES: readonly (readonly [name: RegExp, units: readonly string[]])[] = [
  [/容量|容积/, ['ml']], [/尺寸|口径|直径|长度|规格/, ['mm', 'inch']], [/人数|人/, ['person']],
]
const SIZES_MIN = 3
const THIRD = 1 / 3
const HALF = 1 / 2
/** 别太大: the smaller half. */
const NOT_TOO = /^(?:太|过于?|特别|too )(?:(大|big|large|huge)|(小|small|little|tiny))[了的]?$/

/** Adds what a word for large or small means of the goods, where nothing else has read it. */
export function readSizeWords(draft: Draft, kinds: readonly Guess<string>[]): void {
  const kind = kinds[0]?.value
  if (kind === undefined || FOOD.has(categoryOf(kind))) return
  readTooMuch(draft, kind)
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

function readTooMuch({ text, must, mustNot }: Draft, kind: string): void {
  for (const wish of mustNot.splice(0)) {
    const [place] = wish.places
    const [, large, small] = NOT_TOO.exec(text.slice(place?.start, place?.end).trim()) ?? []
    const measure = place && (large ?? small) !== undefined
      ? sizeOf(kind, large !== undefined, HALF) : undefined
    if (measure) must.push({ ...wish, measure })
    else mustNot.push(wish)
  }
}

/** `share`: of the sizes in which such goods are made. */
function sizeOf(kind: string, isSmall: boolean, share: number): Measure | undefined {
  for (const [name, units] of SIZES) {
    for (const { names, values } of profileOf(kind).attributes) {
      const [unit] = units.filter((one) => values.some((value) => value.unit === one))
      if (unit === undefined || !name.test(names[0] ?? '')) continue
      const sizes = [...new Set(values.filter((value) => value.unit === unit)
        .map(({ low }) => low))].sort((one, other) => one - other)
      if (sizes.length < SIZES_MIN) continue
      const last = sizes.length - 1
      return isSmall ? { low: null, high: sizes[Math.floor(last * share)] ?? null, unit }
        : { low: sizes[Math.ceil(last * (1 - share))] ?? null, high: null, unit }
    }
  }
  return undefined
}
