/** When all is quiet: every acknowledged order and every list is asked for once more. */
import { createLogger } from '../../log.ts'
import { skuIdOf } from '../../contract/ids.ts'
import { getGoodsDetail } from '../../operations/get-goods-detail.ts'
import { getOrderStatus } from '../../operations/get-order-status.ts'
import { listOrders } from '../../operations/list-orders.ts'
import type { Operation } from '../../contract/operation.ts'
import { openSecrets } from '../../secrets/open.ts'
import { verifyLedger } from '../../verify/verify.ts'
import { monotonicMs } from '../../contract/time.ts'
import { restForm } from '../rest-form.ts'
import { insist, pauseFor, type Attempts } from './attempts.ts'
import type { Chance } from './chance.ts'
import { WHOLE_MS_MAX } from './fault.ts'
import { keptStock } from './kept.ts'
import type { Buyer, Model, Purchase } from './model.ts'
import type { Data } from './outcome.ts'
import type { Rules } from './rules.ts'
import type { Stand } from './stand.ts'

const AT_ONCE = 16
const PAGE = 50
const POLL_MS = 250
const FINAL = ['closed', 'completed', 'refunded']

interface Afterwards {
  readonly stand: Stand
  readonly chance: Chance
  readonly model: Model
  readonly rules: Rules
  readonly attempts: Attempts
}

export async function askAgain(place: Afterwards): Promise<void> {
  const { chance, model, rules, attempts } = place
  const left = model.acknowledged()
  const next = async (): Promise<void> => {
    for (let purchase = left.pop(); purchase; purchase = left.pop()) {
      const about: Purchase = purchase
      const outcome = await insist(chance, () => attempts.operation(chance, {
        operation: getOrderStatus as unknown as Operation, purchase: about,
        via: chance.happens(0.5) ? 'rest' : 'mcp',
        input: { order_no: about.placed?.order_no },
        hear: (heard, known) => rules.reading(about, known, heard),
      }))
      const subject = about.placed?.order_no ?? ''
      if (outcome.kind === 'unknown') {
        model.violated('what was healed answers', subject, outcome.why)
      } else if (outcome.kind === 'done' && !FINAL.includes(outcome.data['status'])) {
        model.violated('every order comes to its end', subject, outcome.data['status'])
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
  // Lists are kept by a worker, moments behind.
  const end = monotonicMs() + WHOLE_MS_MAX
  for (const buyer of place.stand.buyers) await askList(place, buyer, end)
}

/** All of a buyer's orders are on its list, each once. */
async function askList(place: Afterwards, buyer: Buyer, end: number): Promise<void> {
  const { model } = place
  const own = model.acknowledged().filter((purchase) => purchase.buyer.agent === buyer.agent)
  const [first] = own
  if (!first) return
  for (;;) {
    const listed = await wholeList(place, first)
    const missing = own.filter(({ placed }) => !listed.includes(placed?.order_no ?? ''))
    if (new Set(listed).size < listed.length) {
      model.violated('a list names an order once', buyer.agent, String(listed.length))
    }
    if (missing.length === 0) return
    if (monotonicMs() > end) {
      const names = missing.map(({ placed }) => placed?.order_no)
      return model.violated('a list is whole', buyer.agent, names.join(' '))
    }
    await pauseFor(POLL_MS)
  }
}

async function wholeList(
  { chance, attempts, rules, model }: Afterwards, purchase: Purchase,
): Promise<string[]> {
  const listed: string[] = []
  const isOwn = (orderNo: string): boolean =>
    model.find(orderNo)?.buyer.agent === purchase.buyer.agent
  let cursor: string | undefined
  do {
    const outcome = await insist(chance, () => attempts.operation(chance, {
      operation: listOrders as unknown as Operation, via: 'rest', purchase,
      input: { limit: PAGE, ...(cursor !== undefined && { cursor }) },
      hear: (heard) => rules.listing(heard, isOwn),
    }))
    if (outcome.kind !== 'done') return []
    listed.push(...outcome.data['items'].map((item: { order_no: string }) => item.order_no))
    cursor = outcome.data['next_cursor']
  } while (cursor !== undefined)
  return listed
}

/** What nodes say is in stock is what the ledger has: their boards have caught up. */
export async function compareBoards({ nodes, scarce, ledger, buyers }: Stand, model: Model) {
  const end = monotonicMs() + WHOLE_MS_MAX
  const stock = new Map((await keptStock(ledger)).map((one) => [one.productId, one.stock]))
  for (const { name, port } of nodes) {
    for (const { product_id } of scarce) {
      const { path } = restForm(getGoodsDetail, { sku_id: skuIdOf(product_id) })
      for (;;) {
        const shown = await fetch(`http://127.0.0.1:${port}${path}`, {
          headers: { 'X-Api-Key': buyers[0]?.apiKey ?? '' }, signal: AbortSignal.timeout(5000),
        }).then(async (answer) => (await answer.json() as { data: Data }).data['available_qty'])
          .catch(() => undefined)
        if (shown === stock.get(product_id)) break
        if (monotonicMs() > end) {
          return model.violated('a board follows the ledger', `${name} ${product_id}`,
            `${shown} shown, ${stock.get(product_id)} there`)
        }
        await pauseFor(POLL_MS)
      }
    }
  }
}

/** The service's own check of its ledger; what it looked at, counted. */
export async function verify(
  { ledger, secret }: Stand, model: Model,
): Promise<Readonly<Record<string, number>>> {
  const report = await verifyLedger({
    ledger, secrets: await openSecrets(ledger, secret), log: createLogger('silent'),
  })
  for (const { invariant, subject, detail } of report.violations) {
    model.violated(`verify: ${invariant}`, subject, detail)
  }
  return report.checked
}
