import { Type } from 'typebox'
import { RANKING_MODES } from '../language/understanding.ts'
import { QualifiedItemId, Link, UPSTREAM_FAILS } from '../affiliate/fields.ts'
import { defineOperation } from './define.ts'
import { CLOSED, Nullable, OneOf, Optional, Text } from '../contract/fields.ts'
import { SHELF_EXAMPLES } from './goods-fields.ts'

const Cell = Type.Object({
  item_id: QualifiedItemId,
  /** Null where the source does not say. */
  value: Nullable(Text(200)),
  best: Type.Boolean(),
}, CLOSED)

export const cpsCompare = defineOperation({
  name: 'cps_compare',
  title: 'Compare 2 to 6 items',
  description: 'Compares 2 to 6 items, by item_id of any search or item link: a matrix with the '
    + 'best cell of each row, prices in fen, and a verdict for each mode. For "which of these?"; '
    + 'to find items use cps_smart_search. Without a key only shelf items. Next: a convert tool, '
    + 'or create_order for own goods.',
  access: 'anyone',
  effect: 'read',
  openWorld: true,
  route: 'POST /cps/compare',
  input: Type.Object({
    items: Type.Array(Type.Union([QualifiedItemId, Link]), {
      minItems: 2, maxItems: 6, uniqueItems: true, description: 'item_id or item link',
    }),
  }, CLOSED),
  output: Type.Object({
    items: Type.Array(Type.Object({ item_id: QualifiedItemId, title: Text(200) }, CLOSED)),
    rows: Type.Array(Type.Object({
      attribute: Text(60), better: Optional(OneOf(['high', 'low'])),
      cells: Type.Array(Cell, { maxItems: 6 }),
    }, CLOSED), { maxItems: 60 }),
    verdicts: Type.Array(Type.Object({
      mode: OneOf(RANKING_MODES), item_id: Nullable(QualifiedItemId), why: Text(300),
    }, CLOSED), { maxItems: RANKING_MODES.length }),
    missing: Type.Array(Text(2000), { maxItems: 6 }),
  }, CLOSED),
  fails: [...UPSTREAM_FAILS, 'not_found'],
  example: { items: [...SHELF_EXAMPLES] },

  async handle({ items }, { caller, services }) {
    return await services.affiliate.compare(items, caller)
  },
})
