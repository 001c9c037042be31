/** What the order brought its integrator, from the operator's side of the ledger. */
import { traceText } from '../commands/trace.ts'
import { atWork } from '../commands/ledger.ts'
import { monotonicMs, sleep } from '../contract/time.ts'
import type { Config } from '../config.ts'
import { trace, type TraceLine } from '../earnings/trace.ts'
import type { Logger } from '../log.ts'
import { attachEmbeddedRedis } from '../redis/embedded.ts'
import type { Stage } from './stage.ts'

/** Commissions follow orders by themselves, in moments. */
const POSTED_MS_MAX = 20_000

/** `config` is the node's; where its ledger cannot be reached from here, says how to see it. */
export async function showEarnings(
  config: Config, log: Logger, stage: Stage, orderNo: string,
): Promise<void> {
  await stage.chapter('What it earned')
  const isHere = config.redis !== undefined || await attachEmbeddedRedis(config) !== null
  const lines = isHere ? await settled(config, log, orderNo) : []
  for (const line of lines) stage.say(traceText(line))
  if (lines.length === 0) {
    stage.note('The books are where the node runs: npm run agentmall -- trace '
      + `${orderNo} shows them there.`)
    return
  }
  stage.note('5 % were pending from the payment on, and the refund took them back.')
}

/** The order's entries, once the refund has been posted. */
async function settled(config: Config, log: Logger, orderNo: string): Promise<TraceLine[]> {
  return await atWork(config, log, async ({ ledger }) => {
    for (const endsAt = monotonicMs() + POSTED_MS_MAX; ;) {
      const lines: TraceLine[] = []
      for await (const line of trace(ledger, orderNo)) lines.push(line)
      const isPosted = lines.filter(({ what }) => what === 'entry').length >= 2
      if (isPosted || lines.length === 0 || monotonicMs() > endsAt) return lines
      await sleep(200)
    }
  })
}
