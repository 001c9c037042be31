/**
 * `npm run growth`: what more goods, orders and agents cost, measured on this machine. What was
 * measured is kept, so that parts can be repeated; `--write` draws the pictures of docs/scale.md
 * and writes its tables.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../../src/config.ts'
import { writeWhole } from '../../src/files.ts'
import { type AgentsGrowth, growAgents } from './agents.ts'
import { type GoodsGrowth, growGoods } from './goods.ts'
import { growOrders, type OrdersGrowth } from './orders.ts'
import { writeReport } from './report.ts'

export interface GrowthResults {
  readonly goods: readonly GoodsGrowth[]
  readonly orders: readonly OrdersGrowth[]
  readonly agents: readonly AgentsGrowth[]
}

const { values } = parseArgs({ options: {
  only: { type: 'string', multiple: true },
  goods: { type: 'string', default: '76800,300000,1000000' },
  orders: { type: 'string', default: '0,100000,1000000' },
  agents: { type: 'string', default: '1000,10000,100000' },
  write: { type: 'boolean', default: false },
} })
const parts = values.only ?? ['goods', 'orders', 'agents']
const sizesOf = (list: string): number[] => list.split(',').map(Number)
const folder = join(readConfig().dataDir, 'growth')
const kept = join(folder, 'results.json')
mkdirSync(folder, { recursive: true, mode: 0o700 })

function known(): GrowthResults {
  return existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) as GrowthResults
    : { goods: [], orders: [], agents: [] }
}

/** The last of each size counts. */
function keep<P extends keyof GrowthResults>(part: P, found: GrowthResults[P][number]): void {
  process.stdout.write(`${JSON.stringify(found)}\n`)
  const nameOf = (one: GrowthResults[P][number]): string =>
    `${(one as unknown as Record<string, number>)[part]} ${'archived' in one && one.archived > 0}`
  const results = known()
  const others = (results[part] as GrowthResults[P][number][])
    .filter((one) => nameOf(one) !== nameOf(found))
  writeWhole(kept, JSON.stringify({ ...results, [part]: [...others, found] }, undefined, 2))
}

if (parts.includes('agents')) {
  for await (const found of growAgents(sizesOf(values.agents), folder)) keep('agents', found)
}
if (parts.includes('orders')) {
  for await (const found of growOrders(sizesOf(values.orders), folder)) keep('orders', found)
}
if (parts.includes('goods')) {
  for (const size of sizesOf(values.goods)) keep('goods', await growGoods(size, folder))
}
if (values.write) writeReport(known())
