/**
 * All goods of a kind, with what is known of them: what a search by kind chooses from. A node keeps
 * those of the kinds that are asked for, for one version of the catalogue.
 */
import type { RedisClient } from '../redis/connect.ts'
import { shelf as keys } from '../redis/keys.ts'
import { readFacts, type Facts } from '../language/facts.ts'
import { askIndex, type GoodsFilter, orderOf, readIds, type Sort, withFilter } from './query.ts'
import { finalPrice, proseOf, weightOf } from './document.ts'
import type { CatalogueLine, Supply } from './line.ts'
import { readMany, storedJson } from './item-text.ts'

export interface Candidate {
  readonly productId: number
  readonly kind: string | undefined
  readonly supply: Supply
  /** What it is a variant of. */
  readonly group: string | undefined
  readonly category: number
  /** Fen: what is paid for one. */
  readonly price: number
  readonly weight: number
  readonly facts: Facts
}

/** Of a list that is longer, the index chooses: by the order that is asked for, after filters. */
export const CANDIDATES_MAX = 2000

export interface ListQuery {
  /** In the query language. */
  readonly text: string
  /** Of own goods or of offers. */
  readonly index: string
  /** A wider query: where that one finds nothing, this one need not be asked. */
  readonly among?: string
  /** What all its items are, where that is known. */
  readonly kind?: string
  /** Of a list for one search only; what is kept holds the best-selling. */
  readonly narrowed?: GoodsFilter & { readonly sort: Sort }
}

export interface KindList {
  readonly items: readonly Candidate[]
  /** How many there are; more than `items` where the list is too long. */
  readonly total: number
}

export const NO_GOODS: KindList = { items: [], total: 0 }

export const countGoods = async (
  shelf: RedisClient, index: string, text: string,
): Promise<number> =>
  readIds(await askIndex(shelf, index, text, ['NOCONTENT', 'LIMIT', 0, 0])).total

export async function readCandidates(
  shelf: RedisClient, { text, index, kind, narrowed }: ListQuery,
): Promise<KindList> {
  const order = narrowed && narrowed.sort !== 'relevance' ? orderOf(narrowed.sort)
    : ['SCORER', 'DOCSCORE']
  const { total, productIds: ids } = readIds(await askIndex(
    shelf, index, narrowed ? withFilter(text, narrowed) : text,
    [...order, 'NOCONTENT', 'LIMIT', 0, CANDIDATES_MAX]))
  const texts = await readMany(shelf, ids.flatMap((id) => [keys.item(id), keys.detail(id)]))
  const items = ids.flatMap((_, at) => {
    const [item, detail] = [texts[2 * at], texts[2 * at + 1]]
    return item && detail ? [candidateOf(item, detail, kind)] : []
  })
  return { items, total }
}

/** Own goods and offers have an index each; without a supply both of them are meant. */
export const indexesFor = (supply: Supply | undefined): string[] => supply === undefined
  ? [keys.ownAlias, keys.offersAlias] : [supply === 'own' ? keys.ownAlias : keys.offersAlias]

type Stored = Pick<CatalogueLine, 'product_id' | 'title' | 'brand' | 'category_id' | 'retail_price'
  | 'group_id' | 'sales' | 'rating' | 'agent_desc' | 'specs' | 'supply' | 'coupon'>

function candidateOf(itemText: Buffer, detailText: Buffer, kind: string | undefined): Candidate {
  const { json, note } = storedJson(itemText, detailText)
  const { coupon, ...line } = JSON.parse(json) as
    Omit<Stored, 'coupon'> & { coupon: Stored['coupon'] | null }
  const priced = { ...line, ...(coupon && { coupon }) }
  const { title, brand, specs } = line
  return {
    productId: line.product_id, kind, supply: line.supply, group: line.group_id,
    category: line.category_id,
    price: finalPrice(priced), weight: weightOf(line),
    facts: readFacts({
      title, brand, category: null, specs: specs.map(({ value }) => value).join(' '),
      prose: proseOf(line, kind),
    }, note),
  }
}

/** For who asks once and keeps nothing. */
export const listsOf = (shelf: RedisClient) =>
  (query: ListQuery): Promise<KindList> => readCandidates(shelf, query)
