/** For whom goods are made, against whom they are bought for. */
import { PETS } from '../goods/categories.ts'
import { categoryOf, taxonomy, valuesOf, type Audience } from '../goods/taxonomy.ts'
import { areForOthers, audiencesIn, SPECIAL_AUDIENCES, suits } from './audience.ts'
import type { Facts } from './facts.ts'
import { fold } from './fold.ts'
import { haveUnit } from './profile.ts'
import { remembered } from './recent.ts'
import type { Slot } from './slot.ts'
import type { Understanding } from './understanding.ts'

export function audienceSlot(word: string, name: string, kinds: ReadonlySet<string>): Slot {
  const wanted = audiencesIn(word).map(({ audience }) => audience)
  // 长辈模式 of a television is a detail: no television is made for others.
  const kindOfSlot = [...kinds].some(areMadeForSome) ? 'audience' : 'detail'
  return { kind: kindOfSlot, name, state: (facts, kind) => {
    const made = madeFor(facts, kind)
    if (made.length === 0) return 'unknown'
    // 情侣 are two, and 男款 is for one of them.
    if (isPair(wanted)) return isPair(made) ? 'met' : 'against'
    const isMade = made.some((one) => wanted.some((other) => suits(one, other)))
    return isMade && !areForOthers(made, wanted) ? 'met' : 'against'
  } }
}

const BABY = /^(?:婴儿|婴幼儿|新生儿|新生宝宝|初生儿|infants?|newborns?|bab(?:y|ies))$/
/** Months: until when one is a baby, and when most is bought for one. */
const BABY_AGE = { most: 36, first: 12 } as const

const CHILD = /^(?:宝宝|小宝宝|bb)$/

/** 3-12岁 is for no baby, and what is for 6个月以上 comes before what is for 1-3岁. */
export function babySlots(name: string, kinds: ReadonlySet<string>): Slot[] {
  const [word = ''] = name.split('/')
  const isBaby = BABY.test(word)
  if (!(isBaby || CHILD.test(word)) || !haveUnit([...kinds], 'month')) return []
  const isFrom = (facts: Facts, most: number): boolean => !facts.values.has('month')
    || (facts.values.get('month') ?? []).some(({ low }) => low < most)
  const first = isBaby ? BABY_AGE.first : BABY_AGE.most
  return [
    ...isBaby ? [{ kind: 'age', name, state: (facts: Facts) => !facts.values.has('month')
      ? 'unknown' : isFrom(facts, BABY_AGE.most) ? 'met' : 'against' } as const] : [],
    { kind: 'word', name, isSoft: true,
      state: (facts) => isFrom(facts, first) ? 'met' : 'unknown' },
  ]
}

const NAMED_FOR = /^(?:婴幼儿|婴儿|新生儿|宝宝)(?=.)/

/** 婴儿面霜 is another name for goods some of which are for older children. */
export const babiesNamed = (
  keywords: Understanding['keywords'], kinds: ReadonlySet<string>,
): string[] => keywords.filter(({ role, isHead, folded }) => role === 'kind' && isHead
  && ![...kinds].some((kind) => fold(taxonomy().kinds.get(kind)?.name_zh ?? '') === folded))
  .flatMap(({ folded }) => NAMED_FOR.exec(folded)?.[0] ?? [])

/** Whose values were read. */
const KINDS_MAX = 400

/** Whether goods of the kind tell by a value for whom they are. */
const areMadeForSome = remembered(KINDS_MAX, (kind: string): boolean => {
  const { audience, attributes = [] } = taxonomy().kinds.get(kind) ?? {}
  return audience !== undefined || attributes.some((attribute) =>
    valuesOf(attribute).some((value) => audiencesIn(String(value)).length > 0))
})

export const isPair = (audiences: readonly Audience[]): boolean =>
  audiences.includes('men') && audiences.includes('women')

const GENDERED: ReadonlySet<Audience> = new Set(['boys', 'girls', 'men', 'women'])

export const recipientSlot = (wanted: readonly Audience[]): Slot => ({
  kind: 'audience', name: wanted.join('/'),
  state: (facts, kind) => {
    // 男童 of children's sandals tells more than that they are children's.
    const made = facts.audiences.some((one) => GENDERED.has(one)) ? facts.audiences
      : madeFor(facts, kind)
    return made.length > 0 && areForOthers(made, wanted) ? 'against' : 'met'
  },
})

/** Shelves on which most goods are for children, or for animals. */
const OWN_SHELVES: ReadonlySet<number> = new Set([18, 19, 20, PETS])

/** A 儿童 umbrella, where goods of the kind are for anybody and nobody told of a child. */
export const isForUnsaid = (
  { audiences }: Facts, kind: string | undefined, said: readonly Audience[],
): boolean => audiences.length > 0 && kind !== undefined
  && taxonomy().kinds.get(kind)?.audience === undefined && !OWN_SHELVES.has(categoryOf(kind))
  && audiences.every((made) => SPECIAL_AUDIENCES.has(made)
    && !said.some((one) => suits(made, one) || suits(one, made)))

export function madeFor(facts: Facts, kind: string | undefined): readonly Audience[] {
  const own = kind === undefined ? undefined : taxonomy().kinds.get(kind)?.audience
  return own === undefined ? facts.audiences : [...facts.audiences, own]
}
