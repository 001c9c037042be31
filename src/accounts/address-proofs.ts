/**
 * Who reads an address's mail proves an account's owner: links that confirm an address or set a
 * password, and the waiting time of a payee that nobody proved before.
 */
import { isoTime, nowMs } from '../contract/time.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../contract/errors.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { RedisClient } from '../redis/connect.ts'
import type { Durable } from '../redis/durable.ts'
import { ledger as keys } from '../redis/keys.ts'
import { defineScript } from '../redis/script.ts'
import { normalEmail } from './email.ts'
import {
  knownMail, newPayeeMail, passwordChangedMail, resetMail, verifyMail,
} from './mail-texts.ts'
import type { Passwords } from './passwords.ts'
import type { SignedIn } from './sessions.ts'
import type { Throttle } from '../limits/throttle.ts'

const PAYEES_MAX = 100

const loginVerify = defineScript('login-verify', ['login'], ['email_hash'],
  (done: number) => done === 1)
const loginReset = defineScript('login-reset', ['login', 'payees'], ['epoch', 'next', 'hold_ms'],
  (epoch: number) => epoch)
const payeeNote = defineScript('payee-note', ['login', 'payees'],
  ['payee', 'hold_ms', 'payee_max'], (from: string | number) => Number(from))

/** A payee as it was asked for, and as it is shown. */
export interface PayeeProof {
  /** The same for equal payees. */
  readonly fingerprint: string
  readonly masked: string
  /** Absent where the page did not ask for it. */
  readonly password?: string
}

export interface AddressProofs {
  /** Mails the owner of the address after a registration: to confirm it, or that it is known. */
  welcome(email: string, account: string, isNew: boolean): Promise<void>
  /** The same mail again. */
  sendVerification(account: string, address: string): Promise<void>
  /** False when the link is over or names another address than the account's. */
  verify(token: string): Promise<boolean>
  isVerified(account: string): Promise<boolean>
  /** Answers the same where nobody has the address. */
  requestReset(email: string, address: string): Promise<void>
  /** Ends all sessions, forgets payees and holds withdrawals; undefined when the link is over. */
  resetPassword(token: string, password: string, address: string): Promise<SignedIn | undefined>
  /** Tells the owner, whom somebody else may have signed in as. */
  tellPasswordChanged(account: string): Promise<void>
  /**
   * When a withdrawal to this payee may be paid, ms since 1970. Refuses with withdrawal_refused:
   * `unverified`, `password` (a payee that was not used before needs it) or `payees`.
   */
  payableFrom(account: string, payee: PayeeProof, address: string): Promise<number>
}

export interface AddressProofsOptions {
  readonly ledger: RedisClient
  readonly durable: Pick<Durable, 'run'>
  readonly secrets: Secrets
  readonly passwords: Passwords
  readonly throttle: Throttle
  readonly mailer: Pick<Mailer, 'send'>
  readonly config: Pick<Config, 'publicUrl' | 'payeeHoldMs'>
  readonly emailOf: (account: string) => Promise<string | undefined>
}

