import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createLogger } from '../log.ts'
import { MODES } from '../money.ts'
import { openLedger } from '../testing/earnings/ledger.ts'
import { forge, playHistory } from '../testing/earnings/world.ts'
import { history } from '../testing/earnings/steps.ts'
import { auditAccount } from './audit.ts'

/** `npm run earnings -- --histories 10000` plays more. */
const HISTORIES = 300

const place = await openLedger(createLogger('silent'))
afterAll(() => place.close())

test('money adds up after any history, whatever is repeated, reordered and cut off', async () => {
  await fc.assert(fc.asyncProperty(history, async (plan) => {
    expect(await playHistory(place, plan)).toEqual([])
  }), { numRuns: HISTORIES })
}, 120_000)

test('the audit of those histories sees fen that nobody earned', async () => {
  for (const mode of MODES) {
    await forge({ ...place, mode }, 'ac_forged')
    const { violations } = await auditAccount({ ...place, mode }, 'ac_forged')
    expect(violations.map(({ invariant }) => invariant)).toContain('state')
  }
})
