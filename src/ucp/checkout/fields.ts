/** Inputs of the checkout's operations. What the server computes is taken and not read: platforms
 * send back the whole of what they were answered. */
import { type Static, Type } from 'typebox'
import { Optional } from '../../contract/fields.ts'
import { CatalogId } from '../catalog/fields.ts'

export const LINES_MAX = 20

const Text = (maxLength: number) => Type.String({ maxLength })
const Nullable = <T extends ReturnType<typeof Text>>(schema: T) =>
  Type.Union([schema, Type.Null()])

const LineItem = Type.Object({
  id: Optional(Text(64)),
  item: Type.Object({ id: CatalogId }),
  quantity: Type.Integer({ minimum: 1, maximum: 99 }),
})

export const UcpBuyer = Type.Object({
  first_name: Optional(Text(50)),
  last_name: Optional(Text(50)),
  email: Optional(Text(120)),
  phone_number: Optional(Text(20)),
})

const Destination = Type.Object({
  id: Optional(Text(64)),
  street_address: Optional(Text(200)),
  extended_address: Optional(Text(100)),
  address_locality: Optional(Text(30)),
  address_region: Optional(Text(30)),
  address_country: Optional(Text(60)),
  postal_code: Optional(Text(20)),
  first_name: Optional(Text(50)),
  last_name: Optional(Text(50)),
  phone_number: Optional(Text(20)),
})

const Method = Type.Object({
  id: Optional(Text(64)),
  type: Optional(Text(20)),
  destinations: Optional(Type.Array(Destination, { maxItems: 10 })),
  selected_destination_id: Optional(Nullable(Text(64))),
  groups: Optional(Type.Array(Type.Object({
    id: Optional(Text(64)), selected_option_id: Optional(Nullable(Text(64))),
  }), { maxItems: LINES_MAX })),
})

export const LineItems = Type.Array(LineItem, { minItems: 1, maxItems: LINES_MAX })

export const CheckoutInput = Type.Object({
  line_items: LineItems,
  buyer: Optional(UcpBuyer),
  fulfillment: Optional(Type.Object({
    methods: Optional(Type.Array(Method, {
      maxItems: 1, description: 'One method, shipping, to one destination',
    })),
  })),
})

export const CreateInput = Type.Object({
  ...CheckoutInput.properties,
  line_items: Type.Array(LineItem, { maxItems: LINES_MAX }),
  cart_id: Optional(Type.String({
    maxLength: 64, description: 'Its lines and its buyer are taken, whatever else is sent',
  })),
})

/** No credential is taken: people pay at the cashier. */
export const CompleteInput = Type.Object({})

export type CheckoutInput = Static<typeof CheckoutInput>
export type CreateInput = Static<typeof CreateInput>
export type Destination = Static<typeof Destination>
export type UcpBuyer = Static<typeof UcpBuyer>

export const CheckoutOutput = Type.Object({
  ucp: Type.Unknown(),
  id: Type.String(),
  status: Type.String(),
  line_items: Type.Array(Type.Object({
    id: Type.String(), item: Type.Unknown(), quantity: Type.Integer(), totals: Type.Unknown(),
  })),
  totals: Type.Array(Type.Object({ type: Type.String(), amount: Type.Integer() })),
  messages: Optional(Type.Array(Type.Unknown())),
  continue_url: Optional(Type.String()),
})
