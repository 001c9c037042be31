import fc from 'fast-check'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { createLogger } from '../log.ts'
import { MODES } from '../contract/money.ts'
import { dump, openLedger, START_MS } from '../../loadtest/earnings/ledger.ts'
import { forge, playHistory } from '../../loadtest/earnings/world.ts'
import { history } from '../../loadtest/earnings/steps.ts'
import { auditAccount } from './audit.ts'

/** `npm run earnings -- --histories 10000` plays more. */
const HISTORIES = 300
/** Of them, played again. */
const REPEATED = 50

const store = await openLedger(createLogger('silent'))
afterAll(() => store.close())

test('money adds up after any history, whatever is repeated, reordered and cut off', async () => {
  await fc.assert(fc.asyncProperty(history, fc.scheduler(), async (plan, scheduler) => {
    expect(await playHistory(store, plan, scheduler)).toEqual([])
  }), { numRuns: HISTORIES })
})

test('a history leaves the same books each time, on any ledger, to the byte', async () => {
  // The node's clock says on which day an entry is counted.
  vi.useFakeTimers({ toFake: ['Date'], now: START_MS })
  onTestFinished(() => { vi.useRealTimers() })
  const other = await openLedger(createLogger('silent'))
  onTestFinished(() => other.close())
  const books = async (on: typeof store): Promise<string[]> => {
    const all: string[] = []
    // The same seed gives the same plans and schedules.
    for (const [plan, scheduler] of fc.sample(fc.tuple(history, fc.scheduler()), REPEATED)) {
      await playHistory(on, plan, scheduler)
      all.push(await dump(on.ledger))
    }
    return all
  }
  const first = await books(store)
  expect(new Set(first).size).toBeGreaterThan(REPEATED / 2)
  expect(await books(store)).toEqual(first)
  expect(await books(other)).toEqual(first)
})

test('the audit of those histories sees fen that nobody earned', async () => {
  for (const mode of MODES) {
    await forge({ ...store, mode }, 'ac_forged')
    const { violations } = await auditAccount({ ...store, mode }, 'ac_forged')
    expect(violations.map(({ invariant }) => invariant)).toContain('state')
  }
})
