/** What an operator configures for mall C. */
import { Type, type Static } from 'typebox'

export const Settings = Type.Object({
  baseUrl: Type.String({ pattern: '^https?://' }),
  clientId: Type.String({ minLength: 1 }),
  clientSecret: Type.String({ minLength: 1 }),
  /** The promotion position, registered with the mall. */
  pid: Type.String({ pattern: '^\\d{1,20}_\\d{1,20}$' }),
  /** Stands for nobody in searches, where the mall wants (pid, uid) registered as a pair. */
  neutralUid: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_]{1,40}$' })),
  /** Links on these hosts, and hosts below them, belong to the mall. */
  hosts: Type.Array(Type.String({ pattern: '^[a-z0-9.-]+$' }), { minItems: 1 }),
  /** Links to items, with {id}: the mall's answers hold none. */
  itemUrl: Type.Optional(Type.String({ pattern: '\\{id\\}' })),
  orderPageSize: Type.Optional(Type.Integer({ minimum: 10, maximum: 100 })),
}, { additionalProperties: false })

export type Settings = Static<typeof Settings>
