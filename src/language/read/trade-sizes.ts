/** Sizes as a trade counts them: 60支 of a sheet, and "size 8" of shoes for women. */
import { categoryOf, taxonomy } from '../../goods/taxonomy.ts'
import { haveUnit } from '../profile.ts'
import type { Guess } from '../understanding.ts'
import { byStart, type Draft } from './draft.ts'

export function readTradeSizes(draft: Draft, kinds: readonly Guess<string>[]): void {
  const kind = kinds[0]?.value ?? ''
  if (CLOTH.has(categoryOf(kind))) readYarnCounts(draft)
  const { name_zh = '', audience = '' } = taxonomy().kinds.get(kind) ?? {}
  const isShoe = SHOE.test(name_zh) && !SMALL.has(audience) && haveUnit([kind], 'shoe')
  if (isShoe && !CHILDREN.test(draft.text)) readShoeSizes(draft)
}

const SMALL: ReadonlySet<string> = new Set(['kids', 'baby', 'boys', 'girls'])
const SHOE = /[鞋靴]|拖$/

/** Home textiles, and clothes. */
const CLOTH: ReadonlySet<number> = new Set([7, 9])
const COUNT_MIN = 20
const COUNTER = '支'

/** How fine the yarn of cloth is, and not how many are bought. */
function readYarnCounts(draft: Draft): void {
  for (const one of draft.quantities.splice(0)) {
    const { start, end, count, unit } = one
    if (unit !== COUNTER || count < COUNT_MIN) draft.quantities.push(one)
    else draft.must.push({ start, end, places: [], words: [`${String(count)}${COUNTER}`] })
  }
  draft.must.sort(byStart)
}

/** Of grown people; those of children begin anew. */
const AMERICAN = { least: 4, most: 15 } as const
const MORE = { women: 30.5, men: 33, britishWomen: 33, britishMen: 34 } as const
const BRITISH = /(?<![a-z])uk(?![a-z])/
/** From here on European sizes are half a size larger. */
const LARGE = 11
const WOMEN = /女|(?<![a-z])(?:wom[ae]n|ladies|lady|female|wife|mom|mum|mother|her)(?![a-z])/
const CHILDREN = new RegExp('童|宝'
  + '|(?<![a-z])(?:kids?|child(?:ren)?|toddlers?|bab(?:y|ies)|boys?|girls?)(?![a-z])')

/** 大码 of shoes begins behind the sizes that all shops have. */
const LEAST_LARGE = { women: 41, men: 45 } as const
const LETTER_LARGE = 5

/** Goods state European sizes. */
function readShoeSizes({ text, must }: Draft): void {
  must.splice(0, must.length, ...must.map((wish) => {
    const { low, high, unit } = wish.measure ?? {}
    const isForWomen = WOMEN.test(text)
    if (unit === 'letter' && high === null && low != null && low >= LETTER_LARGE) {
      return { ...wish, measure: { low: isForWomen ? LEAST_LARGE.women : LEAST_LARGE.men, high,
        unit: 'shoe' } }
    }
    if (unit !== 'shoe' || low == null || low !== high || low < AMERICAN.least
      || low > AMERICAN.most) return wish
    const more = BRITISH.test(text) ? isForWomen ? MORE.britishWomen : MORE.britishMen
      : isForWomen ? MORE.women : MORE.men
    const size = low + more + (low >= LARGE ? 0.5 : 0)
    return { ...wish, measure: { low: Math.floor(size), high: Math.ceil(size), unit } }
  }))
}
