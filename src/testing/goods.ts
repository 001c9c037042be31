/** A shelf and a ledger of a test file's own: search totals need a catalogue nobody else fills. */
import { generateCatalogue } from '../goods/generate.ts'
import { importCatalogue } from '../goods/import.ts'
import type { CatalogueLine } from '../goods/line.ts'
import type { Stores } from '../goods/version.ts'
import { createLogger } from '../log.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import type { RedisUrls } from '../redis/roles.ts'
import { emptyLedger, emptyShelf } from './spare.ts'

export interface OwnStores extends Stores {
  readonly urls: Pick<RedisUrls, 'shelf' | 'ledger'>
  close(): void
}

export async function ownStores(): Promise<OwnStores> {
  const log = createLogger('warn')
  const urls = { shelf: await emptyShelf(), ledger: await emptyLedger() }
  const shelf = openRedis(urls.shelf, log, 'bulk')
  const ledger = openRedis(urls.ledger, log, 'bulk')
  await Promise.all([untilReady(shelf, 'shelf'), untilReady(ledger, 'ledger')])
  return {
    urls,
    shelf,
    ledger,
    close() {
      shelf.disconnect()
      ledger.disconnect()
    },
  }
}

/** The generated catalogue, as a start fills it in. */
export async function fillStores(
  urls: Pick<RedisUrls, 'shelf' | 'ledger'>, items: number, seed = 'agentmall-1',
): Promise<void> {
  const log = createLogger('warn')
  const shelf = openRedis(urls.shelf, log, 'bulk')
  const ledger = openRedis(urls.ledger, log, 'bulk')
  await Promise.all([untilReady(shelf, 'shelf'), untilReady(ledger, 'ledger')])
  await importCatalogue({ shelf, ledger }, generateCatalogue({ items, seed }))
  shelf.disconnect()
  ledger.disconnect()
}

/** An own item; what a test is about stands in `facts`. */
export function ownLine(product_id: number, facts: Partial<CatalogueLine> = {}): CatalogueLine {
  return {
    product_id,
    supply: 'own',
    title: `云砾 Yunlix 保温杯 ${product_id}`,
    category_id: 6,
    brand: '云砾 Yunlix',
    retail_price: 5900,
    stock: 10,
    qty_cap: 99,
    merchant_id: 1001,
    shop: '云砾旗舰店',
    ship_within_hours: 48,
    free_ship_threshold: 9900,
    freight: 800,
    agent_desc: '不锈钢内胆，保温12小时。',
    aftersale_rules: '7天无理由退货。',
    specs: [{ name: '容量', value: '500ml' }],
    sales: 12,
    rating: 4.5,
    ...facts,
  }
}

export function mallLine(product_id: number, facts: Partial<CatalogueLine> = {}): CatalogueLine {
  const { stock: _, ...line } = ownLine(product_id)
  return {
    ...line, supply: 'mall_a', merchant_id: 0, external_id: `ext${product_id}`, ...facts,
  }
}
