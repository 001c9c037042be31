/** Goods that are refused beside those that are wanted. */
import { taxonomy } from '../../goods/taxonomy.ts'
import { fold } from '../fold.ts'
import type { Understanding } from '../understanding.ts'
import type { Draft } from './draft.ts'
import { isWholeName } from './names.ts'

/** 眼镜盒一个，眼镜别推荐了: the goods that are not wanted name a part of those that are. */
export function dropOtherGoods(
  { text, heads, mustNot, ignored }: Draft, kinds: Understanding['kinds'],
): void {
  const kind = taxonomy().kinds.get(kinds[0]?.value ?? '')
  const names = kind ? [kind.name_zh, kind.name_en, ...kind.aliases].map(fold) : []
  for (const wish of mustNot.splice(0)) {
    const word = wish.places.length === 1
      ? text.slice(wish.places[0]?.start, wish.places[0]?.end) : ''
    // 手机支架，不要手机 refuses no stand for phones; 不要手机的 would.
    const isPart = isWholeName(word) && (wish.values
      ? text.charAt(wish.end) !== '的'
        && heads.some(({ key }) => key !== word && key.startsWith(word))
      : names.some((name) => name !== word && name.includes(word)))
    if (isPart) ignored.push({ start: wish.start, end: wish.end, why: 'filler' })
    else mustNot.push(wish)
  }
}
