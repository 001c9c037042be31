/** How often an address may call what has no caller: pages, images, documents, unknown links. */
import { Refusal } from '../contract/errors.ts'
import { AddressTokens } from '../limits/address-tokens.ts'
import { waitSeconds } from '../limits/headers.ts'
import { RefusalPace } from '../gate/refusal-pace.ts'
import type { Maybe } from '../contract/maybe.ts'
import { measures } from '../measures.ts'
import type { Shape } from '../redis/counters.ts'

/** Pages, images and documents, which have no caller: a person's browser stays far below it. */
export const PAGES: Shape = { rate_per_s: 200, burst: 2000 }

export class AddressBucket {
  private readonly policy: string
  private readonly shape: Shape
  private readonly tokens: AddressTokens
  private readonly pace = new RefusalPace()

  constructor(policy: string, shape: Shape) {
    this.policy = policy
    this.shape = shape
    this.tokens = new AddressTokens(shape)
  }

  /** Takes a token; the refusal where there is none, late in a flood of them. */
  take(address: string): Maybe<Refusal | undefined> {
    const waitMs = this.tokens.take(address)
    if (waitMs === 0) return undefined
    const { policy, shape: { rate_per_s, burst } } = this
    measures.limited.add(policy)
    const refusal = new Refusal('rate_limited', {
      policy, limit: burst, window_s: Math.ceil(burst / rate_per_s),
      retry_after_s: waitSeconds(waitMs),
    })
    const late = this.pace.wait(address)
    return late instanceof Promise ? late.then(() => refusal) : refusal
  }

  /** Gives a token back: what it was taken for turned out not to count. */
  refund(address: string): void {
    this.tokens.refund(address)
  }
}
