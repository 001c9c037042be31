/** What an operator configures for mall B. */
import { Type, type Static } from 'typebox'

export const Settings = Type.Object({
  baseUrl: Type.String({ pattern: '^https?://' }),
  appKey: Type.String({ minLength: 1 }),
  appSecret: Type.String({ minLength: 1 }),
  siteId: Type.String({ minLength: 1 }),
  /** The neutral promotion position. */
  positionId: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Links on these hosts, and hosts below them, belong to the mall. */
  hosts: Type.Array(Type.String({ pattern: '^[a-z0-9.-]+$' }), { minItems: 1 }),
  /** 1: the union's item ids; 2: the main site's, for which the mall grants a permission. */
  sceneId: Type.Unsafe<1 | 2>({ enum: [1, 2], default: 1 }),
  /** Which conversion was granted; the common one echoes sub-ids for listed accounts only. */
  conversion: Type.Unsafe<'sub_union' | 'common'>({ enum: ['sub_union', 'common'] }),
  /** Links to items of scene 2, with {id}. */
  itemUrl: Type.Optional(Type.String({ pattern: '\\{id\\}' })),
  orderPageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
}, { additionalProperties: false })

export type Settings = Static<typeof Settings>
