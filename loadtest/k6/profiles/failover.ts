/**
 * Three nodes on one address. After a third of the time one gets SIGTERM: no call may fail.
 * After two thirds another is killed: only calls that were with it may fail, and each succeeds
 * when it is sent again.
 */
import { sleep } from 'k6'
import exec from 'k6/execution'
import { Counter } from 'k6/metrics'
import { inputOf, NO_ANSWER, rest, tool, type Answer, type CallOptions } from '../call.ts'
import { disturb, sinceKill } from '../control.ts'
import { CREATE_ORDER } from '../buying.ts'
import { arrivals, limitOf, once, profileOptions, summaryWith } from '../options.ts'
import { pick, pickItem, pickWeighted, plan } from '../plan.ts'
import { query } from '../visits.ts'

const RETRY = 'sent again'
const OPERATIONS = [CREATE_ORDER, 'search_goods', 'get_goods_detail'] as const

const lostWithNode = new Counter('lost_with_node')
const lostOtherwise = new Counter('lost_otherwise')
const retriesFailed = new Counter('retries_failed')

const base = profileOptions({
  scenarios: { traffic: arrivals({ exec: 'traffic' }), disturbance: once('disturbance') },
  names: [RETRY],
})

export const options = {
  ...base,
  thresholds: {
    ...base.thresholds,
    // Errors that a node answers are never right; calls without an answer are counted below.
    ...Object.fromEntries(OPERATIONS.flatMap((name) => [name, `mcp ${name}`]).map((name) =>
      [`http_req_duration{name:${name}}`, [`p(95)<${limitOf(name)}`]])),
    'checks{name:control}': ['rate==1'],
    lost_with_node: ['count>=0'],
    lost_otherwise: ['count==0'],
    retries_failed: ['count==0'],
  },
}

const now = (): number => exec.instance.currentTestRunDuration

export function traffic(): void {
  const key = pick(plan.keys)
  const { sku_id, product_id, merchant_id } = pickItem()
  const [operation, changes] = pickWeighted<readonly [string, object]>([
    [40, ['search_goods', query()]],
    [30, ['get_goods_detail', { sku_id }]],
    [30, [CREATE_ORDER, inputOf(CREATE_ORDER, { product_id, merchant_id, qty: 1 })]],
  ])
  // A client may repeat a GET or a call with a key by itself, as k6 does; over MCP it does not.
  const isMcp = Math.random() < 0.5
  const call = (options: CallOptions): Answer => (isMcp
    ? tool('handshake', operation, changes, options) : rest(operation, changes, options))
  const began = now()
  const answer = call({ key })
  if (!answer.error) return
  classify(answer, began)
  if (call({ key, name: RETRY }).error) retriesFailed.add(1)
}

/** What began after the kill was not with the node; sure to within the time of the question. */
function classify({ error }: Answer, began: number): void {
  const killedAgo = sinceKill()
  const wasWithNode = error === NO_ANSWER && killedAgo !== null && killedAgo <= now() - began
  if (wasWithNode) lostWithNode.add(1)
  else lostOtherwise.add(1)
}

export function disturbance(): void {
  sleep(plan.seconds / 3)
  disturb('drain')
  sleep(Math.max(0, (plan.seconds * 2) / 3 - now() / 1000))
  disturb('kill')
}

export const handleSummary = summaryWith()
