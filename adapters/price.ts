/** Units of the wires, and the one breakdown from the list price to what is paid. */
import type { Breakdown, Condition } from './contract.ts'

/** "59.90" → 5990, digit by digit: a float is a fen off at times. Null for other text. */
export function fenOfText(yuan: string | null | undefined): number | null {
  const match = /^(\d{1,9})(?:\.(\d{1,4}))?$/.exec((yuan ?? '').trim())
  if (!match) return null
  const [, whole = '', part = ''] = match
  const fen = Number(whole) * 100 + Number(part.padEnd(2, '0').slice(0, 2))
  return Number(part[2] ?? 0) >= 5 ? fen + 1 : fen
}

/** 59.9 → 5990. */
export const fenOfNumber = (yuan: number | null | undefined): number | null =>
  typeof yuan === 'number' && yuan >= 0 && yuan < 1e9 ? Math.round(yuan * 100) : null

/** 15.5 per cent → 1550 basis points. */
export const bpsOfPercent = (percent: number): number => Math.round(percent * 100)

export interface PriceParts {
  /** The price before any coupon, in fen. */
  readonly list: number
  readonly coupon?: { readonly amount: number, readonly threshold: number } | null
  readonly conditions?: readonly Condition[]
  /** Null where the platform does not say. */
  readonly freight?: number | null
}

/**
 * payable = list − coupon + freight, always. A coupon that the price does not reach, or that
 * would leave nothing to pay, is no part of the price.
 */
export function breakdown(parts: PriceParts): Breakdown {
  const { list, freight = null, conditions = [] } = parts
  const coupon = parts.coupon && parts.coupon.amount > 0 && parts.coupon.amount < list
    && parts.coupon.threshold <= list ? parts.coupon : null
  return {
    list_price: list,
    coupon: coupon && { amount: coupon.amount, threshold: coupon.threshold },
    conditions: [...conditions],
    freight,
    payable: list - (coupon?.amount ?? 0) + (freight ?? 0),
  }
}

/** What is paid for the goods: a total without its freight. */
export const goodsPrice = ({ payable, freight }: Breakdown): number => payable - (freight ?? 0)

export const addsUp = (price: Breakdown): boolean =>
  price.payable === price.list_price - (price.coupon?.amount ?? 0) + (price.freight ?? 0)
