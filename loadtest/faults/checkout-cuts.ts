/**
 * A checkout of three lines over UCP, whose node is killed (-9) at each write that it makes of it:
 * another node ends what it began, and nothing is half ordered, half paid or half given back.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiKeys } from '../../src/accounts/api-keys.ts'
import { cacheDir } from '../../src/config.ts'
import { partitionOfOrder, skuIdOf } from '../../src/contract/ids.ts'
import { monotonicMs, sleep } from '../../src/contract/time.ts'
import { startEmbeddedRedis } from '../../src/dev/redis/embedded.ts'
import { catalogueLine } from '../../src/goods/generate.ts'
import { importCatalogue } from '../../src/goods/import.ts'
import { createLogger } from '../../src/log.ts'
import type { RedisClient } from '../../src/redis/connect.ts'
import { ledger as keys, partitionOf } from '../../src/redis/keys.ts'
import { openRoles, urlsOf } from '../../src/redis/roles.ts'
import type { Secrets } from '../../src/secrets/derive.ts'
import { openSecrets } from '../../src/secrets/open.ts'
import { servePlatform, UCP_FULFILLMENT } from '../../src/testing/ucp.ts'
import { WHOLE_MS_MAX } from './fault.ts'
import { type Cut, openRelay, type Relay } from './relay.ts'
import { createTestbedNode, type TestbedNode } from './testbed-node.ts'

export const CUT_CASES = ['ordered', 'paid'] as const
export type CutCase = typeof CUT_CASES[number]

export interface CutRow {
  readonly case: CutCase
  readonly step: number
  readonly when: Cut['when']
  /** How many of the three orders are open or paid, and how many pieces are held. */
  readonly orders: number
  readonly held: number
  /** What is wrong with it; absent where all is as it should be. */
  readonly problem?: string
}

export interface CutOptions {
  readonly cases?: readonly CutCase[]
  readonly whens?: readonly Cut['when'][]
  readonly onRow?: (row: CutRow) => void
}

const SECRET = 'the-secret-of-all-checkout-cuts-01'
const [STOCK, QTY, LINES] = [1000, 2, 3]
const PAUSE_MS = 200
const PACE = {
  PAYMENT_WINDOW_MS: '86400000', SANDBOX_STEP_MS: '3600000', LOG_LEVEL: 'warn', NODES: '1',
  SANDBOX: 'on', LEDGER_REPLICAS: '0',
}
interface Product { readonly id: number, readonly variant: string }

interface Bench {
  readonly ledger: RedisClient
  readonly secrets: Secrets
  readonly relay: Relay
  /** Is killed; the other one ends what it began. */
  readonly victim: TestbedNode
  readonly survivor: TestbedNode
  readonly products: readonly Product[]
  readonly profile: string
  newKey(): Promise<{ agent: string, apiKey: string }>
}

export async function cutCheckouts(
  { cases = CUT_CASES, whens = ['before', 'after'], onRow }: CutOptions = {},
): Promise<CutRow[]> {
  const opened: (() => unknown)[] = []
  const rows: CutRow[] = []
  try {
    const bench = await openBench(opened)
    for (const one of cases) {
      for (const when of whens) {
        for (let step = 1; ; step += 1) {
          const row = await cutOnce(bench, { case: one, when, step })
          if (!row) break
          rows.push(row)
          onRow?.(row)
        }
      }
    }
    return rows
  } finally {
    for (const close of opened.toReversed()) await close()
  }
}

async function openBench(opened: (() => unknown)[]): Promise<Bench> {
  const log = createLogger('silent')
  const folder = await mkdtemp(join(tmpdir(), 'agentmall-cuts-'))
  opened.push(() => rm(folder, { recursive: true, force: true }))
  const redis = await startEmbeddedRedis({
    dataDir: join(folder, 'data'), cacheDir: cacheDir(), log, user: 'operator',
  })
  opened.push(() => redis.stop())
  const urls = urlsOf(redis)
  const roles = await openRoles(urls, log, 'bulk')
  opened.push(() => roles.close())
  const { shelf, ledger } = roles
  const secrets = await openSecrets(ledger, SECRET)
  const lines = Array.from({ length: 100 }, (_, index) => catalogueLine('cuts', index))
    .filter(({ supply }) => supply === 'own').slice(0, LINES)
    .map((line) => ({ ...line, stock: STOCK, qty_cap: 10 }))
  await importCatalogue({ shelf, ledger }, lines)
  const relay = await openRelay(urls.ledger)
  opened.push(() => relay.close())
  const platform = await servePlatform()
  opened.push(() => platform.close())
  const nodeOf = async (name: string, ledgerUrl: string): Promise<TestbedNode> => {
    const node = await createTestbedNode({
      name, secret: SECRET, urls: { ...urls, ledger: ledgerUrl }, environment: PACE,
      outputPath: join(folder, `${name}.log`),
    })
    opened.push(() => node.kill())
    await node.start()
    return node
  }
  const apiKeys = new ApiKeys({ ledger, secrets, log, takeTrial: async () => undefined })
  return {
    ledger, secrets, relay, profile: `${platform.url}/`,
    survivor: await nodeOf('survivor', urls.ledger), victim: await nodeOf('victim', relay.url),
    products: lines.map(({ product_id: id }) => ({ id, variant: String(skuIdOf(id)) })),
    newKey: () => apiKeys.createKey({ tier: 't2', label: 'cuts' }),
  }
}

