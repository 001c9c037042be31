/** What food is made of, where the name of other goods tells it: dumplings with shrimp. */
import { FOOD, PETS } from '../../goods/categories.ts'
import { taxonomy, valuesOf } from '../../goods/taxonomy.ts'
import { fold } from '../fold.ts'
import { getLexicon, NAMED } from '../lexicon.ts'
import type { Guess, Value } from '../understanding.ts'
import { overlaps } from './claims.ts'
import type { Draft } from './draft.ts'
import type { Name } from './names.ts'

/** What animals eat is food as well. */
const MADE_OF = new Set([...FOOD, PETS])
const LATIN = /^[a-z ]+$/
const HAN_WORD = /^\p{Script=Han}{1,3}$/u

/** Wishes for what is named beside the goods, in the order of the text; takes their words. */
export function readIngredients(draft: Draft, kinds: readonly Guess<string>[]): void {
  const kind = taxonomy().kinds.get(kinds[0]?.value ?? '')
  const names = draft.modifiers.filter(({ key }) => LATIN.test(key))
  if (!kind || names.length === 0 || !MADE_OF.has(kind.category_id)) return
  const values = kind.attributes.flatMap((attribute): Value[] => valuesOf(attribute)
    .map((value) => ({ text: fold(String(value)), attribute: attribute.name_zh })))
  for (const name of names) {
    if (draft.must.some((wish) => overlaps(wish, name))) continue
    const called = wordsFor(name)
    const meant = values.filter(({ text }) => called.some((word) => text.includes(word)))
    if (meant.length === 0 || meant.length === values.length) continue
    const { start, end } = name
    draft.must.push({ start, end, places: [{ start, end }], values: new Map([[kind.kind, meant]]) })
    const words = draft.keywords.splice(0)
    draft.keywords.push(...words.filter((word) => !overlaps(word, name)))
  }
}

/** What the goods are called in values: 虾, as 虾 is the noun of 白虾. */
function wordsFor({ senses }: Name): string[] {
  return senses.filter(({ weight }) => weight >= NAMED).flatMap(({ kind }) => {
    const { name_zh = '', aliases = [] } = taxonomy().kinds.get(kind) ?? {}
    const noun = name_zh.slice(-1)
    return [name_zh, ...aliases, ...getLexicon().senses.has(noun) ? [noun] : []]
      .map(fold).filter((word) => HAN_WORD.test(word))
  })
}
