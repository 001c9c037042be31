/**
 * People who own agents: registering, signing in, proving that they read an address's mail, and
 * leaving. Who reads the mail of an address proves an account's owner.
 */
import type { Config } from '../config.ts'
import { Refusal } from '../contract/errors.ts'
import { randomId } from '../contract/ids.ts'
import type { Mode } from '../contract/money.ts'
import { isoTime, nowMs } from '../contract/time.ts'
import type { Throttle } from '../limits/throttle.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { Seal } from '../secrets/seal.ts'
import { leaveAccount, readAgent, readMembers } from './agent-records.ts'
import type { ApiKeys } from './api-keys.ts'
import { joinTrial, type EarningsMerge } from './binding.ts'
import { AccountMails, normalEmail } from './email.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { createDeviceTokens, type DeviceTokens, type SignedIn } from './sessions.ts'

/** A registration that a crash cut short holds its address for so long, and its record longer. */
const HOLD_MS = 120_000
const RECORD_MS = 300_000
const NOBODY = 'nobody'
const PAYEES_MAX = 100

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
const loginVerify = defineScript('login-verify', ['login'], ['email_hash'],
  (done: number) => done === 1)
const loginReset = defineScript('login-reset', ['login', 'payees'], ['epoch', 'next', 'hold_ms'],
  (epoch: number) => epoch)
const payeeNote = defineScript('payee-note', ['login', 'payees'],
  ['payee', 'hold_ms', 'payee_max'], (from: string | number) => Number(from))

type CloseReply =
  ['done' | 'none' | 'open'] | ['money', ...fen: [number, number, number]] | ['debt', number]

const accountClose = defineScript('account-close',
  ['account', 'login', 'balances', 'records', 'live_balances', 'live_records'],
  ['state', 'forfeit', 'write_off', 'mode'], (reply: CloseReply) => reply)

export interface AccountsOptions {
  readonly ledger: RedisClient
  readonly durable: Pick<Durable, 'run'>
  readonly secrets: Secrets
  readonly throttle: Throttle
  /** Of the service. */
  readonly mode: Mode
  readonly mailer: Pick<Mailer, 'send'>
  readonly config: Pick<Config, 'publicUrl' | 'payeeHoldMs'>
  readonly apiKeys: Pick<ApiKeys, 'announce' | 'end'>
  readonly earnings: EarningsMerge
  /** Called after every change. */
  readonly onChange?: (account: string) => void
}

interface DeviceSignIn extends SignedIn {
  /** What the browser keeps and sends with its next sign-in. */
  readonly device: string
}

export interface ClosingOptions {
  /** Gives up what is left in the books. */
  readonly forfeit?: boolean
  /** Gives up what is owed: the operator's decision. */
  readonly writeOff?: boolean
}

/** A payee as it was asked for, and as it is shown. */
interface PayeeProof {
  /** The same for equal payees. */
  readonly fingerprint: string
  readonly masked: string
  /** Absent where the page did not ask for it. */
  readonly password?: string
}

export class Accounts {
  private readonly options: AccountsOptions
  private readonly ledger: RedisClient
  private readonly run: Durable['run']
  private readonly passwords: Passwords
  private readonly devices: DeviceTokens
  private readonly mails: AccountMails
  private readonly seal: Seal

  constructor(options: AccountsOptions) {
    const { ledger, durable, secrets, mailer, config } = options
    this.options = options
    this.ledger = ledger
    this.run = durable.run
    this.passwords = createPasswords(secrets.passwordPepper)
    this.devices = createDeviceTokens(secrets)
    this.mails = new AccountMails(secrets, mailer, config)
    this.seal = secrets.seal('email')
  }

  /**
   * Answers the same whether the address was free or not, and signs nobody in. Mails its owner: to
   * confirm the address, or that it is known.
   */
  async register(given: string, password: string, address: string): Promise<void> {
    this.passwords.assertUsable(password)
    const email = normalEmail(given)
    await this.options.throttle.take('register', address, this.hashOf(email))
    const [account, isNew] = await this.makeAccount(email, await this.passwords.hash(password))
    const [epoch] = await this.readLogin(account, 'epoch')
    if (isNew) this.mails.sendVerification(email, account, this.hashOf(email))
    else this.mails.sendKnown(email, account, Number(epoch))
  }

