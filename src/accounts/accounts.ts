/** People who own agents: registering, signing in, and leaving. */
import { isoTime, nowMs } from '../contract/time.ts'
import { randomBase62, randomId } from '../contract/ids.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { Mode } from '../contract/money.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import { closeAccount, type ClosingOptions } from './closing.ts'
import { readAgent } from './agent-record.ts'
import { normalEmail } from './email.ts'
import type { Accounts } from './keys.ts'
import { leaveAccount, readMembers } from './membership.ts'
import type { AddressProofs } from './address-proofs.ts'
import type { Passwords } from './passwords.ts'
import type { SignedIn } from './sessions.ts'
import type { Throttle } from '../limits/throttle.ts'

/** A registration that a crash cut short holds its address for so long, and its record longer. */
const HOLD_MS = 120_000
const RECORD_MS = 300_000
const NOBODY = 'nobody'

const emailHold = defineScript('email-hold', ['email'], ['account', 'ttl_ms', 'instead'],
  (holder: string) => holder)
const emailRelease = defineScript('email-release', ['email'], ['account'],
  (released: number) => released === 1)
const accountCreate = defineScript('account-create', ['account', 'login'],
  ['email', 'email_hash', 'password', 'at', 'ttl_ms'], (made: number) => made === 1)
const accountSettle = defineScript('account-settle', ['account', 'login'], ['is_kept'],
  (done: number) => done === 1)
const loginChange = defineScript('login-change', ['login'], ['proved', 'next'],
  (epoch: number) => epoch)

export interface Owners {
  /** Answers the same whether the address was free or not, and signs nobody in. */
  register(email: string, password: string, address: string): Promise<void>
  /**
   * Undefined when address or password is wrong, whichever it is. A `device` that signed in to
   * this account before has tries of its own: a stranger's wrong ones do not keep its owner out.
   */
  signIn(
    email: string, password: string, address: string, device?: string,
  ): Promise<DeviceSignIn | undefined>
  /** Ends all sessions; undefined when the present password is wrong. */
  changePassword(
    account: string, present: string, next: string, address: string,
  ): Promise<SignedIn | undefined>
  signOutEverywhere(account: string): Promise<void>
  /**
   * False when the password is wrong. Keys end at once; orders and books stay. Refuses with
   * withdrawal_refused while a withdrawal is under way, where money is left without `forfeit`, and
   * where the account owes.
   */
  deleteAccount(
    account: string, password: string, address: string, options?: ClosingOptions,
  ): Promise<boolean>
  /** The same for the operator, who needs no password; false when there is no such account. */
  close(account: string, options?: ClosingOptions): Promise<boolean>
  emailOf(account: string): Promise<string | undefined>
}

export interface DeviceSignIn extends SignedIn {
  /** What the browser keeps and sends with its next sign-in. */
  readonly device: string
}

export interface OwnersOptions {
  readonly ledger: RedisClient
  readonly durable: Pick<Durable, 'run'>
  readonly secrets: Secrets
  readonly passwords: Passwords
  readonly throttle: Throttle
  /** Of the service. */
  readonly mode: Mode
  readonly accounts: Pick<Accounts, 'end'>
  /** Absent for the operator's tools, which register nobody. */
  readonly proofs?: Pick<AddressProofs, 'welcome' | 'tellPasswordChanged'>
  /** Hears of every change, after it. */
  readonly onChange?: (account: string) => void
}