export function createAddressProofs(options: AddressProofsOptions): AddressProofs {
  const { ledger, durable: { run }, secrets, passwords, throttle, mailer, config } = options
  const proofs = createProofs(secrets)
  const page = consoleOf(config)
  const hashOf = (email: string): string => secrets.keyedHash('email', email)
  const loginOf = (account: string, ...fields: string[]): Promise<(string | null)[]> =>
    ledger.hmget(keys.login(account), ...fields)
  const verifyLink = (account: string, email: string): string =>
    linkTo(page, 'verify', proofs.issue('verify', { account, email_hash: hashOf(email) }))
  const resetLink = (account: string, epoch: number): string =>
    linkTo(page, 'reset', proofs.issue('reset', { account, epoch }))

  async function tell(account: string, mail: { subject: string, text: string }): Promise<void> {
    const to = await options.emailOf(account)
    if (to !== undefined) mailer.send({ to, ...mail })
  }

  async function proveNewPayee(
    account: string, { password }: PayeeProof, address: string,
  ): Promise<void> {
    if (password === undefined) throw new Refusal('withdrawal_refused', { why: 'password' })
    await throttle.take('password', address, account)
    const [hashed] = await loginOf(account, 'password')
    if (await passwords.matches(password, hashed ?? undefined)) return
    throw new Refusal('withdrawal_refused', { why: 'password' })
  }

  return {
    async welcome(email, account, isNew) {
      const [epoch] = await loginOf(account, 'epoch')
      mailer.send({
        to: email,
        ...isNew ? verifyMail(verifyLink(account, email))
          : knownMail(resetLink(account, Number(epoch))),
      })
    },
    async sendVerification(account, address) {
      await throttle.take('mail', address, account)
      const email = await options.emailOf(account)
      if (email !== undefined) mailer.send({ to: email, ...verifyMail(verifyLink(account, email)) })
    },
    async verify(token) {
      const proof = proofs.open('verify', token)
      return proof !== undefined
        && await run(loginVerify, { login: keys.login(proof.account) },
          { email_hash: proof.email_hash })
    },
    async isVerified(account) {
      return (await loginOf(account, 'verified_at'))[0] !== null
    },
    async requestReset(given, address) {
      const email = normalEmail(given)
      await throttle.take('mail', address, hashOf(email))
      const account = await ledger.get(keys.email(hashOf(email)))
      const [epoch] = await loginOf(account ?? 'nobody', 'epoch')
      if (account === null || epoch === null) return
      mailer.send({ to: email, ...resetMail(resetLink(account, Number(epoch))) })
    },
    async resetPassword(token, password, address) {
      passwords.assertUsable(password, 'new_password')
      const proof = proofs.open('reset', token)
      if (!proof) return undefined
      const { account } = proof
      await throttle.take('password', address, account)
      const epoch = await run(loginReset,
        { login: keys.login(account), payees: keys.payees(account) },
        { epoch: proof.epoch, next: await passwords.hash(password), hold_ms: config.payeeHoldMs })
      if (epoch === 0) return undefined
      await tell(account, passwordChangedMail(page))
      return { account, epoch }
    },
    tellPasswordChanged: (account) => tell(account, passwordChangedMail(page)),
    async payableFrom(account, payee, address) {
      if (!await this.isVerified(account)) {
        throw new Refusal('withdrawal_refused', { why: 'unverified' })
      }
      const id = secrets.keyedHash('payee', `${account}:${payee.fingerprint}`)
      const isNew = await ledger.hexists(keys.payees(account), id) === 0
      if (isNew) await proveNewPayee(account, payee, address)
      const from = await run(payeeNote,
        { login: keys.login(account), payees: keys.payees(account) },
        { payee: id, hold_ms: config.payeeHoldMs, payee_max: PAYEES_MAX })
      if (from < 0) throw new Refusal('withdrawal_refused', { why: 'payees' })
      if (isNew) await tell(account, newPayeeMail(payee.masked, isoTime(from), page))
      return from
    },
  }
}

const consoleOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): string => `${publicUrl}/console`

/** Behind #, so that no log of a proxy has it. */
const linkTo = (page: string, path: ProofPurpose, token: string): string =>
  `${page}/${path}#${token}`

/**
 * What a forgotten password's mail would link to, for the operator to hand over; undefined where
 * nobody signs in to the account.
 */
export async function makeResetLink(
  { ledger, secrets, config }: Pick<AddressProofsOptions, 'ledger' | 'secrets' | 'config'>,
  account: string,
): Promise<string | undefined> {
  const epoch = await ledger.hget(keys.login(account), 'epoch')
  return epoch === null ? undefined : linkTo(consoleOf(config), 'reset',
    createProofs(secrets).issue('reset', { account, epoch: Number(epoch) }))
}

interface ProofContents {
  /** Confirms the address that the account had when the mail was sent. */
  readonly verify: { readonly account: string, readonly email_hash: string }
  /** Sets a password, once: the epoch rises with it. */
  readonly reset: { readonly account: string, readonly epoch: number }
}

type ProofPurpose = keyof ProofContents

const HOUR_MS = 3_600_000
const LIFE_MS: Record<ProofPurpose, number> = { verify: 7 * 24 * HOUR_MS, reset: HOUR_MS }

interface Proofs {
  issue<P extends ProofPurpose>(purpose: P, contents: ProofContents[P]): string
  /** Undefined when it is over, changed, or another purpose's. */
  open<P extends ProofPurpose>(purpose: P, token: string): ProofContents[P] | undefined
}

function createProofs(secrets: Pick<Secrets, 'seal'>): Proofs {
  const { seal, open } = secrets.seal('mail-proof')
  return {
    issue: (purpose, contents) =>
      seal(JSON.stringify({ ...contents, ends_at: nowMs() + LIFE_MS[purpose] }), purpose),
    open(purpose, token) {
      try {
        const { ends_at, ...contents } = JSON.parse(open(token, purpose)) as { ends_at: number }
        return nowMs() < ends_at ? contents as never : undefined
      } catch {
        return undefined
      }
    },
  }
}
