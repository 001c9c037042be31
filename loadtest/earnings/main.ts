/** `npm run earnings -- --histories 10000 [--seed 7]`: random histories, and how fast they go. */
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { monotonicMs } from '../../src/contract/time.ts'
import { createLogger } from '../../src/log.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { history } from './steps.ts'
import { playHistory } from './world.ts'

const { values } = parseArgs({ options: {
  histories: { type: 'string', default: '10000' }, seed: { type: 'string' },
  /** Of a failure that is to be seen again. */
  path: { type: 'string' },
} })
/** So many at once, each on a ledger of its own: a history mostly waits for it. */
const AT_ONCE = 4
const numRuns = Math.ceil(Number(values.histories) / AT_ONCE)
const seed = values.seed === undefined ? undefined : Number(values.seed)
const log = createLogger('silent')
const ledgers = await Promise.all(Array.from({ length: AT_ONCE }, () => openLedger(log)))
const started = monotonicMs()
let steps = 0
const seen: Record<string, number> = {}
const note = (what: string): void => { seen[what] = (seen[what] ?? 0) + 1 }
try {
  const scheduled = fc.tuple(history, fc.scheduler())
  const property = fc.asyncProperty(fc.tuple(scheduled, scheduled, scheduled, scheduled),
    async (plans) => {
      const wrong = await Promise.all(plans.map(([plan, scheduler], index) => {
        steps += plan.length
        return playHistory(ledgers[index] as Ledger, plan, scheduler, note)
      }))
      if (wrong.flat().length > 0) throw new Error(wrong.flat().join('\n'))
    })
  const result = await fc.check(property, {
      numRuns, ...(seed !== undefined && { seed }), ...(values.path && { path: values.path }),
    })
  const seconds = (monotonicMs() - started) / 1000
  process.stdout.write(`${JSON.stringify({
    seed: result.seed, histories: result.numRuns * AT_ONCE, steps, failed: result.failed,
    seconds: Math.round(seconds), per_second: Math.round(result.numRuns * AT_ONCE / seconds), seen,
  })}\n`)
  if (result.failed) {
    process.stdout.write(`${fc.defaultReportMessage(result) ?? ''}\n`
      + `${(result.errorInstance as Error | undefined)?.stack ?? ''}\n`)
    process.exitCode = 1
  }
} finally {
  await Promise.all(ledgers.map((ledger) => ledger.close()))
}