  /**
   * Undefined when address or password is wrong, whichever it is. A `device` that signed in to
   * this account before has tries of its own: a stranger's wrong ones do not keep its owner out.
   */
  async signIn(
    given: string, password: string, address: string, device?: string,
  ): Promise<DeviceSignIn | undefined> {
    const email = normalEmail(given)
    const emailHash = this.hashOf(email)
    const known = this.devices.read(device, emailHash)
    await this.options.throttle.take('sign-in', address, known ? `device:${known}` : emailHash)
    const account = await this.ledger.get(keys.email(emailHash))
    // One moment's password and epoch: a change of password in between ends what comes of it.
    const [hashed, epoch] = await this.readLogin(account ?? NOBODY, 'password', 'epoch')
    const isRight = await this.passwords.matches(password, hashed ?? undefined)
    if (!isRight || account === null) return undefined
    await this.completeRegistration(account, emailHash)
    return { account, epoch: Number(epoch), device: this.devices.issue(emailHash, known) }
  }

  /** Ends all sessions; undefined when the present password is wrong. */
  async changePassword(
    account: string, present: string, next: string, address: string,
  ): Promise<SignedIn | undefined> {
    this.passwords.assertUsable(next, 'new_password')
    await this.options.throttle.take('password', address, account)
    const proved = await this.provePassword(account, present)
    if (proved === undefined) return undefined
    const epoch = await this.run(loginChange, { login: keys.login(account) },
      { proved, next: await this.passwords.hash(next) })
    if (epoch === 0) return undefined
    await this.notifyPasswordChanged(account)
    return { account, epoch }
  }

  async signOutEverywhere(account: string): Promise<void> {
    await this.run(loginChange, { login: keys.login(account) }, { proved: '', next: '' })
  }

  /**
   * False when the password is wrong. Keys end at once; orders and books stay. Refuses with
   * withdrawal_refused while a withdrawal is under way, where money is left without `forfeit`, and
   * where the account owes.
   */
  async deleteAccount(
    account: string, password: string, address: string, given?: ClosingOptions,
  ): Promise<boolean> {
    await this.options.throttle.take('password', address, account)
    return await this.provePassword(account, password) !== undefined
      && await this.close(account, given)
  }

  /** The same for the operator, who needs no password; false when there is no such account. */
  async close(account: string, given?: ClosingOptions): Promise<boolean> {
    const { ledger, run } = this
    const { mode, apiKeys } = this.options
    const email_hash = await ledger.hget(keys.login(account), 'email_hash')
    if (!await closeBooks(run, account, mode, 'closing', given)) return false
    for (const [agent] of await readMembers(ledger, account)) {
      // A membership may be held for an agent that never came, and is another account's.
      const isOwn = (await readAgent(ledger, agent))?.account === account
      if (isOwn) await apiKeys.end(agent, 'delete')
      await leaveAccount(run, account, agent, isOwn)
    }
    await closeBooks(run, account, mode, 'deleted')
    if (email_hash) await run(emailRelease, { email: keys.email(email_hash) }, { account })
    this.options.onChange?.(account)
    return true
  }

  /** The address that an account signs in with; undefined where it has none. */
  async emailOf(account: string): Promise<string | undefined> {
    const [sealed] = await this.readLogin(account, 'email')
    return sealed ? this.seal.open(sealed, account) : undefined
  }

  /** The account that signs in with an address; undefined when there is none. */
  async find(given: string): Promise<string | undefined> {
    const hash = this.hashOf(normalEmail(given))
    const account = await this.ledger.get(keys.email(hash))
    // A deletion that a crash cut short leaves the address behind.
    const own = account === null ? null : await this.ledger.hget(keys.login(account), 'email_hash')
    return account !== null && own === hash ? account : undefined
  }

