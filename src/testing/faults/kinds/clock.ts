/** A node's clock jumps, as when somebody sets it or a time server corrects it. */
import { nowMs } from '../../../contract/time.ts'
import { previewOrder } from '../../../operations/preview-order.ts'
import { pauseFor } from '../attempts.ts'
import { BOTH, type Fault } from '../fault.ts'
import { restForm } from '../../rest-form.ts'
import type { Stand } from '../stand.ts'
import type { StandNode } from '../stand-node.ts'

const JUMPS_S = [-86_400, -3600, -30, 30, 3600, 86_400]
/** The library looks at its file once a second. */
const SEEN_MS = 1000
const [POLL_MS, POLLS_MAX] = [250, 40]
/** Less than any jump, more than an answer takes. */
const APART_MS = 20_000

export const clockJump: Fault = {
  name: 'clock-jump',
  on: BOTH,
  needs: 'clock',
  lastsMs: [SEEN_MS, SEEN_MS + 4000],
  async inflict(stand, chance) {
    const { nodes } = stand
    const jumped = chance.happens(0.5) ? [chance.pick(nodes)] : nodes
    for (const node of jumped) node.shiftClock(chance.pick(JUMPS_S))
    await Promise.all(jumped.map((node) => untilJumped(stand, node)))
    return async () => { for (const node of jumped) node.shiftClock(0) }
  },
}

/** The node's own word for it: a fault that did not happen would show nothing. */
async function untilJumped({ buyers, plenty }: Stand, { name, port }: StandNode): Promise<void> {
  const [buyer, goods] = [buyers[0], plenty[0]]
  const { path, body } = restForm(previewOrder, {
    merchant_id: goods?.merchant_id, product_id: goods?.product_id, qty: 1,
  })
  for (let polls = 0; polls < POLLS_MAX; polls += 1) {
    const said = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST', body: JSON.stringify(body), signal: AbortSignal.timeout(5000),
      headers: { 'X-Api-Key': buyer?.apiKey ?? '', 'Content-Type': 'application/json' },
    }).then((response) => response.json() as Promise<{ data: Record<string, string> }>)
      .catch(() => undefined)
    const time = Date.parse(said?.data['inventory_snapshot_at'] ?? '')
    if (Math.abs(time - nowMs()) > APART_MS) return
    await pauseFor(POLL_MS)
  }
  throw new Error(`the clock of ${name} did not jump`)
}
