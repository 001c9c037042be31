import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Refusal } from '../errors.ts'
import { ledger as keys } from '../redis/keys.ts'
import { attemptAt, newBuyer, openShop, supplyProduct, type Shop } from '../testing/products.ts'
import { createCashier, type Cashier } from './cashier.ts'
import { createPaying } from './pay.ts'

// A CommonJS package whose types claim a default export that ESM does not see.
const jsQR = createRequire(import.meta.url)('jsqr') as
  (pixels: Uint8ClampedArray, width: number, height: number) => { data: string } | null

let shop: Shop
let cashier: Cashier
beforeAll(async () => {
  shop = await openShop()
  cashier = createCashier(shop.orders)
})
afterAll(() => shop.close())

async function unpaidOrder(facts: Record<string, string> = {}) {
  const product = await supplyProduct(shop.ledger, {}, facts)
  const order = await shop.orders.place(attemptAt(product), newBuyer())
  const payUrl = order.pay_url ?? ''
  return { ...order, payUrl, token: new URL(payUrl).searchParams.get('t') ?? '', product }
}

/** What a camera reads from the page's SVG: its dark runs are `M x y.5h n` and `m dx 0h n`. */
function scan(html: string): string | undefined {
  const size = Number(/viewBox="0 0 (\d+) /.exec(html)?.[1])
  const path = /stroke="#000000" d="([^"]+)"/.exec(html)?.[1] ?? ''
  const scale = 4
  const side = size * scale
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255)
  let [x, y] = [0, 0]
  for (const [, command, numbers = ''] of path.matchAll(/([Mmh])([\d .-]+)/g)) {
    const [first = 0, second = 0] = numbers.trim().split(/[ ,]+/).map(Number)
    if (command === 'M') [x, y] = [first, Math.floor(second)]
    else if (command === 'm') [x, y] = [x + first, y + second]
    else {
      for (let row = y * scale; row < (y + 1) * scale; row += 1) {
        const start = (row * side + x * scale) * 4
        for (let at = start; at < start + first * scale * 4; at += 4) pixels.fill(0, at, at + 3)
      }
      x += first
    }
  }
  return jsQR(pixels, side, side)?.data
}

test('a payment that only a cut off master has is not told as received', async () => {
  const { order_no: orderNo, token } = await unpaidOrder()
  await shop.orders.pay(orderNo, token)
  const payWith = (read: () => Promise<unknown>) => createPaying({
    ...shop.orders, durable: { ...shop.durable, read },
  })(orderNo, token)
  const unavailable = { error: 'unavailable' }
  await expect(payWith(() => Promise.reject(new Refusal('unavailable')))).rejects
    .toMatchObject(unavailable)
  await expect(payWith(() => Promise.reject(new Error('LOADING Redis is loading')))).rejects
    .toMatchObject(unavailable)
  await expect(payWith(async () => null)).rejects.toMatchObject(unavailable)
  expect(await shop.orders.pay(orderNo, token)).toEqual({ outcome: 'already_paid' })
})

test('the QR code on the page is the pay_url', async () => {
  const { order_no, token, payUrl } = await unpaidOrder()
  const { html } = await cashier.show(order_no, token)
  expect(scan(html)).toBe(payUrl)
})

test('the page shows order, amount, time left and a form that posts the token', async () => {
  const { order_no, token } = await unpaidOrder()
  const { status, html } = await cashier.show(order_no, token)
  expect(status).toBe(200)
  for (const part of ['¥25.90', order_no, '等待支付', 'Waiting for payment', '剩余 29 分',
    `<form method="post" action="${order_no}">`, `name="t" value="${token}"`]) {
    expect(html).toContain(part)
  }
})

test('paying works once; paying again says that it is paid', async () => {
  const { order_no, token } = await unpaidOrder()
  const first = await cashier.pay(order_no, token)
  expect(first).toMatchObject({ status: 200, html: expect.stringContaining('支付成功') })
  const again = await cashier.pay(order_no, token)
  expect(again).toMatchObject({ status: 200, html: expect.stringContaining('订单已支付') })
  expect((await cashier.show(order_no, token)).html).toContain('订单已支付')
})

