/** Values of goods that somebody cannot choose between, and how many they want to see. */
import { haveUnit } from '../profile.ts'
import type { Understanding, Value, Values } from '../understanding.ts'
import type { Draft, DraftWish } from './draft.ts'

/** 尼龙和碳线咋选, "cotton or linen": nothing but what joins or compares stands between. */
const BETWEEN = new RegExp('^(?:的|款)?(?:好|贵|强|合适)? ?'
  + '(?:和|跟|与|同|还是|或者?|、|/|,|vs\\.?|versus|or|and|compared (?:to|with))? ?(?:用|买|选)?$')
const CHOICE = new RegExp('^(?:的|款|面料|材质)?[^;,.。!?]{0,4}?(?:咋|怎么|如何|该)?(?:选|挑|买)?'
  + '(?:哪[个种款]?|区别|差别|对比|二选一|纠结|咋选|怎么选|好|更)')
const EITHER_BETWEEN = /还是|或|vs|versus|(?<![a-z])or(?![a-z])/

/** Values of one attribute that are compared are one wish, which either of them fulfils. */
export function joinedChoices(text: string, wishes: readonly DraftWish[]): DraftWish[] {
  const found: DraftWish[] = []
  for (const wish of wishes) {
    const last = found.at(-1)
    const between = last ? text.slice(last.end, wish.start).trim() : ''
    const isChoice = last?.values && wish.values && !last.measure && !wish.measure
      && BETWEEN.test(between) && between !== ''
      && (EITHER_BETWEEN.test(between) || isCompared(text, wish))
      && areOfOne(last.values, wish.values)
    if (last?.values && wish.values && isChoice) {
      found[found.length - 1] = { ...last, end: wish.end, places: [...last.places, ...wish.places],
        values: eitherOf(last.values, wish.values),
        ...isCompared(text, wish) && { isStrict: true } }
    } else found.push(wish)
  }
  return found
}

const isCompared = (text: string, { end }: DraftWish): boolean => CHOICE.test(text.slice(end))

const areOfOne = (one: Values, other: Values): boolean => [...one].some(([kind, values]) =>
  values.some(({ attribute }) => attribute !== null
    && other.get(kind)?.some((value) => value.attribute === attribute)))

const eitherOf = (one: Values, other: Values): Values =>
  new Map([...new Set([...one.keys(), ...other.keys()])].map((kind): [string, Value[]] =>
    [kind, [...new Set([...one.get(kind) ?? [], ...other.get(kind) ?? []])]]))

const CHOICES_MAX = 10

/** 推荐三款: how many are shown, where such goods do not come in so many. */
export function dropChoices({ must, ignored }: Draft, kinds: Understanding['kinds']): void {
  for (const wish of must.splice(0)) {
    const { unit, high } = wish.measure ?? {}
    const isChoice = unit === '款' && (high ?? 0) <= CHOICES_MAX
      && !haveUnit(kinds.map(({ value }) => value), '款')
    if (isChoice) ignored.push({ start: wish.start, end: wish.end, why: 'filler' })
    else must.push(wish)
  }
}
