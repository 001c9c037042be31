import { Type } from 'typebox'
import { Refusal } from '../../contract/errors.ts'
import { Optional } from '../../contract/fields.ts'
import { CATALOG_LOOKUP } from '../capabilities.ts'
import { defineUcp } from '../operation.ts'
import { Filters, CatalogId, ProductOutput, Selected } from './fields.ts'
import {
  isWanted, type ItemDetail, messagesOf, money, offerNotes, type Option, optionsOf, productOf,
  resolve, type Resolved, variantOf, type Wanted,
} from './product.ts'
import { type CatalogView, viewFor } from './view.ts'

export const getProduct = defineUcp({
  name: 'get_product',
  title: 'Read one product',
  description: 'One product in full, with its options and which of their values are in stock. '
    + 'Send selected to narrow its variants; preferences name the options that matter most.',
  capability: CATALOG_LOOKUP,
  access: 'anyone',
  effect: 'read',
  route: 'POST /catalog/product',
  payload: {
    name: 'catalog',
    schema: Type.Object({
      id: CatalogId,
      selected: Optional(Selected),
      preferences: Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 24 })),
      filters: Optional(Filters),
    }),
  },
  output: ProductOutput,
  fails: ['not_found'],
  example: { catalog: { id: '10096101' } },

  async handle({ payload }, { services, caller }) {
    const view = viewFor(caller, services)
    const found = await resolve(view, payload.id)
    const answer = found && await answerOf(view, found, payload)
    if (!answer) {
      throw new Refusal('not_found', { hint: `No product here has the id ${payload.id}.` })
    }
    return answer
  },
})

interface Choices {
  readonly selected?: readonly Option[]
  readonly preferences?: readonly string[]
  readonly filters?: Wanted
}

/** One variant of the product, with the options in which it differs from the others. */
interface Choice {
  readonly skuId: number
  readonly options: readonly Option[]
  readonly price: number
  readonly isAvailable: boolean
}

/** Undefined where the filters leave no variant. */
async function answerOf(
  view: CatalogView, { item, match }: Resolved,
  { selected = [], preferences = [], filters }: Choices,
): Promise<object | undefined> {
  const all = choicesOf(item)
  const left = all.filter(({ price: final_price }) =>
    isWanted({ final_price, category_id: item.category_id }, filters))
  const named = left.find(({ skuId }) => skuId === item.sku_id)
  if (match === 'exact' && !named) return undefined
  const featured = named ?? left[0]
  if (!featured) return undefined
  const chosen = match === 'exact' || selected.length === 0
    ? featured.options : relax(left, selected, preferences)
  const fitting = left.filter((choice) => fits(choice, chosen))
  const ordered = fitting.includes(featured)
    ? [featured, ...fitting.filter((choice) => choice !== featured)] : fitting
  const details = (await Promise.all(ordered.map(async ({ skuId, options }) => {
    const detail = skuId === item.sku_id ? item : await view.item(skuId)
    return detail ? [{ detail, options }] : []
  }))).flat()
  if (details.length === 0) return undefined
  const items = details.map(({ detail }) => detail) as [ItemDetail, ...ItemDetail[]]
  const prices = left.map(({ price }) => price)
  return {
    product: {
      ...productOf(view, items, details.map(({ detail, options }) =>
        variantOf(view, detail, { options }))),
      price_range: { min: money(Math.min(...prices)), max: money(Math.max(...prices)) },
      ...(all.length > 1 && { options: valuesOf(all, chosen), selected: chosen }),
    },
    ...messagesOf(offerNotes(items)),
  }
}

const choicesOf = (item: ItemDetail): Choice[] => item.variants
  ? item.variants.map(({ sku_id, specs, final_price, available_qty }) => ({
    skuId: sku_id, options: optionsOf(specs), price: final_price, isAvailable: available_qty !== 0,
  }))
  : [{
    skuId: item.sku_id, options: [], price: item.final_price, isAvailable: item.available_qty !== 0,
  }]

const fits = ({ options }: Choice, chosen: readonly Option[]): boolean =>
  chosen.every((one) => options.some(({ name, label }) => name === one.name && label === one.label))

/** Drops what no variant has together: first what is not preferred, then the least preferred. */
function relax(
  choices: readonly Choice[], selected: readonly Option[], preferences: readonly string[],
): readonly Option[] {
  const rank = ({ name }: Option): number => {
    const at = preferences.indexOf(name)
    return at < 0 ? preferences.length : at
  }
  const kept = selected.map(({ name, label }) => ({ name, label }))
    .toSorted((one, other) => rank(one) - rank(other))
  while (kept.length > 0 && !choices.some((choice) => fits(choice, kept))) kept.pop()
  return kept
}

/** Each value of each option: whether there is such a variant beside what else is chosen. */
function valuesOf(all: readonly Choice[], chosen: readonly Option[]): object[] {
  const names = [...new Set(all.flatMap(({ options }) => options.map(({ name }) => name)))]
  return names.map((name) => {
    const labels = new Set(all.flatMap(({ options }) =>
      options.filter((option) => option.name === name).map(({ label }) => label)))
    const others = chosen.filter((option) => option.name !== name)
    return {
      name,
      values: [...labels].map((label) => {
        const such = all.filter((choice) => fits(choice, [...others, { name, label }]))
        const available = such.some(({ isAvailable }) => isAvailable)
        return { label, exists: such.length > 0, available }
      }),
    }
  })
}
