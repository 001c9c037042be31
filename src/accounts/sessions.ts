/**
 * Sessions of people who signed in. They live on counters: losing them costs a sign-in. Whether
 * one is still good is decided by its account's epoch, which lives on the ledger.
 */
import { randomBytes } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'
import { LRUCache } from 'lru-cache'
import type { Session } from '../contract/caller.ts'
import { randomBase62 } from '../contract/ids.ts'
import { monotonicMs } from '../contract/time.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { RedisClient } from '../redis/connect.ts'
import { counters as sessionKeys, ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import { orUnavailable } from '../redis/command-errors.ts'

const DAY_MS = 86_400_000
const IDLE_MS = 30 * DAY_MS
const LIFE_MS = 90 * DAY_MS
const SLACK_MS = 3_600_000
const ID_BYTES = 32
const ID = /^[0-9A-Za-z_-]{43}$/
/** Under a second: so soon "sign out everywhere" is in force on every node. */
const EPOCH_FRESH_MS = 900
const EPOCHS_MAX = 10_000
const COOKIE = 'agentmall_session'
const DEVICE_COOKIE = 'agentmall_device'
const DEVICE_LIFE_MS = 365 * DAY_MS
const DEVICE_LENGTH = 22

const sessionStart = defineScript('session-start', ['session'],
  ['account', 'epoch', 'idle_ms', 'life_ms'], (done: number) => done)
const sessionUse = defineScript('session-use', ['session'], ['idle_ms', 'slack_ms'],
  ([account, epoch]: [string?, string?]) =>
    (account === undefined ? undefined : { account, epoch: Number(epoch) }))

/** Somebody who has shown that the account is theirs. */
export interface SignedIn {
  readonly account: string
  /** Of the account's sessions, as it was when the password was proved. */
  readonly epoch: number
}

export interface Sessions {
  start(who: SignedIn): Promise<Session>
  /** Undefined when it is unknown, over, or its account signed out everywhere. */
  find(id: string): Promise<Session | undefined>
  end(id: string): Promise<void>
  csrfMatches(session: Session, given: string): boolean
  /** Set-Cookie for a session; without one it takes the cookie away. */
  cookie(session?: Session): string
  /** Set-Cookie for what a browser keeps of its sign-in, also after it signed out. */
  deviceCookie(device: string): string
  /** From a Cookie header. */
  idOf(cookies: string | undefined): string | undefined
  /** The same of the device, as it was sent. */
  deviceOf(cookies: string | undefined): string | undefined
}

interface SessionsOptions {
  readonly counters: RedisClient
  readonly ledger: RedisClient
  readonly secrets: Secrets
  readonly publicUrl: string
}

export function createSessions(options: SessionsOptions): Sessions {
  const { counters, ledger, secrets, publicUrl } = options
  const epochs = new LRUCache<string, { epoch: number, at: number }>({ max: EPOCHS_MAX })
  const keyOf = (id: string): string => sessionKeys.session(secrets.keyedHash('session', id))
  const csrfOf = (id: string): string => secrets.keyedHash('csrf', id)

  /** NaN when nobody can sign in to it any more. */
  async function epochOf(account: string, isEnough: (epoch: number) => boolean): Promise<number> {
    const at = monotonicMs()
    const known = epochs.get(account)
    if (known && at - known.at < EPOCH_FRESH_MS && isEnough(known.epoch)) return known.epoch
    const epoch = Number(await ledger.hget(keys.login(account), 'epoch') ?? NaN)
    epochs.set(account, { epoch, at })
    return epoch
  }

  const { protocol, pathname } = new URL(publicUrl)
  const setCookie = (name: string, value: string, maxAge: number): string =>
    stringifySetCookie({
      name, value, maxAge, path: `${pathname.replace(/\/$/, '')}/console`, httpOnly: true,
      sameSite: 'strict', secure: protocol === 'https:',
    })

  return {
    async start({ account, epoch }) {
      const id = randomBytes(ID_BYTES).toString('base64url')
      await orUnavailable(sessionStart.run(counters, { session: keyOf(id) },
        { account, epoch, idle_ms: IDLE_MS, life_ms: LIFE_MS }))
      return { id, account, csrf: csrfOf(id) }
    },
    async find(id) {
      if (!ID.test(id)) return undefined
      const found = await orUnavailable(sessionUse.run(counters, { session: keyOf(id) },
        { idle_ms: IDLE_MS, slack_ms: SLACK_MS }))
      if (!found) return undefined
      // A session of a newer epoch than is known here was opened after a change of password.
      const epoch = await orUnavailable(epochOf(found.account, (known) => known >= found.epoch))
      return epoch === found.epoch ? { id, account: found.account, csrf: csrfOf(id) } : undefined
    },
    async end(id) {
      await orUnavailable(counters.del(keyOf(id)))
    },
    csrfMatches: ({ id }, given) => secrets.keyedHashMatches('csrf', id, given),
    cookie: (session) => (session
      ? setCookie(COOKIE, session.id, IDLE_MS / 1000) : setCookie(COOKIE, '', 0)),
    deviceCookie: (device) => setCookie(DEVICE_COOKIE, device, DEVICE_LIFE_MS / 1000),
    idOf(cookies) {
      const found = parseCookie(cookies ?? '')[COOKIE]
      return found !== undefined && ID.test(found) ? found : undefined
    },
    deviceOf: (cookies) => parseCookie(cookies ?? '')[DEVICE_COOKIE],
  }
}

export type DeviceTokens = ReturnType<typeof createDeviceTokens>

/** Device cookies: `nonce.mac`, valid for one address (OWASP: slowing down guessing attacks). */
export function createDeviceTokens(secrets: Pick<Secrets, 'token' | 'tokenMatches'>) {
  const subject = (emailHash: string, nonce: string): string => `${emailHash}:${nonce}`
  return {
    /** With the nonce of a known device its cookie anew, as the present SECRET signs it. */
    issue(emailHash: string, nonce = randomBase62(DEVICE_LENGTH)): string {
      return `${nonce}.${secrets.token('device', subject(emailHash, nonce))}`
    },
    /** The nonce of a device that signed in with this address; undefined for any other text. */
    read(device: string | undefined, emailHash: string): string | undefined {
      const [nonce = '', mac = ''] = device?.split('.') ?? []
      return nonce.length === DEVICE_LENGTH
        && secrets.tokenMatches('device', subject(emailHash, nonce), mac) ? nonce : undefined
    },
  }
}