/** Undefined where the victim answered before it came to that step. */
async function cutOnce(
  bench: Bench, { case: one, when, step }: Pick<CutRow, 'case' | 'when' | 'step'>,
): Promise<CutRow | undefined> {
  const { ledger, products, relay, victim } = bench
  await setStock(ledger, products)
  const purchase = new Purchase(bench, await bench.newKey())
  await purchase.open()
  if (one === 'paid') await purchase.complete(bench.survivor)
  let killed: Promise<void> | undefined
  relay.arm({
    step, when, about: [purchase.id, ...purchase.orderNos()],
    onCut: () => { killed = victim.kill() },
  })
  const act = (node: TestbedNode) => one === 'paid' ? purchase.pay(node) : purchase.complete(node)
  const isAnswered = await act(victim).then(() => true, () => false)
  relay.disarm()
  await killed
  if (killed) await victim.start()
  if (isAnswered) return undefined
  const end = monotonicMs() + WHOLE_MS_MAX
  while (!await act(bench.survivor).then(() => true, () => false)) {
    if (monotonicMs() > end) return { case: one, when, step, orders: 0, held: 0, problem: 'hangs' }
    await sleep(PAUSE_MS)
  }
  const found = { orders: await purchase.live(one), held: await heldOf(ledger, products) }
  const isRight = found.orders === LINES && found.held === LINES * QTY
  const problem = `${found.orders} orders, ${found.held} pieces: ${purchase.said}`
  return { case: one, when, step, ...found, ...(!isRight && { problem }) }
}

async function setStock(ledger: RedisClient, products: readonly Product[]): Promise<void> {
  for (const { id } of products) await ledger.hset(keys.stock(partitionOf(id)), id, STOCK)
}

async function heldOf(ledger: RedisClient, products: readonly Product[]): Promise<number> {
  let held = 0
  for (const { id } of products) {
    held += STOCK - Number(await ledger.hget(keys.stock(partitionOf(id)), String(id)))
  }
  return held
}

/** One checkout of an agent, over REST. */
class Purchase {
  private readonly bench: Bench
  private readonly key: { readonly agent: string, readonly apiKey: string }
  private payUrl = ''
  /** What it was last answered. */
  said = ''
  id = ''

  constructor(bench: Bench, key: { agent: string, apiKey: string }) {
    this.bench = bench
    this.key = key
  }

  async open(): Promise<void> {
    const { bench: { survivor, products } } = this
    const { id, status } = await this.call(survivor, '/checkout-sessions', {
      line_items: products.map(({ variant }) => ({ item: { id: variant }, quantity: QTY })),
      fulfillment: UCP_FULFILLMENT,
    })
    if (typeof id !== 'string') throw new Error(`No checkout was opened: ${String(status)}`)
    this.id = id
  }

  async complete(node: TestbedNode): Promise<void> {
    const { continue_url: url, status, messages } = await this.call(
      node, `/checkout-sessions/${this.id}/complete`, {})
    this.payUrl = String(url)
    this.said = `${String(status)} ${JSON.stringify(messages)}`
  }

  async pay(node: TestbedNode): Promise<void> {
    const { pathname, searchParams } = new URL(this.payUrl)
    const { status } = await fetch(`http://127.0.0.1:${node.port}${pathname}`, {
      method: 'POST', body: new URLSearchParams({ t: searchParams.get('t') ?? '' }),
      signal: AbortSignal.timeout(WHOLE_MS_MAX),
    })
    if (status !== 200) throw new Error(`The page of payment answered ${status}.`)
  }

  /** Of the first attempts: each has numbers of its own. */
  orderNos(): string[] {
    const { bench: { secrets, products }, id, key: { agent } } = this
    return [0, 1, 2].flatMap((attempt) => products.map((product, at) =>
      secrets.orderNo(agent, `${id}.${attempt}.li_${at + 1}`.toLowerCase(), product.id)))
  }

  /** Orders that are open, or paid where they should be. */
  async live(one: CutCase): Promise<number> {
    const { ledger } = this.bench
    const wanted = one === 'paid' ? ['paid', 'merchant_accepted'] : ['pending_payment']
    const found = await Promise.all(this.orderNos().map((orderNo) =>
      ledger.hget(keys.order(partitionOfOrder(orderNo) ?? 0, orderNo), 'status')))
    return found.filter((status) => status !== null && wanted.includes(status)).length
  }

  private async call(
    node: TestbedNode, path: string, body: object,
  ): Promise<Record<string, unknown>> {
    const answer = await fetch(`http://127.0.0.1:${node.port}/ucp${path}`, {
      method: 'POST', body: JSON.stringify(body), signal: AbortSignal.timeout(WHOLE_MS_MAX),
      headers: {
        'Content-Type': 'application/json', Authorization: `Bearer ${this.key.apiKey}`,
        'UCP-Agent': `profile="${this.bench.profile}"`,
      },
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`)
    return await answer.json() as Record<string, unknown>
  }
}

/** One line a case and side of the write. */
export function cutTable(rows: readonly CutRow[]): string {
  const lines = CUT_CASES.flatMap((one) => (['before', 'after'] as const).flatMap((when) => {
    const of = rows.filter((row) => row.case === one && row.when === when)
    if (of.length === 0) return []
    const [{ orders, held } = { orders: 0, held: 0 }] = of
    const wrong = of.filter(({ problem }) => problem !== undefined).length
    return [`| ${one} | ${when} | ${of.length} | ${orders} | ${held} | ${wrong} |`]
  }))
  return ['| three lines are | killed, of each write | writes | orders | pieces held | half |',
    '|---|---|---|---|---|---|', ...lines].join('\n')
}
