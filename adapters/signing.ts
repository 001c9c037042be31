/** Signatures over sorted parameters, as three of the four gateways take them. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

export type SignedParams = Readonly<Record<string, string>>

/** Names in byte order, each with its raw value, joined by nothing; `sign` never signs itself. */
export const signedText = (params: SignedParams): string =>
  Object.keys(params).filter((name) => name !== 'sign')
    .sort((a, b) => (a < b ? -1 : Number(a > b)))
    .map((name) => `${name}${params[name]}`).join('')

export const md5Wrapped = (secret: string, params: SignedParams): string =>
  createHash('md5').update(`${secret}${signedText(params)}${secret}`).digest('hex').toUpperCase()

export const hmacOf = (algorithm: 'md5' | 'sha256', secret: string, params: SignedParams): string =>
  createHmac(algorithm, secret).update(signedText(params)).digest('hex').toUpperCase()

/** Takes the same time wherever the first difference is. */
export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
