/** The first half of the story: a wish becomes one item that can be ordered. */
import type { Static } from 'typebox'
import { yuanText } from '../contract/money.ts'
import { cpsCompare } from '../operations/cps-compare.ts'
import { cpsSmartSearch } from '../operations/cps-smart-search.ts'
import { getGoodsDetail } from '../operations/get-goods-detail.ts'
import { searchGoods } from '../operations/search-goods.ts'
import type { Agent } from './agent.ts'
import type { Stage } from './stage.ts'

export const WISH = '200元以内的电热水壶，不要塑料'

export type Goods = Static<typeof getGoodsDetail.output>
type Found = Static<typeof cpsSmartSearch.output>
type FoundItem = Found['items'][number]
type Rows = Static<typeof cpsCompare.output>['rows']

const SHOWN_ITEMS = 5
const SHOWN_ROWS = 8
const short = (text: string, length: number): string =>
  (text.length > length ? `${text.slice(0, length - 1)}…` : text)

export async function chooseItem(agent: Agent, stage: Stage): Promise<Goods> {
  await stage.chapter('Smart search, with a budget')
  stage.say(stage.strong(WISH), 'the wish')
  const found = await agent.call(cpsSmartSearch, { query: WISH, page_size: 10 })
  showFound(found, stage)
  const own = ownItem(found.items)
    ?? ownItem((await agent.call(cpsSmartSearch, { query: WISH, sources: ['shelf'] })).items)

  await stage.chapter('Compare')
  const ids = [...new Set([found.items[0]?.item_id, own?.item_id, found.items[1]?.item_id])]
    .filter((id) => id !== undefined)
  if (ids.length >= 2) await compare(agent, stage, ids)
  else stage.note('Fewer than two items were found: nothing to compare.')

  stage.note('Platform offers are bought through a link; this demo orders from the own shelf.')
  const skuId = own?.sku_id
    ?? (await agent.call(searchGoods, { page_size: 1, sort: 'price_asc' })).items[0]?.sku_id
  if (skuId === undefined) throw new Error('The catalogue is empty: start the service with goods.')
  return await agent.call(getGoodsDetail, { sku_id: skuId })
}

function showFound({ understood, items, sources, partial }: Found, stage: Stage): void {
  const { terms, budget_max, refused } = understood
  stage.say(`${terms.join(' ')}; at most ${budget_max === null ? '?' : yuanText(budget_max)}; `
    + `without ${refused.join(', ') || 'nothing'}`, 'understood')
  stage.say(sources.map(({ source, status, ms, count }) =>
    (status === 'ok' ? `${source} ${count} in ${ms} ms` : `${source} ${status}`)).join(', ')
    + (partial ? ' (partial)' : ''), 'asked')
  for (const [at, item] of items.slice(0, SHOWN_ITEMS).entries()) {
    stage.say(`${stage.strong(yuanText(item.final_price).padStart(9))}  ${item.score} points, `
      + `${item.offers.length} ${item.offers.length === 1 ? 'offer' : 'offers'}  `
      + short(item.title, 46), at === 0 ? 'ranked' : '')
  }
  for (const reason of items[0]?.reasons.slice(0, 3) ?? []) stage.note(`why the first: ${reason}`)
}

/** The best-ranked item that somebody of our own shelf offers. */
function ownItem(items: readonly FoundItem[]): { item_id: string, sku_id: number } | undefined {
  for (const { item_id, buy } of items.flatMap(({ offers }) => offers)) {
    const skuId = buy.arguments['sku_id']
    if (buy.tool === getGoodsDetail.name && typeof skuId === 'number') {
      return { item_id, sku_id: skuId }
    }
  }
  return undefined
}

async function compare(agent: Agent, stage: Stage, ids: string[]): Promise<void> {
  const { items, rows, verdicts } = await agent.call(cpsCompare, { items: ids })
  const letters = new Map(items.map(({ item_id }, at) => [item_id, 'ABCDEF'[at] ?? '?']))
  for (const { item_id, title } of items) {
    stage.say(`${item_id}  ${short(title, 46)}`, letters.get(item_id))
  }
  for (const { attribute, cells } of differing(rows).slice(0, SHOWN_ROWS)) {
    stage.say(cells.map(({ item_id, value, best }) => {
      const text = `${letters.get(item_id)} ${shown(attribute, value)}`
      return best ? stage.good(`${text} ✓`) : text
    }).join('   '), attribute.slice(0, 11))
  }
  for (const { mode, item_id, why } of verdicts) {
    stage.say(`${item_id === null ? '–' : letters.get(item_id)}: ${why}`, mode)
  }
}

const differing = (rows: Rows): Rows =>
  rows.filter(({ cells }) => new Set(cells.map(({ value }) => value)).size > 1)

const MONEY = new Set(['payable', 'list_price', 'freight'])
const shown = (attribute: string, value: string | null): string => {
  if (value === null) return 'unknown'
  return MONEY.has(attribute) ? yuanText(Number(value)) : short(value, 24)
}