  /** Mails the link that confirms the address again. */
  async sendVerification(account: string, address: string): Promise<void> {
    await this.options.throttle.take('mail', address, account)
    const email = await this.emailOf(account)
    if (email !== undefined) this.mails.sendVerification(email, account, this.hashOf(email))
  }

  /** False when the link is over or names another address than the account's. */
  async verifyAddress(token: string): Promise<boolean> {
    const proof = this.mails.open('verify', token)
    return proof !== undefined && await this.run(loginVerify,
      { login: keys.login(proof.account) }, { email_hash: proof.email_hash })
  }

  async isVerified(account: string): Promise<boolean> {
    return (await this.readLogin(account, 'verified_at'))[0] !== null
  }

  /** Answers the same where nobody has the address. */
  async requestReset(given: string, address: string): Promise<void> {
    const email = normalEmail(given)
    await this.options.throttle.take('mail', address, this.hashOf(email))
    const account = await this.ledger.get(keys.email(this.hashOf(email)))
    const [epoch] = await this.readLogin(account ?? NOBODY, 'epoch')
    if (account === null || epoch === null) return
    this.mails.sendReset(email, account, Number(epoch))
  }

  /**
   * What a forgotten password's mail would link to, for the operator to hand over; undefined where
   * nobody signs in to the account.
   */
  async resetLink(account: string): Promise<string | undefined> {
    const [epoch] = await this.readLogin(account, 'epoch')
    return epoch === null ? undefined : this.mails.resetLink(account, Number(epoch))
  }

  /** Ends all sessions, forgets payees and holds withdrawals; undefined when the link is over. */
  async resetPassword(
    token: string, password: string, address: string,
  ): Promise<SignedIn | undefined> {
    this.passwords.assertUsable(password, 'new_password')
    const proof = this.mails.open('reset', token)
    if (!proof) return undefined
    const { account } = proof
    await this.options.throttle.take('password', address, account)
    const epoch = await this.run(loginReset,
      { login: keys.login(account), payees: keys.payees(account) }, {
        epoch: proof.epoch, next: await this.passwords.hash(password),
        hold_ms: this.options.config.payeeHoldMs,
      })
    if (epoch === 0) return undefined
    await this.notifyPasswordChanged(account)
    return { account, epoch }
  }

  /**
   * When a withdrawal to this payee may be paid, ms since 1970. Refuses with withdrawal_refused:
   * `unverified`, `password` (a payee that was not used before needs it) or `payees`.
   */
  async payableFrom(account: string, payee: PayeeProof, address: string): Promise<number> {
    const { secrets, config } = this.options
    if (!await this.isVerified(account)) {
      throw new Refusal('withdrawal_refused', { why: 'unverified' })
    }
    const id = secrets.keyedHash('payee', `${account}:${payee.fingerprint}`)
    const isNew = await this.ledger.hexists(keys.payees(account), id) === 0
    if (isNew) await this.proveNewPayee(account, payee, address)
    const from = await this.run(payeeNote,
      { login: keys.login(account), payees: keys.payees(account) },
      { payee: id, hold_ms: config.payeeHoldMs, payee_max: PAYEES_MAX })
    if (from < 0) throw new Refusal('withdrawal_refused', { why: 'payees' })
    const email = isNew ? await this.emailOf(account) : undefined
    if (email !== undefined) this.mails.sendNewPayee(email, payee.masked, isoTime(from))
    return from
  }

  /** Enters a trial key's binding code; resolves with the agents that came along. */
  joinTrial(account: string, code: string, address: string): Promise<string[]> {
    return joinTrial(this.options, account, code, address)
  }

  private hashOf(email: string): string {
    return this.options.secrets.keyedHash('email', email)
  }

  private readLogin(account: string, ...fields: string[]): Promise<(string | null)[]> {
    return this.ledger.hmget(keys.login(account), ...fields)
  }

  /** The hash that matched, undefined where none did. */
  private async provePassword(account: string, password: string): Promise<string | undefined> {
    const [hashed] = await this.readLogin(account, 'password')
    return await this.passwords.matches(password, hashed ?? undefined)
      ? hashed ?? undefined : undefined
  }

