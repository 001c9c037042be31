/** Tokens that promise a price: of a preview; an order that carries one has that price or none. */
import { Refusal } from '../contract/errors.ts'
import type { Secrets } from '../secrets/derive.ts'

/** Fen. */
export interface Price {
  readonly unit_price: number
  readonly freight: number
  readonly amount: number
}

export interface Quotes {
  /** A token for this many of this product at this price. It does not reserve anything. */
  seal(of: { readonly product_id: number, readonly qty: number }, price: Price): string
  /** What the order's token promised; undefined without one. Refuses one that is not for it. */
  open(order: {
    readonly product_id: number, readonly qty: number, readonly quote_token?: string,
  }): Price | undefined
}

const PURPOSE = 'quote'

/** From the numbers of a script's reply: price of one, freight, amount. */
export const priceOfReply = ([unitPrice, freight, amount]: readonly (string | null)[]): Price =>
  ({ unit_price: Number(unitPrice), freight: Number(freight), amount: Number(amount) })

export function createQuotes(secrets: Pick<Secrets, 'token' | 'tokenMatches'>): Quotes {
  return {
    seal({ product_id, qty }, { unit_price, freight, amount }) {
      const body = [product_id, qty, unit_price, freight, amount].join('.')
      return `${body}.${secrets.token(PURPOSE, body)}`
    },
    open({ product_id, qty, quote_token }) {
      if (quote_token === undefined) return undefined
      const parts = quote_token.split('.')
      const body = parts.slice(0, -1).join('.')
      if (!secrets.tokenMatches(PURPOSE, body, parts.at(-1) ?? '')) {
        throw notOurs('is not one of ours: take it from a preview, unchanged')
      }
      if (Number(parts[0]) !== product_id || Number(parts[1]) !== qty) {
        throw notOurs('was made for another product or quantity: make a new preview')
      }
      return priceOfReply(parts.slice(2))
    },
  }
}

const notOurs = (problem: string): Refusal =>
  new Refusal('invalid_request', { fields: [{ path: 'quote_token', problem }] })
