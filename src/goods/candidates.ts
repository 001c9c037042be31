/**
 * All goods of a kind, with what is known of them: what a search by kind chooses from. A node keeps
 * those of the kinds that are asked for, for one version of the catalogue.
 */
import type { RedisClient } from '../redis/connect.ts'
import { shelf as keys } from '../redis/keys.ts'
import { readFacts, type Facts } from '../language/facts.ts'
import { askIndex, readIds } from './ask.ts'
import { finalPrice, proseOf, weightOf } from './document.ts'
import type { CatalogueLine, Supply } from './line.ts'
import { readMany } from './read.ts'
import { readDetail, readItem } from './stored.ts'

export interface Candidate {
  readonly productId: number
  readonly kind: string | undefined
  readonly supply: Supply
  readonly category: number
  /** Fen: what is paid for one. */
  readonly price: number
  readonly weight: number
  /** Read when it is first needed. */
  readonly facts: Facts
}

/** More of one kind are chosen from by the index first. */
export const CANDIDATES_MAX = 2000

export interface KindList {
  readonly items: readonly Candidate[]
  /** Whether there are more than are kept. */
  readonly isCut: boolean
}

/** `text` is in the query language; `kind` is what its items are, where that is known. */
export async function readCandidates(
  shelf: RedisClient, text: string, kind: string | undefined,
): Promise<KindList> {
  const found = await Promise.all([keys.ownAlias, keys.offersAlias].map(async (index) =>
    readIds(await askIndex(shelf, index, text,
      ['SCORER', 'DOCSCORE', 'NOCONTENT', 'LIMIT', 0, CANDIDATES_MAX]))))
  const ids = found.flatMap(({ productIds }) => productIds)
  const texts = await readMany(shelf, ids.flatMap((id) => [keys.item(id), keys.detail(id)]))
  const items = ids.flatMap((_, at) => {
    const [item, detail] = [texts[2 * at], texts[2 * at + 1]]
    return item && detail ? [candidateOf(item, detail, kind)] : []
  })
  return { items, isCut: found.some(({ total }) => total > CANDIDATES_MAX) }
}

type Stored = Pick<CatalogueLine, 'product_id' | 'title' | 'brand' | 'category_id' | 'retail_price'
  | 'sales' | 'rating' | 'agent_desc' | 'specs' | 'supply' | 'coupon'>

function candidateOf(itemText: Buffer, detailText: Buffer, kind: string | undefined): Candidate {
  const { offer, item } = readItem(itemText)
  const { detail } = readDetail(detailText)
  const json = Buffer.from(`{${offer}${item}${detail}}`, 'latin1').toString()
  const { coupon, ...line } = JSON.parse(json) as Omit<Stored, 'coupon'>
    & { coupon: Stored['coupon'] | null }
  const priced = { ...line, ...(coupon && { coupon }) }
  let facts: Facts | undefined
  const { title, brand, specs, agent_desc } = line
  const source = {
    title, brand, category: null, specs: specs.map(({ value }) => value).join(' '),
    prose: proseOf({ agent_desc, specs }, kind),
  }
  return {
    productId: line.product_id, kind, supply: line.supply, category: line.category_id,
    price: finalPrice(priced), weight: weightOf(line),
    get facts() { return facts ??= readFacts(source) },
  }
}

/** For who asks once and keeps nothing. */
export const listsOf = (shelf: RedisClient) =>
  (text: string, kind: string | undefined): Promise<KindList> => readCandidates(shelf, text, kind)
