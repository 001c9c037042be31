/** Faults of the shelf: it loses everything, as after an empty restart. */
import { monotonicMs } from '../../../contract/time.ts'
import { skuIdOf } from '../../../contract/ids.ts'
import { ask } from '../../../redis/server.ts'
import { pauseFor } from '../attempts.ts'
import { BOTH, WHOLE_MS_MAX, type Fault } from '../fault.ts'
import type { Stand } from '../stand.ts'

const POLL_MS = 100

/** Goods are unavailable until nodes have filled it again; nobody is told that there are none. */
export const flushShelf: Fault = {
  name: 'flush-shelf',
  on: BOTH,
  lastsMs: [0, 1000],
  async inflict(stand) {
    await ask(stand.shelf, (redis) => redis.flushall())
    return () => untilFilled(stand)
  },
}

async function untilFilled({ nodes, plenty, buyers }: Stand): Promise<void> {
  const end = monotonicMs() + WHOLE_MS_MAX
  const sku = skuIdOf(plenty[0]?.product_id ?? 0)
  const ways = nodes.flatMap(({ port }) =>
    ['goods', `goods/${sku}`].map((path) => `http://127.0.0.1:${port}/v1/${path}`))
  for (;;) {
    const answers = await Promise.all(ways.map((way) => judge(way, buyers[0]?.apiKey ?? '')))
    const wrong = answers.find((answer) => answer !== 'right' && answer !== 'unavailable')
    if (wrong !== undefined) throw new Error(`an empty shelf was told as ${wrong}`)
    if (answers.every((answer) => answer === 'right')) return
    if (monotonicMs() > end) throw new Error('the shelf was not filled again')
    await pauseFor(POLL_MS)
  }
}

async function judge(way: string, apiKey: string): Promise<string> {
  const answer = await fetch(way, {
    headers: { 'X-Api-Key': apiKey }, signal: AbortSignal.timeout(5000),
  }).catch(() => undefined)
  // A node that another fault has taken away says nothing, and nothing wrong.
  if (!answer || [429, 503].includes(answer.status)) return 'unavailable'
  const { data } = await answer.json() as { data: { items?: unknown[], sku_id?: number } }
  const isThere = data.items ? data.items.length > 0 : data.sku_id !== undefined
  return answer.status === 200 && isThere ? 'right' : `${way} ${answer.status}`
}
