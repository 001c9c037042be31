/** After the last fault: everything answers again, and nothing moves any more. */
import { monotonicMs } from '../../contract/time.ts'
import { pauseFor } from './attempts.ts'
import { WHOLE_MS_MAX } from './fault.ts'
import { keptOrders } from './kept.ts'
import type { Model } from './model.ts'
import type { Stand } from './stand.ts'

const POLL_MS = 250
const FINAL = ['closed', 'completed', 'refunded']

/** Every node says by itself that it may get traffic; nobody restarts it for that. */
export async function untilWhole({ nodes, cluster }: Stand, model: Model): Promise<void> {
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
export async function untilQuiet({ ledger }: Stand): Promise<void> {
  const end = monotonicMs() + WHOLE_MS_MAX
  while (monotonicMs() < end) {
    const orders = await keptOrders(ledger)
    if (orders.every(({ fields }) => FINAL.includes(fields['status'] ?? ''))) return
    await pauseFor(POLL_MS)
  }
}
