/** Money and numbers as reasons write them, and what a wish is called. */
import type { Wish } from '../../language/understanding.ts'

/** 1234567 → 1,234,567. */
export const grouped = (value: number): string =>
  String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',')

const WISH_LENGTH_MAX = 30

/** In the words of the sentence; product text never gets here. */
export const wishName = ({ anyOf }: Wish): string => anyOf.join('/').slice(0, WISH_LENGTH_MAX)

export const plural = (count: number, one: string): string =>
  `${grouped(count)} ${one}${count === 1 ? '' : 's'}`
