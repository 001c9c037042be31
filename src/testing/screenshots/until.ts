import { nowMs, sleep } from '../../clock.ts'

const PATIENCE_MS = 60_000
const LOOK_MS = 50

/** Resolves when it is so; for programs that are no tests. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = nowMs() + PATIENCE_MS
  while (!await isSo()) {
    if (nowMs() > deadline) throw new Error('What was waited for did not happen.')
    await sleep(LOOK_MS)
  }
}
