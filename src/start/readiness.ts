/** Whether a node should get traffic: its search is complete and its ledger takes writes. */
import { withDeadline } from '../clock.ts'
import type { Services } from '../services.ts'

const ASKED_MS_MAX = 1000

/** The reason why not; undefined when it should. */
export function createReadiness({ ledger, goods }: Services): () => Promise<string | undefined> {
  const late = (): Error => new Error('late')
  const succeeds = (question: Promise<unknown>): Promise<boolean> =>
    withDeadline(question, ASKED_MS_MAX, late).then(() => true, () => false)
  return async () => {
    const [isLedgerUp, isSearchUp] = await Promise.all([
      succeeds(ledger.ping()), succeeds(goods.isReady(ASKED_MS_MAX)),
    ])
    if (!isLedgerUp) return 'the ledger does not answer'
    return isSearchUp ? undefined : 'the goods index is not complete'
  }
}
