/** Where a payout goes: checked when it is given, sealed where it is kept, masked where shown. */
import { Refusal, type FieldProblem } from '../contract/errors.ts'
import type { Secrets } from '../secrets/derive.ts'

export type Payee =
  { readonly kind: 'payment_app', readonly account: string, readonly holder: string }
  | { readonly kind: 'bank_card', readonly card: string, readonly holder: string }

/** A phone number or an e-mail address; nothing that a spreadsheet takes for a formula. */
const APP_ACCOUNT = /^[0-9A-Za-z][0-9A-Za-z._%+@-]{3,63}$/
const HOLDER = /^\p{L}[\p{L}\p{M} .·'’-]{1,39}$/u
const CARD = /^\d{12,19}$/

/** All problems at once; a card's number may be written in groups. */
export function checkPayee(given: Payee): Payee {
  const fields: FieldProblem[] = []
  const holder = given.holder.normalize('NFC').trim()
  if (!HOLDER.test(holder)) {
    fields.push({ path: 'payee.holder', problem: 'must be a name of 2 to 40 letters' })
  }
  if (given.kind === 'payment_app') {
    const account = given.account.trim()
    if (!APP_ACCOUNT.test(account)) {
      fields.push({ path: 'payee.account', problem: 'must be a phone number or an e-mail address' })
    }
    if (fields.length === 0) return { kind: 'payment_app', account, holder }
  } else {
    const card = given.card.replaceAll(/[ -]/g, '')
    if (!CARD.test(card) || !passesLuhn(card)) {
      fields.push({ path: 'payee.card', problem: 'must be a card number of 12 to 19 digits' })
    }
    if (fields.length === 0) return { kind: 'bank_card', card, holder }
  }
  throw new Refusal('invalid_request', { fields })
}

/** ISO/IEC 7812: every second digit from the right is doubled. Card numbers begin above zero. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (const [index, digit] of [...digits].toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0 && !/^0+$/.test(digits)
}

/** Enough for its owner to recognise it. */
export function maskPayee(payee: Payee): Record<string, string> {
  const holder = `${[...payee.holder][0] ?? ''}*`
  if (payee.kind === 'bank_card') {
    return { kind: payee.kind, card: `**** ${payee.card.slice(-4)}`, holder }
  }
  const [name = '', host] = payee.account.split('@')
  const account = host === undefined ? `****${name.slice(-2)}` : `${name[0] ?? ''}***@${host}`
  return { kind: payee.kind, account, holder }
}

/** Bound to the withdrawal: an envelope moved to another one does not open. */
export function createPayeeSeal(secrets: Pick<Secrets, 'seal'>) {
  const { seal, open } = secrets.seal('payee')
  return {
    seal: (payee: Payee, withdrawal: string): string => seal(JSON.stringify(payee), withdrawal),
    open: (envelope: string, withdrawal: string): Payee =>
      JSON.parse(open(envelope, withdrawal)) as Payee,
  }
}
