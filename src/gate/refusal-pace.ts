/**
 * Answers refused calls late where an address sends many of them: who waits for each answer calls
 * less often then, and a flood costs neither side much. Nothing that is granted waits here.
 */
import { sleep } from '../contract/time.ts'
import type { Maybe } from '../contract/maybe.ts'
import type { Shape } from '../redis/counters.ts'
import { AddressTokens } from '../limits/address-tokens.ts'

/** Refusals of an address that are answered at once. */
export const PROMPT_REFUSALS: Shape = { rate_per_s: 10, burst: 40 }
/** Every refusal says to come back in a second at the earliest. */
export const REFUSAL_HELD_MS = 1000
/** Of all addresses; what comes on top is answered at once. */
const HELD_MAX = 4096

export class RefusalPace {
  private held = 0
  private readonly prompt: AddressTokens

  constructor(prompt = PROMPT_REFUSALS) {
    this.prompt = new AddressTokens(prompt)
  }

  /** Settles when the address may be told that it is refused; mostly at once. */
  wait(address: string): Maybe<void> {
    if (this.prompt.take(address) === 0 || this.held >= HELD_MAX) return undefined
    this.held += 1
    return sleep(REFUSAL_HELD_MS).then(() => { this.held -= 1 })
  }
}
