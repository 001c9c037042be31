/** What refusals say of the kinds that are meant: 口红不要哑光的, and 雨伞 but none that folds. */
import { taxonomy } from '../goods/taxonomy.ts'
import { fold } from './fold.ts'
import type { Draft } from './read/draft.ts'
import type { Understanding } from './understanding.ts'
import { namesValue } from './values.ts'

type Kinds = Understanding['kinds']

/** Who wants no matt 口红, by its own name, wants one that is not. */
export const refusesValue = ({ text, heads, mustNot }: Draft, [first]: Kinds): boolean => {
  const name = taxonomy().kinds.get(first?.value ?? '')?.name_zh
  return first !== undefined && heads.some(({ key }) => key === name)
    && mustNot.some(({ places }) => places.some(({ start, end }) =>
      namesValue(first.value, text.slice(start, end).trim())))
}

/** 雨伞, 别给我折叠的: a kind that is called by the name and what is refused of it. */
export function withoutRefusedKinds({ text, heads, mustNot }: Draft, kinds: Kinds): Kinds {
  const refused = mustNot.flatMap(({ places }) => places).map(({ start, end }) =>
    text.slice(start, end).replace(/(?:[的款]+| (?:ones?|kinds?|types?|styles?))$/, '').trim())
    .filter(({ length }) => length > 1)
  if (refused.length === 0 || kinds.length < 2) return kinds
  const isRefused = ({ value }: Kinds[number]): boolean => {
    const { name_zh = '', name_en = '' } = taxonomy().kinds.get(value) ?? {}
    return [name_zh, name_en].map(fold).some((name) => refused.some((word) =>
      name.startsWith(/^[a-z]/.test(word) ? `${word} ` : word) && !namesValue(value, word)
        && heads.some(({ key }) => name.slice(word.length).endsWith(key.replace(/s$/, '')))))
  }
  const left = kinds.filter((kind) => !isRefused(kind))
  return left.length > 0 ? left : kinds
}
