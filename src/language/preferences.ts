/** What is liked and not demanded: it orders goods that fulfil as much. */
import { stateOf } from './constraints.ts'
import { says } from './contains-word.ts'
import type { Facts } from './facts.ts'
import { profileOf } from './profile.ts'
import type { Keyword, Wish } from './understanding.ts'

/** What is stated weighs more than sales and ratings do, and what prose says less. */
const PREFERRED = { said: 0.2, stated: 0.4, most: 3 } as const

/** 冬季电动车 is stated of gloves for 冬天. */
const isStated = ({ anyOf }: Wish, { stated }: Facts): boolean => anyOf.some((word) =>
  says(stated, word) || says(stated, word.replace(/^([春夏秋冬])天$/, '$1季')))

export function preferredPoints(wishes: readonly Wish[], facts: Facts): number {
  const points = wishes.map((wish): number => isStated(wish, facts) ? PREFERRED.stated
    : stateOf(wish, facts) === 'met' ? PREFERRED.said : 0)
  return points.sort((one, other) => other - one).slice(0, PREFERRED.most)
    .reduce((sum, one) => sum + one, 0)
}

/** 运动 of 运动袜, which socks are for, though all of them are called so. */
export const scenesNamed = (
  { start, end, text, role, isHead, folded }: Keyword,
  kinds: ReadonlySet<string>,
): Wish[] => role !== 'kind' || !isHead ? [] : [...new Set([...kinds].flatMap((kind) =>
  profileOf(kind).scenes.split('|').filter((scene) => scene.length > 1 && folded.includes(scene))))]
  .map((scene) => ({ start, end, text, anyOf: [scene] }))
