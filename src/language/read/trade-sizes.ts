/** Sizes as a trade counts them: 60支 of a sheet, and "size 8" of shoes for women. */
import { categoryOf } from '../../goods/taxonomy.ts'
import { haveUnit } from '../profile.ts'
import type { Guess } from '../understanding.ts'
import { byStart, type Draft } from './draft.ts'

export function readTradeSizes(draft: Draft, kinds: readonly Guess<string>[]): void {
  const kind = kinds[0]?.value ?? ''
  if (CLOTH.has(categoryOf(kind))) readYarnCounts(draft)
  if (haveUnit([kind], 'shoe') && !CHILDREN.test(draft.text)) readAmerican(draft)
}

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
const MORE = { women: 30.5, men: 33 } as const
/** From here on European sizes are half a size larger. */
const LARGE = 11
const WOMEN = /女|(?<![a-z])(?:wom[ae]n|ladies|lady|female|wife|mom|mum|mother|her)(?![a-z])/
const CHILDREN = new RegExp('童|宝'
  + '|(?<![a-z])(?:kids?|child(?:ren)?|toddlers?|bab(?:y|ies)|boys?|girls?)(?![a-z])')

/** Goods state European sizes. */
function readAmerican({ text, must }: Draft): void {
  must.splice(0, must.length, ...must.map((wish) => {
    const { low, high, unit } = wish.measure ?? {}
    if (unit !== 'shoe' || low == null || low !== high || low < AMERICAN.least
      || low > AMERICAN.most) return wish
    const size = low + (WOMEN.test(text) ? MORE.women : MORE.men) + (low >= LARGE ? 0.5 : 0)
    return { ...wish, measure: { low: Math.floor(size), high: Math.ceil(size), unit } }
  }))
}
