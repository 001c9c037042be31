/** The natural person behind an order, and how many after-sales they may still ask for. */
import { nowMs } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import { openReceiver } from './receiver.ts'
import type { OrderRecord } from './record.ts'

export const AFTERSALES_MAX = 5
const AFTERSALE_WINDOW_MS = 30 * 86_400_000

const windowReserve = defineScript('window-reserve', ['window'], ['id', 'limit', 'window_ms'],
  ([isReserved, left, closesAt]: [number, number, number]) =>
    ({ isReserved: isReserved === 1, left, closesAt }))

const windowRelease = defineScript('window-release', ['window'], ['id'],
  (holders: number) => holders)

export interface PersonQuota {
  readonly left: number
  /** When the window closes, ms; absent while none is open. */
  readonly closesAt?: number
}

export interface People {
  /** The integrator's name for them, else the phone that the parcel goes to; told to nobody. */
  keyOf(order: OrderRecord): string
  quota(humanKey: string): Promise<PersonQuota>
  /**
   * Takes a place of the window for an after-sale: the same id takes one place, however often.
   * Refuses with aftersale_quota when all are taken.
   */
  reserve(humanKey: string, id: string): Promise<PersonQuota>
  /** Gives all back: a new window begins with the next after-sale. */
  restore(humanKey: string): Promise<void>
  /** Undoes one `reserve` whose after-sale did not come about by it. */
  release(humanKey: string, id: string): Promise<void>
}

interface PeopleOptions {
  readonly ledger: RedisClient
  readonly durable: Durable
  readonly secrets: Secrets
  readonly isSandbox?: boolean
}

/** Integrators play the same person again and again. */
const SANDBOX_HINT = 'In the sandbox, give the order a user_ref of its own, or restore the quota '
  + 'on the order\'s page of the console (POST /console/api/orders/:order_no/moves, '
  + 'move restore_quota); else wait retry_after_s seconds.'

export function createPeople(
  { ledger, durable, secrets, isSandbox = false }: PeopleOptions,
): People {
  return {
    keyOf(order) {
      const { account, user_ref } = order.given
      const who = user_ref === undefined
        ? ['phone', phoneOf(order, secrets)] : ['user_ref', user_ref]
      return secrets.keyedHash('human', JSON.stringify([account, ...who]))
    },
    async quota(humanKey) {
      const window = keys.human(humanKey)
      const [used, closesAt] = await Promise.all([ledger.hlen(window), ledger.pexpiretime(window)])
      return {
        left: Math.max(0, AFTERSALES_MAX - used), ...(closesAt > 0 && { closesAt }),
      }
    },
    async reserve(humanKey, id) {
      const { isReserved, left, closesAt } = await durable.run(windowReserve,
        { window: keys.human(humanKey) },
        { id, limit: AFTERSALES_MAX, window_ms: AFTERSALE_WINDOW_MS })
      if (!isReserved) {
        throw new Refusal('aftersale_quota', {
          retry_after_s: Math.ceil(Math.max(0, closesAt - nowMs()) / 1000), quota_left: 0,
          ...(isSandbox && { hint: SANDBOX_HINT }),
        })
      }
      return { left, closesAt }
    },
    async restore(humanKey) {
      await durable.send('del', keys.human(humanKey))
    },
    async release(humanKey, id) {
      await durable.run(windowRelease, { window: keys.human(humanKey) }, { id })
    },
  }
}

/** Digits only, without the country's prefix: the same number however it was written. */
function phoneOf({ receiver, orderNo }: OrderRecord, secrets: Secrets): string {
  const { phone } = openReceiver(receiver, orderNo, secrets.seal('receiver'))
  return phone.replaceAll(/\D/g, '').replace(/^(?:00)?86(?=1\d{10}$)/, '')
}