test('an order that was paid and cancelled says that the money goes back', async () => {
  const { order_no, token } = await unpaidOrder()
  await shop.orders.move('pay', order_no)
  await shop.orders.move('cancel_paid', order_no)
  const { html: body } = await cashier.show(order_no, token)
  expect(body).toContain('given back')
  expect(body).not.toContain('Nothing was charged')
})

test.for([
  ['refund_sent', '退款处理中', 'This order is being refunded'],
  ['finish_refund', '订单已退款', 'This order was refunded'],
] as const)('after %s the page says so, and not that it is paid', async ([last, ...titles]) => {
  const { order_no, token } = await unpaidOrder()
  for (const move of ['pay', 'accept', 'ship', 'refund_sent', 'finish_refund'] as const) {
    const detail = shop.orders.driver.detail(move, order_no)
    await shop.orders.move(move, order_no, { ...(detail && { detail }) })
    if (move === last) break
  }
  for (const page of [await cashier.show(order_no, token), await cashier.pay(order_no, token)]) {
    for (const title of titles) expect(page.html).toContain(title)
    expect(page.html).not.toContain('订单已支付')
  }
})

test('a page that waits stays as it is, and has a link to look again', async () => {
  const { order_no, token, payUrl } = await unpaidOrder()
  const { html } = await cashier.show(order_no, token)
  expect(html).not.toContain('http-equiv')
  const href = /<a href="([^"]+)">/.exec(html)?.[1] ?? ''
  expect(new URL(href, payUrl).href).toBe(payUrl)
})

test('after the window paying is refused and says so, before any sweep', async () => {
  const { order_no, token, product } = await unpaidOrder()
  await shop.ledger.hset(keys.order(product.partition, order_no), 'expires_at', 1)
  const late = await cashier.pay(order_no, token)
  expect(late).toMatchObject({ status: 409, html: expect.stringContaining('订单已关闭') })
  await shop.orders.move('expire', order_no)
  expect(await cashier.show(order_no, token)).toMatchObject({
    status: 200, html: expect.stringContaining('This order is closed'),
  })
})

test('a wrong token, no token and no order get the same page, and nothing is paid', async () => {
  const { order_no, token } = await unpaidOrder()
  const never = `AM${'0'.repeat(18)}`
  const pages = [
    await cashier.show(order_no, ''), await cashier.show(order_no, `${token}x`),
    await cashier.show(order_no, token.toLowerCase()), await cashier.show(never, token),
    await cashier.show('"><script>', token), await cashier.pay(order_no, 'x'),
    await cashier.pay(never, token),
    await cashier.show(never, new URL(shop.orders.payLinks.payUrl(never)).searchParams.get('t')!),
  ]
  for (const page of pages) expect(page).toEqual(pages[0])
  expect(pages[0]?.status).toBe(404)
  expect((await cashier.show(order_no, token)).html).toContain('等待支付')
})

test('a title cannot break out of the page, and the page runs no script', async () => {
  const title = `<script>alert(1)</script>"'&<img src=x onerror=alert(2)>`
  const { order_no, token } = await unpaidOrder({ title })
  for (const page of [await cashier.show(order_no, token), await cashier.pay(order_no, token)]) {
    expect(page.html).not.toMatch(/<script|<img/i)
    expect(page.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;')
    expect(page.html).not.toMatch(/<[^>]* (style|on\w+)=/)
    const policy = new Map(page.headers).get('Content-Security-Policy')
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/)
  }
})

test('the policy\'s hash is that of the page\'s style', async () => {
  const { order_no, token } = await unpaidOrder()
  const { html, headers } = await cashier.show(order_no, token)
  const style = /<style>([^<]*)<\/style>/.exec(html)?.[1] ?? ''
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
  expect(new Map(headers).get('Content-Security-Policy'))
    .toContain(`'sha256-${Buffer.from(digest).toString('base64')}'`)
})

test('where payments are not open the page has no button', async () => {
  const real = await openShop({ sandbox: false })
  const { order_no, token } = await unpaidOrder()
  const closed = createCashier(real.orders)
  expect((await closed.show(order_no, token)).html).not.toContain('<form')
  expect((await closed.pay(order_no, token)).status).toBe(503)
  real.close()
})
