import { setTimeout as pause } from 'node:timers/promises'

const TRIES = 600
const LOOK_MS = 100

/** Resolves when it is so; for programs that are no tests. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (await isSo()) return
    await pause(LOOK_MS)
  }
  throw new Error('What was waited for did not happen.')
}
