/** What the owner of an agent lets it do: checked before an order is placed. */
import { Type, type Static } from 'typebox'
import { CategoryId, CLOSED, Fen, Optional } from './fields.ts'

const CATEGORIES = 24

/** Amounts are fen; days are UTC days. What is absent is not limited. */
export const OwnerLimits = Type.Object({
  order_amount_max: Optional(Fen('Most that one order may come to, in fen')),
  day_amount_max: Optional(Fen('Most that the orders of a UTC day may come to, in fen')),
  user_ref_day_amount_max: Optional(
    Fen('The same for each user_ref; orders without one count as one user\'s')),
  categories: Optional(Type.Array(CategoryId, {
    minItems: 1, maxItems: CATEGORIES, uniqueItems: true,
    description: 'Categories that may be ordered from',
  })),
  read_only: Optional(Type.Boolean({ description: 'Only operations that change nothing' })),
}, CLOSED)

export type OwnerLimits = Readonly<Static<typeof OwnerLimits>>
