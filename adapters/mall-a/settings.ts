/** What an operator configures for mall A. */
import { Type, type Static } from 'typebox'

const NumericId = Type.String({ pattern: '^[1-9][0-9]{0,19}$' })

export const Settings = Type.Object({
  baseUrl: Type.String({ pattern: '^https?://' }),
  appKey: Type.String({ minLength: 1 }),
  appSecret: Type.String({ minLength: 1 }),
  signMethod: Type.Optional(Type.Unsafe<'md5' | 'hmac' | 'hmac-sha256'>({
    type: 'string', enum: ['md5', 'hmac', 'hmac-sha256'],
  })),
  /** The neutral promotion position: the last number of the pid. */
  adzoneId: NumericId,
  /** What the ids of the pool are: positions, registered channels or registered members. */
  poolKind: Type.Optional(Type.Unsafe<'adzone' | 'relation' | 'special'>({
    type: 'string', enum: ['adzone', 'relation', 'special'], default: 'adzone',
  })),
  /** Issued by the mall, one for each agent; without them no purchase can be attributed. */
  poolIds: Type.Optional(Type.Array(NumericId, { uniqueItems: true, maxItems: 100_000 })),
  /** Which family of methods was granted; the older one prices before coupons are applied. */
  generation: Type.Optional(Type.Unsafe<'upgrade' | 'legacy'>({
    type: 'string', enum: ['upgrade', 'legacy'], default: 'upgrade',
  })),
  /** 1: ids that change their tail; 2: price comparison, for which the mall grants a permission. */
  sceneId: Type.Optional(Type.Unsafe<1 | 2>({ enum: [1, 2], default: 1 })),
  /** Plain lists without a root, as the gateway makes them on request; both are understood. */
  answers: Type.Optional(Type.Unsafe<'wrapped' | 'simplified'>({
    type: 'string', enum: ['wrapped', 'simplified'], default: 'wrapped',
  })),
  /** Links on these hosts, and hosts below them, belong to the mall. */
  hosts: Type.Array(Type.String({ pattern: '^[a-z0-9.-]+$' }), { minItems: 1 }),
  /** Plain links to items, with {id}: those of the answers are tracked. */
  itemUrl: Type.Optional(Type.String({ pattern: '^https?://.*\\{id\\}' })),
  orderPageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
}, { additionalProperties: false })

export type Settings = Static<typeof Settings>
