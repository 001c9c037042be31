/** Units of a UTC day by Redis's clock: the one count behind daily quotas. */
import { nowMs } from '../contract/time.ts'
import { defineScript, type Script } from '../redis/script.ts'

export const DAY_S = 86_400
const DAY_MS = DAY_S * 1000
const ANOTHER_DAY = -1

type Reply = [granted: number, used: number, endsMs: number]

const quotaTake = defineScript('quota-take', ['used'], ['day', 'limit', 'want'],
  (reply: Reply) => reply)
const quotaReturn = defineScript('quota-return', ['used'], ['units'], (used: number) => used)

/** Runs a script of one key. */
export type Run = <A extends string, R>(
  script: Script<'used', A, R>, keys: { used: string }, args: Record<A, number>,
) => Promise<R>

export interface DayTaken {
  readonly granted: number
  /** Units taken so far, by whomever. */
  readonly used: number
  /** Until the day ends. */
  readonly endsMs: number
  /** Days since 1970. */
  readonly day: number
}

/** Takes up to `want`; `keyOf` names the day's key, since the node's clock may be a day off. */
export async function takeOfDay(
  run: Run, keyOf: (day: number) => string, limit: number, want: number,
): Promise<DayTaken> {
  let day = Math.floor(nowMs() / DAY_MS)
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const [granted, used, endsMs] =
      await run(quotaTake, { used: keyOf(day) }, { day, limit, want })
    if (granted !== ANOTHER_DAY) return { granted, used, endsMs, day }
    day = used
  }
  throw new Error('The day changed with every look.')
}

/** Gives back what was taken of a day and not used. Lost on the way, it counts as used. */
export const returnToDay = async (run: Run, key: string, units: number): Promise<void> => {
  await run(quotaReturn, { used: key }, { units })
}
