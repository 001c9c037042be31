/**
 * E-mail: one spelling of each address, what of one may be shown, and the mails to owners of
 * accounts, with the links that confirm an address or set a password.
 */
import type { Config } from '../config.ts'
import { Refusal } from '../contract/errors.ts'
import { nowMs } from '../contract/time.ts'
import type { Mail, Mailer } from '../mail/mailer.ts'
import type { Secrets } from '../secrets/derive.ts'
import type { Seal } from '../secrets/seal.ts'

const LENGTH_MAX = 254
const LOCAL_MAX = 64
/** Plain addresses: no quoted parts, no comments, no address literals. */
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u
const TOP_LABEL = /^\p{L}[\p{L}\p{N}-]*$/u

function isDomain(text: string): boolean {
  const labels = text.split('.')
  return labels.length > 1 && labels.every((label) => LABEL.test(label))
    && TOP_LABEL.test(labels.at(-1) ?? '')
}

/** Equal addresses have equal texts. Refuses what is no plain address. */
export function normalEmail(given: string): string {
  const email = given.normalize('NFKC').trim().toLowerCase()
  const at = email.lastIndexOf('@')
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)]
  if (at < 1 || email.length > LENGTH_MAX || local.length > LOCAL_MAX
    || !LOCAL.test(local) || !isDomain(domain)) {
    throw new Refusal('invalid_request', {
      fields: [{ path: 'email', problem: 'must be an e-mail address' }],
    })
  }
  return email
}

/** `w***@example.com`: enough for its owner to know it. */
export const maskEmail = (email: string): string =>
  `${[...email][0] ?? ''}***${email.slice(email.lastIndexOf('@'))}`

interface ProofContents {
  /** Confirms the address that the account had when the mail was sent. */
  readonly verify: { readonly account: string, readonly email_hash: string }
  /** Sets a password, once: the epoch rises with it. */
  readonly reset: { readonly account: string, readonly epoch: number }
}

type ProofPurpose = keyof ProofContents

const HOUR_MS = 3_600_000
const LIFE_MS: Record<ProofPurpose, number> = { verify: 7 * 24 * HOUR_MS, reset: HOUR_MS }

/** Mails to the owner of an account, and the proofs in their links. */
export class AccountMails {
  private readonly seal: Seal
  private readonly mailer: Pick<Mailer, 'send'>
  private readonly page: string

  constructor(
    secrets: Pick<Secrets, 'seal'>, mailer: Pick<Mailer, 'send'>,
    { publicUrl }: Pick<Config, 'publicUrl'>,
  ) {
    this.seal = secrets.seal('mail-proof')
    this.mailer = mailer
    this.page = `${publicUrl}/console`
  }

  sendVerification(to: string, account: string, email_hash: string): void {
    this.mailer.send({ to, ...verifyMail(this.link('verify', { account, email_hash })) })
  }

  /** To an address that has an account already. */
  sendKnown(to: string, account: string, epoch: number): void {
    this.mailer.send({ to, ...knownMail(this.resetLink(account, epoch)) })
  }

  sendReset(to: string, account: string, epoch: number): void {
    this.mailer.send({ to, ...resetMail(this.resetLink(account, epoch)) })
  }

  sendPasswordChanged(to: string): void {
    this.mailer.send({ to, ...passwordChangedMail(this.page) })
  }

  sendNewPayee(to: string, payee: string, from: string): void {
    this.mailer.send({ to, ...newPayeeMail(payee, from, this.page) })
  }

  resetLink(account: string, epoch: number): string {
    return this.link('reset', { account, epoch })
  }

  /** What a link's token proves; undefined when it is over, changed, or another purpose's. */
  open<P extends ProofPurpose>(purpose: P, token: string): ProofContents[P] | undefined {
    try {
      const { ends_at, ...contents } =
        JSON.parse(this.seal.open(token, purpose)) as { ends_at: number }
      return nowMs() < ends_at ? contents as never : undefined
    } catch {
      return undefined
    }
  }

  /** The token stands behind #, so that no log of a proxy has it. */
  private link<P extends ProofPurpose>(purpose: P, contents: ProofContents[P]): string {
    const proof = JSON.stringify({ ...contents, ends_at: nowMs() + LIFE_MS[purpose] })
    return `${this.page}/${purpose}#${this.seal.seal(proof, purpose)}`
  }
}

type Text = Omit<Mail, 'to'>

const bilingual = (zh: readonly string[], en: readonly string[]): string =>
  [...zh, '', '— — —', '', ...en, ''].join('\n')

const verifyMail = (link: string): Text => ({
  subject: 'agentmall：确认邮箱 / Confirm your address',
  text: bilingual(
    ['请打开链接，确认此邮箱属于您的 agentmall 账户：', link, '', '链接 7 天内有效。'
      + '如果不是您注册的，请忽略此邮件。'],
    ['Open the link to confirm that this address belongs to your agentmall account:', link, '',
      'It is valid for 7 days. If you did not register, ignore this mail.']),
})

const knownMail = (link: string): Text => ({
  subject: 'agentmall：此邮箱已有账户 / You have an account',
  text: bilingual(
    ['有人用此邮箱注册 agentmall，但它已有账户。如果是您，请直接登录，或用链接设置新密码：', link,
      '', '链接 1 小时内有效。如果不是您，请忽略此邮件：账户没有任何变化。'],
    ['Somebody registered at agentmall with this address, which has an account already. If it was '
      + 'you, sign in, or set a new password with this link:', link, '',
    'It is valid for an hour. If it was not you, ignore this mail: nothing has changed.']),
})

const resetMail = (link: string): Text => ({
  subject: 'agentmall：设置新密码 / Set a new password',
  text: bilingual(
    ['请打开链接设置新密码：', link, '', '链接 1 小时内有效，只能用一次。设置后，提现会暂缓一段时间。'
      + '如果不是您要求的，请忽略此邮件：密码没有变化。'],
    ['Open the link to set a new password:', link, '',
      'It is valid for an hour and works once. Withdrawals are held for a while after it. '
      + 'If you did not ask for it, ignore this mail: your password has not changed.']),
})

const passwordChangedMail = (console: string): Text => ({
  subject: 'agentmall：密码已更改 / Your password was changed',
  text: bilingual(
    ['您的 agentmall 账户密码已更改，其他设备已退出登录。如果不是您所为，请立即在此重设密码：',
      `${console}/forgot`],
    ['The password of your agentmall account was changed, and other devices were signed out. If it '
      + 'was not you, set a new one now:', `${console}/forgot`]),
})

const newPayeeMail = (payee: string, from: string, console: string): Text => ({
  subject: 'agentmall：新的收款账户 / A new payee',
  text: bilingual(
    [`您的账户申请向新的收款账户（${payee}）提现。${from} 之前不会付款。`,
      '如果不是您所为，请立即取消提现并更改密码：', `${console}/earnings`],
    [`A withdrawal to a new payee (${payee}) was requested from your account. `
      + `It is not paid before ${from}.`,
    'If it was not you, cancel it and change your password now:', `${console}/earnings`]),
})
