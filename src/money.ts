/** Money is an integer number of fen (1/100 CNY) everywhere but in text for people. */

/** "¥15.00" for 1500. */
export const yuanText = (fen: number): string => `¥${(fen / 100).toFixed(2)}`

/** What an order comes to: goods plus the merchant's freight below its free-shipping threshold. */
export function orderAmount(
  unitPrice: number, qty: number, freight: number, freeShipThreshold: number,
): { goods: number, freight: number, amount: number } {
  const goods = unitPrice * qty
  const due = goods >= freeShipThreshold ? 0 : freight
  return { goods, freight: due, amount: goods + due }
}
