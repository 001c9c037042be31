/** Money is an integer number of fen (1/100 CNY) everywhere but in text for people. */

/** Pretended money or real money. What was begun in one mode ends in it. */
export const MODES = ['sandbox', 'live'] as const
export type Mode = (typeof MODES)[number]

/** Of a record's `mode`; records from before there were modes are all of the sandbox. */
export const modeOf = (text: string | null | undefined): Mode =>
  (text === 'live' ? 'live' : 'sandbox')

/** The mode that a service with these settings runs in. */
export const serviceMode = ({ sandbox }: { readonly sandbox: boolean }): Mode =>
  (sandbox ? 'sandbox' : 'live')

/** "15.00" for 1500. */
export const yuanNumber = (fen: number): string => (fen / 100).toFixed(2)

/** "¥15.00" for 1500. */
export const yuanText = (fen: number): string => `¥${yuanNumber(fen)}`

/** What an order comes to: goods plus the merchant's freight below its free-shipping threshold. */
export function orderAmount(
  unitPrice: number, qty: number, freight: number, freeShipThreshold: number,
): { goods: number, freight: number, amount: number } {
  const goods = unitPrice * qty
  const due = goods >= freeShipThreshold ? 0 : freight
  return { goods, freight: due, amount: goods + due }
}