export function createOwners(options: OwnersOptions): Owners {
  const { ledger, durable: { run }, secrets, passwords, throttle, mode, accounts } = options
  const { onChange = () => {} } = options
  const seal = secrets.seal('email')
  const devices = createDevices(secrets)
  const hashOf = (email: string): string => secrets.keyedHash('email', email)
  const recordOf = (account: string) =>
    ({ account: keys.account(account), login: keys.login(account) })

  async function prove(account: string, password: string): Promise<string | undefined> {
    const hashed = await ledger.hget(keys.login(account), 'password') ?? undefined
    return await passwords.matches(password, hashed) ? hashed : undefined
  }

  /** Both ways make the same writes: how long it takes tells nobody whether an address is known. */
  async function makeAccount(email: string, password: string): Promise<[string, boolean]> {
    const [account, email_hash] = [randomId('ac_'), hashOf(email)]
    const hold = (ttl_ms: number | '', instead = ''): Promise<string> =>
      run(emailHold, { email: keys.email(email_hash) }, { account, ttl_ms, instead })
    await run(accountCreate, recordOf(account), {
      email: seal.seal(email, account), email_hash, password, at: isoTime(nowMs()),
      ttl_ms: RECORD_MS,
    })
    let holder = await hold(HOLD_MS)
    // A deletion that a crash cut short, or a record that ran out, left the address behind.
    if (await ledger.exists(keys.login(holder)) === 0) holder = await hold(HOLD_MS, holder)
    const settle = (isOurs: boolean): Promise<boolean> =>
      run(accountSettle, recordOf(account), { is_kept: isOurs ? 1 : 0 })
    await settle(holder === account)
    const kept = await hold('')
    if (holder === account && kept !== account) await settle(false)
    if (kept === account) onChange(account)
    return [kept, kept === account]
  }

  /** A crash between a registration's last two writes: whoever signs in makes the last one. */
  async function mend(account: string, email: string): Promise<void> {
    const email_key = keys.email(hashOf(email))
    if (await ledger.pttl(email_key) < 0) return
    await run(accountSettle, recordOf(account), { is_kept: 1 })
    await run(emailHold, { email: email_key }, { account, ttl_ms: '', instead: '' })
  }

  async function close(account: string, given?: ClosingOptions): Promise<boolean> {
    const email_hash = await ledger.hget(keys.login(account), 'email_hash')
    if (!await closeAccount(run, account, mode, 'closing', given)) return false
    for (const [agent] of await readMembers(ledger, account)) {
      // A place may be held for an agent that never came, and is another account's.
      const isOwn = (await readAgent(ledger, agent))?.account === account
      if (isOwn) await accounts.end(agent, 'delete')
      await leaveAccount(run, account, agent, isOwn)
    }
    await closeAccount(run, account, mode, 'deleted')
    if (email_hash) await run(emailRelease, { email: keys.email(email_hash) }, { account })
    onChange(account)
    return true
  }

  return {
    async register(given, password, address) {
      passwords.assertUsable(password)
      const email = normalEmail(given)
      await throttle.take('register', address, hashOf(email))
      const [account, isNew] = await makeAccount(email, await passwords.hash(password))
      await options.proofs?.welcome(email, account, isNew)
    },
    async signIn(given, password, address, device) {
      const email = normalEmail(given)
      const known = devices.read(device, hashOf(email))
      await throttle.take('sign-in', address, known ? `device:${known}` : hashOf(email))
      const account = await ledger.get(keys.email(hashOf(email)))
      // One moment's password and epoch: a change of password in between ends what comes of it.
      const [hashed, epoch] =
        await ledger.hmget(keys.login(account ?? NOBODY), 'password', 'epoch')
      const isRight = await passwords.matches(password, hashed ?? undefined)
      if (!isRight || account === null) return undefined
      await mend(account, email)
      return {
        account, epoch: Number(epoch),
        device: devices.issue(hashOf(email), known),
      }
    },
    async changePassword(account, present, next, address) {
      passwords.assertUsable(next, 'new_password')
      await throttle.take('password', address, account)
      const proved = await prove(account, present)
      if (proved === undefined) return undefined
      const epoch = await run(loginChange, { login: keys.login(account) },
        { proved, next: await passwords.hash(next) })
      if (epoch === 0) return undefined
      await options.proofs?.tellPasswordChanged(account)
      return { account, epoch }
    },
    async signOutEverywhere(account) {
      await run(loginChange, { login: keys.login(account) }, { proved: '', next: '' })
    },
    async deleteAccount(account, password, address, given) {
      await throttle.take('password', address, account)
      return await prove(account, password) !== undefined && await close(account, given)
    },
    close,
    emailOf: createEmailReader(options),
  }
}

/** The address that an account signs in with; undefined where it has none. */
export function createEmailReader(
  { ledger, secrets }: Pick<OwnersOptions, 'ledger' | 'secrets'>,
): (account: string) => Promise<string | undefined> {
  const seal = secrets.seal('email')
  return async (account) => {
    const sealed = await ledger.hget(keys.login(account), 'email')
    return sealed ? seal.open(sealed, account) : undefined
  }
}

const DEVICE_LENGTH = 22

/** Device cookies: `nonce.mac`, good for one address (OWASP: slowing down guessing attacks). */
function createDevices(secrets: Pick<Secrets, 'token' | 'tokenMatches'>) {
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
