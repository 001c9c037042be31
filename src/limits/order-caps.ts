/** What keys of a tier may have open, and try in a day: rows of `config/tiers.json`. */
import { Type, type Static } from 'typebox'
import { CLOSED, Optional } from '../contract/fields.ts'

const Count = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })

/** Of one agent, account or client address. */
const Cap = Type.Object({
  /** Orders that wait for payment. */
  open: Count,
  /** Pieces in them. */
  units: Count,
  /** Orders that may be tried on a UTC day; a repeated key counts once. */
  per_day: Count,
}, CLOSED)

/** What is absent is not limited. */
export const OrderCaps = Type.Object({
  agent: Optional(Cap),
  account: Optional(Cap),
  address: Optional(Cap),
  /** Of a product's stock, in unpaid orders of all keys of such tiers together. */
  stock_percent: Optional(Type.Integer({ minimum: 1, maximum: 100 })),
}, CLOSED)

export type Cap = Readonly<Static<typeof Cap>>
export type OrderCaps = Readonly<Static<typeof OrderCaps>>
