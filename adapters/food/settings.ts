/** What an operator configures for the food-coupon platform. */
import { Type, type Static } from 'typebox'

export const Settings = Type.Object({
  baseUrl: Type.String({ pattern: '^https?://' }),
  appKey: Type.String({ minLength: 1 }),
  appSecret: Type.String({ minLength: 1 }),
  /** The activity whose coupon is converted when nothing is named. */
  actId: Type.String({ pattern: '^[0-9]{1,20}$' }),
  /** Links on these hosts, and hosts below them, belong to the platform. */
  hosts: Type.Array(Type.String({ pattern: '^[a-z0-9.-]+$' }), { minItems: 1 }),
  /** 1: delivery, as without it; 2: meals in the house. */
  platform: Type.Optional(Type.Unsafe<1 | 2>({ enum: [1, 2], default: 1 })),
  bizLine: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Where the coupons that are searched have to be good, by city or by place in degrees. */
  cityId: Type.Optional(Type.Integer({ minimum: 1 })),
  latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  /** The page of an item, with {id}; the platform names none. */
  itemUrl: Type.Optional(Type.String({ pattern: '^https://[^{}]+\\{id\\}[^{}]*$' })),
  /** The mini-program in which paths are opened that come without one. */
  miniProgramId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  orderPageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
}, { additionalProperties: false })

export type Settings = Static<typeof Settings>
