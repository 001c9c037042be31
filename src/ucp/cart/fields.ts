/** Inputs and outline of the cart's operations. */
import { type Static, Type } from 'typebox'
import { Optional } from '../../contract/fields.ts'
import { CheckoutOutput, LineItems, UcpBuyer } from '../checkout/fields.ts'

export const CartInput = Type.Object({
  line_items: LineItems,
  buyer: Optional(UcpBuyer),
})
export type CartInput = Static<typeof CartInput>

const { status: _, ...shared } = CheckoutOutput.properties
export const CartOutput = Type.Object(shared)
