/** Money and numbers as reasons write them, and what a wish is called. */
import type { Say } from '../../language/say.ts'
import type { Wish } from '../../language/understanding.ts'

/** 1234567 → 1,234,567. */
export const grouped = (value: number): string =>
  String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',')

const WISH_LENGTH_MAX = 30

/** In the words of the sentence; product text never gets here. */
export const wishName = ({ anyOf }: Wish): string => anyOf.join('/').slice(0, WISH_LENGTH_MAX)

export const plural = (count: number, one: string): string =>
  `${grouped(count)} ${one}${count === 1 ? '' : 's'}`

const CONDITIONS: Readonly<Record<string, readonly [zh: string, en: string]>> = {
  member: ['会员', 'member'], first_order: ['首单', 'first order'], group: ['拼团', 'group'],
  deposit: ['预付定金', 'deposit'], region: ['限地区', 'region'],
}

export const conditionName = (condition: string, say: Say): string =>
  say(...CONDITIONS[condition] ?? [condition, condition])

const UNITS: Readonly<Record<string, readonly [zh: string, en: string]>> = {
  piece: ['件', 'a piece'], '100ml': ['100ml', '100ml'], '100g': ['100g', '100g'],
  '100 sheets': ['百抽', '100 sheets'], '100 pieces': ['百件', '100 pieces'],
  tablet: ['片', 'a tablet'], litre: ['升', 'a litre'],
}

export const perName = (per: string, say: Say): string => say(...UNITS[per] ?? [per, per])
