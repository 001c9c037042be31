/**
 * After the last fault: everything answers again, nothing moves any more, and every acknowledged
 * order and every list is read once more.
 */
import { skuIdOf } from '../../src/contract/ids.ts'
import type { OperationSpec } from '../../src/contract/operation.ts'
import { monotonicMs } from '../../src/contract/time.ts'
import { createLogger } from '../../src/log.ts'
import { getGoodsDetail } from '../../src/operations/get-goods-detail.ts'
import { getOrderStatus } from '../../src/operations/get-order-status.ts'
import { listOrders } from '../../src/operations/list-orders.ts'
import { openSecrets } from '../../src/secrets/open.ts'
import { restForm } from '../../src/testing/rest-form.ts'
import { verifyLedger } from '../../src/verify/verify.ts'
import { type Attempts, type Data, insist, pauseFor } from './attempts.ts'
import { keptOrders, keptStock } from './compare.ts'
import { WHOLE_MS_MAX } from './fault.ts'
import type { Buyer, Model, Purchase } from './model.ts'
import type { Random } from './random.ts'
import type { Rules } from './rules.ts'
import type { Testbed } from './testbed.ts'

const AT_ONCE = 16
const PAGE = 50
const POLL_MS = 250
const FINAL = ['closed', 'completed', 'refunded']

interface Afterwards {
  readonly testbed: Testbed
  readonly random: Random
  readonly model: Model
  readonly rules: Rules
  readonly attempts: Attempts
}

export async function readAgain(context: Afterwards): Promise<void> {
  const { random, model, rules, attempts } = context
  const left = model.acknowledged()
  const answeredBy = monotonicMs() + WHOLE_MS_MAX
  const next = async (): Promise<void> => {
    for (let purchase = left.pop(); purchase; purchase = left.pop()) {
      const about: Purchase = purchase
      const read = () => insist(random, () => attempts.operation(random, {
        operation: getOrderStatus as unknown as OperationSpec, purchase: about,
        via: random.happens(0.5) ? 'rest' : 'mcp',
        input: { order_no: about.placed?.order_no },
        onOutcome: (read, known) => rules.checkRead(about, known, read),
      }))
      let outcome = await read()
      while (outcome.kind === 'unknown' && monotonicMs() < answeredBy) outcome = await read()
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
  for (const buyer of context.testbed.buyers) await checkList(context, buyer, end)
}

/** All of a buyer's orders are on its list, each once. */
async function checkList(context: Afterwards, buyer: Buyer, end: number): Promise<void> {
  const { model } = context
  const own = model.acknowledged().filter((purchase) => purchase.buyer.agent === buyer.agent)
  const [first] = own
  if (!first) return
  for (;;) {
    const listed = await wholeList(context, first)
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
  { random, attempts, rules, model }: Afterwards, purchase: Purchase,
): Promise<string[]> {
  const listed: string[] = []
  const isOwn = (orderNo: string): boolean =>
    model.find(orderNo)?.buyer.agent === purchase.buyer.agent
  let cursor: string | undefined
  do {
    const outcome = await insist(random, () => attempts.operation(random, {
      operation: listOrders as unknown as OperationSpec, via: 'rest', purchase,
      input: { limit: PAGE, ...(cursor !== undefined && { cursor }) },
      onOutcome: (read) => rules.checkList(read, isOwn),
    }))
    if (outcome.kind !== 'done') return []
    listed.push(...outcome.data['items'].map((item: { order_no: string }) => item.order_no))
    cursor = outcome.data['next_cursor']
  } while (cursor !== undefined)
  return listed
}

/** What nodes say is in stock is what the ledger has: their boards have caught up. */
export async function compareBoards({ nodes, scarce, ledger, buyers }: Testbed, model: Model) {
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
  { ledger, secret }: Testbed, model: Model,
): Promise<Readonly<Record<string, number>>> {
  const report = await verifyLedger({
    ledger, secrets: await openSecrets(ledger, secret), log: createLogger('silent'),
  })
  for (const { invariant, subject, detail } of report.violations) {
    model.violated(`verify: ${invariant}`, subject, detail)
  }
  return report.checked
}

/** Every node says by itself that it may get traffic; nobody restarts it for that. */
export async function untilWhole({ nodes, cluster }: Testbed, model: Model): Promise<void> {
  await cluster?.untilWhole(WHOLE_MS_MAX)
  for (const { name, port } of nodes) {
    const end = monotonicMs() + WHOLE_MS_MAX
    let answer = ''
    while (answer !== '200' && monotonicMs() < end) {
      answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5000) })
        .then(async (response) => { await response.text(); return String(response.status) },
          (error: Error) => error.message)
      if (answer !== '200') await pauseFor(POLL_MS)
    }
    if (answer !== '200') model.violated('a node recovers by itself', name, answer)
  }
}

/** What has not come to its end by then is for the comparison to name. */
export async function untilQuiet({ ledger }: Testbed): Promise<void> {
  const end = monotonicMs() + WHOLE_MS_MAX
  while (monotonicMs() < end) {
    const orders = await keptOrders(ledger)
    if (orders.every(({ fields }) => FINAL.includes(fields['status'] ?? ''))) return
    await pauseFor(POLL_MS)
  }
}
