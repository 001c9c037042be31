import { Type } from 'typebox'
import { Refusal } from '../../contract/errors.ts'
import { Optional } from '../../contract/fields.ts'
import { CATALOG_LOOKUP } from '../capabilities.ts'
import { defineUcp } from '../operation.ts'
import { Filters, CatalogId, IDS_MAX, LookupOutput } from './fields.ts'
import {
  isWanted, type ItemDetail, messagesOf, offerNotes, optionsOf, productIdIn, productOf, resolve,
  type Resolved, variantOf, type Wanted,
} from './product.ts'
import { type CatalogView, viewFor } from './view.ts'

export const lookupCatalog = defineUcp({
  name: 'lookup_catalog',
  title: 'Look up products',
  description: 'Products of up to 50 known ids, of products or variants, each with the variant '
    + 'that an id names, or the cheapest. For options and stock of one product: get_product.',
  capability: CATALOG_LOOKUP,
  access: 'anyone',
  effect: 'read',
  route: 'POST /catalog/lookup',
  payload: {
    name: 'catalog',
    schema: Type.Object({
      // More are counted and refused by the handler: UCP has a code of its own for that.
      ids: Type.Array(CatalogId, { minItems: 1, maxItems: 1000, description: 'At most 50' }),
      filters: Optional(Filters),
    }),
  },
  output: LookupOutput,
  fails: [],
  example: { catalog: { ids: ['10096101'] } },

  async handle({ payload: { ids, filters } }, { services, caller }) {
    if (ids.length > IDS_MAX) {
      throw new Refusal('invalid_request', {
        reason: 'request_too_large',
        fields: [{ path: 'catalog.ids', problem: `must have at most ${IDS_MAX} ids` }],
      })
    }
    return await lookUp(viewFor(caller, services), [...new Set(ids)], filters)
  },
})

async function lookUp(
  view: CatalogView, ids: readonly string[], filters: Wanted | undefined,
): Promise<object> {
  const found = await Promise.all(ids.map(async (id) => ({ id, got: await resolve(view, id) })))
  const missing = found.filter(({ got }) => !got)
  const byProduct = new Map<string, Map<number, Correlated>>()
  for (const { id, got } of found) {
    if (!got || !isWanted(got.item, filters)) continue
    const key = productIdIn(got.item)
    const variants = byProduct.get(key) ?? new Map<number, Correlated>()
    const { inputs } = variants.get(got.item.sku_id) ?? { inputs: [] }
    variants.set(got.item.sku_id, { item: got.item, inputs: [...inputs, { id, match: got.match }] })
    byProduct.set(key, variants)
  }
  return {
    products: [...byProduct.values()].map((of) => productWith(view, [...of.values()])),
    ...messagesOf([
      ...missing.map(({ id }) => ({ type: 'info', code: 'not_found', content: id }) as const),
      ...offerNotes(found.flatMap(({ got }) => got?.item ?? [])),
    ]),
  }
}

interface Correlated {
  readonly item: ItemDetail
  /** Which of the ids led here. */
  readonly inputs: readonly { readonly id: string, readonly match: Resolved['match'] }[]
}

function productWith(view: CatalogView, variants: readonly Correlated[]): object {
  const items = variants.map(({ item }) => item) as [ItemDetail, ...ItemDetail[]]
  return productOf(view, items, variants.map(({ item, inputs }) => {
    const own = item.variants?.find(({ sku_id }) => sku_id === item.sku_id)
    return { ...variantOf(view, item, { options: optionsOf(own?.specs ?? []) }), inputs }
  }))
}