  private async proveNewPayee(
    account: string, { password }: PayeeProof, address: string,
  ): Promise<void> {
    if (password !== undefined) {
      await this.options.throttle.take('password', address, account)
      if (await this.provePassword(account, password) !== undefined) return
    }
    throw new Refusal('withdrawal_refused', { why: 'password' })
  }

  /** Tells the owner, whom somebody else may have signed in as. */
  private async notifyPasswordChanged(account: string): Promise<void> {
    const email = await this.emailOf(account)
    if (email !== undefined) this.mails.sendPasswordChanged(email)
  }

  /** Both ways make the same writes: how long it takes tells nobody whether an address is known. */
  private async makeAccount(
    email: string, password: string,
  ): Promise<[account: string, isNew: boolean]> {
    const { run } = this
    const [account, email_hash] = [randomId('ac_'), this.hashOf(email)]
    const hold = (ttl_ms: number | '', instead = ''): Promise<string> =>
      run(emailHold, { email: keys.email(email_hash) }, { account, ttl_ms, instead })
    await run(accountCreate, recordOf(account), {
      email: this.seal.seal(email, account), email_hash, password, at: isoTime(nowMs()),
      ttl_ms: RECORD_MS,
    })
    let holder = await hold(HOLD_MS)
    // A deletion that a crash cut short, or a record that ran out, left the address behind.
    if (await this.ledger.exists(keys.login(holder)) === 0) holder = await hold(HOLD_MS, holder)
    const settle = (isOurs: boolean): Promise<boolean> =>
      run(accountSettle, recordOf(account), { is_kept: isOurs ? 1 : 0 })
    await settle(holder === account)
    const kept = await hold('')
    if (holder === account && kept !== account) await settle(false)
    if (kept === account) this.options.onChange?.(account)
    return [kept, kept === account]
  }

  /** A crash between a registration's last two writes: whoever signs in makes the last one. */
  private async completeRegistration(account: string, emailHash: string): Promise<void> {
    const email_key = keys.email(emailHash)
    if (await this.ledger.pttl(email_key) < 0) return
    await this.run(accountSettle, recordOf(account), { is_kept: 1 })
    await this.run(emailHold, { email: email_key }, { account, ttl_ms: '', instead: '' })
  }
}

const recordOf = (account: string) =>
  ({ account: keys.account(account), login: keys.login(account) })

/**
 * The first step decides, together with the books: a withdrawal that comes at the same time is
 * either under way before it, or refused after it. False when there is no such account; refuses
 * with withdrawal_refused, and says why: open_withdrawal, money_left or debt with their fen.
 * `mode` is the service's: once it is live, pretended money keeps nobody.
 */
async function closeBooks(
  run: Durable['run'], account: string, mode: Mode, state: 'closing' | 'deleted',
  { forfeit = false, writeOff = false }: ClosingOptions = {},
): Promise<boolean> {
  const [code, ...left] = await run(accountClose, {
    account: keys.account(account), login: keys.login(account),
    balances: keys.balances(account, 'sandbox'), records: keys.records(account, 'sandbox'),
    live_balances: keys.balances(account, 'live'), live_records: keys.records(account, 'live'),
  }, { state, forfeit: forfeit ? 1 : 0, write_off: writeOff ? 1 : 0, mode })
  if (code === 'open') {
    throw new Refusal('withdrawal_refused', {
      why: 'open_withdrawal',
      hint: 'A withdrawal is under way: close the account when it is paid, or has failed.',
    })
  }
  if (code === 'money') {
    const [pending, confirmed, withdrawable] = left
    throw new Refusal('withdrawal_refused', {
      why: 'money_left', pending, confirmed, withdrawable,
      hint: 'There is money in the account: withdraw it, or close the account with forfeit, '
        + 'which gives it up.',
    })
  }
  if (code === 'debt') {
    throw new Refusal('withdrawal_refused', {
      why: 'debt', owed: left[0],
      hint: 'Orders that were paid out were refunded later: new commissions pay that back, or '
        + 'ask the operator to close the account.',
    })
  }
  return code === 'done'
}
