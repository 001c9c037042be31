/** E-mail addresses: one spelling of each, and what of one may be shown. */
import { Refusal } from '../contract/errors.ts'

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
