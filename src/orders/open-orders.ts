/**
 * How many orders a caller may have unpaid, and try in a day: counted by agent, account and client
 * address before anything is written to the ledger. Counts live on counters; an entry ends with its
 * payment window, so that whatever crashes in between heals by itself.
 */
import { LRUCache } from 'lru-cache'
import { monotonicMs } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { Logger } from '../log.ts'
import type { RedisClient } from '../redis/connect.ts'
import { Counters } from '../redis/counters.ts'
import { counters as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import type { Cap, OrderCaps } from '../limits/tiers.ts'

export interface Holder {
  readonly agent: string
  readonly account: string
  readonly tier?: string
  readonly client?: { readonly address: string }
}

export interface Reservation {
  /** Lets go: nothing was placed by this call, or what it found waits no longer. */
  release(found: 'nothing' | 'ended order'): Promise<void>
}

export interface OpenOrders {
  /** Percent of a product's stock that keys of the tier may hold unpaid together. */
  stockPercent(tier: string | undefined): number | undefined
  /**
   * Counts an order that is about to be placed, once for its number; refuses with order_limit. Its
   * entry stays until the order is paid or closed, or its window is over. Undefined at once where
   * nothing limits the holder.
   */
  reserve(
    order: { orderNo: string, units: number }, holder: Holder,
  ): Promise<Reservation> | undefined
  /** An agent's orders wait for payment no longer. Never throws: an entry ends by itself. */
  end(agent: string, orderNos: readonly string[]): Promise<void>
}

interface OpenOrdersOptions {
  readonly counters: RedisClient
  readonly capsOf: (tier: string) => OrderCaps
  /** What addresses are counted by: IPv6 by /64. */
  readonly groupOf: (address: string) => string
  readonly windowMs: number
  readonly log: Pick<Logger, 'warn'>
}

type Limit = 'open' | 'units' | 'per_day'
type Of = 'agent' | 'account' | 'address'

interface Subject {
  readonly of: Of
  readonly id: string
  readonly cap: Cap
}

const openReserve = defineScript('open-reserve', ['open', 'tally'],
  ['order_no', 'units', 'note', 'window_ms', 'open_max', 'units_max', 'day_max'],
  ([code, number, waitMs]: ['held' | Limit, number, number?]) => ({ code, number, waitMs }))

const openRelease = defineScript('open-release', ['open', 'tally'],
  ['order_no', 'call', 'untried'], (taken: number) => taken === 1)

/** Callers that a node counts by itself while counters are down. */
const LOCAL_MAX = 100_000

/** Where nobody is limited. */
export const NO_CAPS: OpenOrders = {
  stockPercent: () => undefined,
  reserve: () => undefined,
  end: async () => {},
}

export class CappedOrders implements OpenOrders {
  private readonly options: OpenOrdersOptions
  private readonly counters: Counters
  /** By size: a largest number of entries would be reserved at once, 3 MB that stay empty. */
  private readonly local = new LRUCache<string, { count: number, endsAt: number }>({
    maxSize: LOCAL_MAX, sizeCalculation: () => 1,
  })

  constructor(options: OpenOrdersOptions) {
    this.options = options
    this.counters = new Counters(options.counters, options.log)
  }

  stockPercent(tier: string | undefined): number | undefined {
    return tier === undefined ? undefined : this.options.capsOf(tier).stock_percent
  }

  reserve(
    order: { orderNo: string, units: number }, holder: Holder,
  ): Promise<Reservation> | undefined {
    const subjects = this.subjectsOf(holder)
    return subjects.length === 0 ? undefined : this.reserveFor(subjects, order, holder)
  }

  private async reserveFor(
    subjects: readonly Subject[], { orderNo, units }: { orderNo: string, units: number },
    holder: Holder,
  ): Promise<Reservation> {
    const address = subjects.find(({ of }) => of === 'address')?.id ?? ''
    const replies = await Promise.all(subjects.map((subject) =>
      this.take(subject, orderNo, units, `${holder.account} ${address}`).catch(() => undefined)))
    const held = subjects.filter((_, index) => replies[index]?.code === 'held')
    const refused = replies.findIndex((reply) => reply && reply.code !== 'held')
    if (refused >= 0) {
      await this.releaseAll(held, orderNo, '1', '1')
      const { of } = subjects[refused] as Subject
      const { code, number, waitMs = 0 } = replies[refused] as NonNullable<typeof replies[0]>
      throw limited(of, code as Limit, number, waitMs)
    }
    for (const [index, subject] of subjects.entries()) if (!replies[index]) this.takeLocal(subject)
    const isNew = replies.some((reply) => reply?.number === 1)
    return {
      release: async (found) => {
        const isOver = found === 'ended order'
        await this.releaseAll(held, orderNo, isOver ? '' : '1', isOver && isNew ? '1' : '')
      },
    }
  }

  async end(agent: string, orderNos: readonly string[]): Promise<void> {
    if (orderNos.length === 0) return
    const { client } = this.counters
    const kept = await this.counters.ask(() =>
      client.hmget(keys.openTally('agent', agent), ...orderNos)).catch(() => [])
    await Promise.all(kept.map(async (note, index) => {
      if (!note) return
      const [, account = '', address = ''] = note.split(' ')
      const others = [{ of: 'account', id: account }, { of: 'address', id: address }] as const
      await this.releaseAll(others.filter(({ id }) => id !== ''), orderNos[index] ?? '', '', '')
      // Last: who comes after a crash in between finds here what is left to do.
      await this.releaseAll([{ of: 'agent', id: agent }], orderNos[index] ?? '', '', '')
    }))
  }

  private subjectsOf({ agent, account, tier, client }: Holder): Subject[] {
    if (tier === undefined) return []
    const caps = this.options.capsOf(tier)
    if (!caps.agent && !caps.account && !caps.address) return []
    const group = caps.address && client ? this.options.groupOf(client.address) : undefined
    return ([['agent', agent], ['account', account], ['address', group]] as const)
      .flatMap(([of, id]) => {
        const cap = caps[of]
        return cap && id !== undefined ? [{ of, id, cap }] : []
      })
  }

  private take({ of, id, cap }: Subject, orderNo: string, units: number, note: string) {
    return this.counters.ask(() => openReserve.run(this.counters.client, keysOf(of, id), {
      order_no: orderNo, units, note: of === 'agent' ? note : '',
      window_ms: this.options.windowMs, open_max: cap.open, units_max: cap.units,
      day_max: cap.per_day,
    }))
  }

  /** As many in a window as may be open: less than the cap for who pays. */
  private takeLocal({ of, id, cap }: Subject): void {
    const now = monotonicMs()
    const known = this.local.get(`${of}:${id}`)
    const held = known && known.endsAt > now
      ? known : { count: 0, endsAt: now + this.options.windowMs }
    if (held.count >= cap.open) throw limited(of, 'open', 0, held.endsAt - now)
    this.local.set(`${of}:${id}`, { ...held, count: held.count + 1 })
  }

  private async releaseAll(
    held: readonly Pick<Subject, 'of' | 'id'>[], orderNo: string, call: '1' | '', untried: '1' | '',
  ): Promise<void> {
    const { client } = this.counters
    try {
      await this.counters.ask(() => Promise.all(held.map(({ of, id }) =>
        openRelease.run(client, keysOf(of, id), { order_no: orderNo, call, untried }))))
    } catch (error) {
      this.options.log.warn({ error: (error as Error).message },
        'an order counts as open until its window ends')
    }
  }
}

const keysOf = (of: Of, id: string) =>
  ({ open: keys.open(of, id), tally: keys.openTally(of, id) })

const HINTS: Record<Limit, string> = {
  open: 'Have an open order paid (GET /v1/orders lists them), or wait until the next one ends.',
  units: 'Order at most left pieces, pay or cancel an open order, or wait until the next one ends.',
  per_day: 'Go on after retry_after_s, or use the key of an account with a higher tier.',
}

const limited = (of: Of, limit: Limit, left: number, waitMs: number): Refusal =>
  new Refusal('order_limit', {
    hint: HINTS[limit], of, limit, left, retry_after_s: Math.max(1, Math.ceil(waitMs / 1000)),
    policy: 'orders',
  })
