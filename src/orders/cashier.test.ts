import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { ledger as keys } from '../redis/keys.ts'
import { attemptAt, newBuyer, openShop, supplyProduct, type Shop } from '../testing/products.ts'
import { createCashier, type Cashier } from './cashier.ts'
import { CASHIER_WORDS } from './cashier-words.ts'
import { createPaying } from './payments.ts'

// A CommonJS package whose types claim a default export that ESM does not see.
const jsQR = createRequire(import.meta.url)('jsqr') as
  (pixels: Uint8ClampedArray, width: number, height: number) => { data: string } | null

const LOOK = { shop: '北柚优品', image: 'images/1-1.svg' }
let shop: Shop
let cashier: Cashier
beforeAll(async () => {
  shop = await openShop()
  cashier = createCashier(shop.orders, async () => LOOK)
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
  const { html } = await cashier.show(order_no, token, 'zh')
  expect(scan(html.slice(html.indexOf('class="qr"')))).toBe(payUrl)
})

test.for([
  ['zh', /剩余 (?:30 分 0|29 分 \d+) 秒/, '等待支付', '模拟支付', '收货人'],
  ['en', /(?:30 min 0|29 min \d+) s/, 'Waiting for payment', 'Pay (sandbox)', 'Receiver'],
] as const)('the page shows the whole order in one language, %s', async (
  [locale, left, ...words],
) => {
  const { order_no, token } = await unpaidOrder()
  const { status, html } = await cashier.show(order_no, token, locale)
  expect(status).toBe(200)
  // A page of the same millisecond has the whole window left.
  expect(html).toMatch(left)
  for (const part of [...words, '¥25.90', '¥19.90 × 1', order_no, '北柚优品',
    '<img src="../images/1-1.svg" alt=""', '欧* 139****5678<br>浙江省杭州市西湖区****',
    `<form method="post" action="${order_no}">`, `name="t" value="${token}"`]) {
    expect(html).toContain(part)
  }
  expect(html).not.toContain('文三路')
  const other = CASHIER_WORDS[locale === 'zh' ? 'en' : 'zh']
  for (const text of Object.values(other).filter((one) => typeof one === 'string')) {
    expect(html).not.toContain(`>${text}`)
  }
  expect(html).toContain(`href="${order_no}?t=${token}&amp;lang=${locale === 'zh' ? 'en' : 'zh'}"`)
})

test('without a shelf the order can be paid all the same', async () => {
  const { order_no, token } = await unpaidOrder()
  for (const lookUp of [() => Promise.reject(new Refusal('unavailable')), async () => undefined,
    () => new Promise<undefined>(() => {})]) {
    const { status, html } = await createCashier(shop.orders, lookUp).show(order_no, token, 'zh')
    expect([status, html.includes('<form'), html.includes('<img')]).toEqual([200, true, false])
  }
})

test('paying works once; paying again says that it is paid', async () => {
  const { order_no, token } = await unpaidOrder()
  const first = await cashier.pay(order_no, token, 'zh')
  expect(first).toMatchObject({ status: 200, html: expect.stringContaining('支付成功') })
  const again = await cashier.pay(order_no, token, 'zh')
  expect(again).toMatchObject({ status: 200, html: expect.stringContaining('订单已支付') })
  expect((await cashier.show(order_no, token, 'zh')).html).toContain('订单已支付')
})

test('an order that was paid and cancelled says that the money goes back', async () => {
  const { order_no, token } = await unpaidOrder()
  await shop.orders.move('pay', order_no)
  await shop.orders.move('cancel_paid', order_no)
  const { html: body } = await cashier.show(order_no, token, 'en')
  expect(body).toContain('given back')
  expect(body).not.toContain('Nothing was charged')
})

test.for([
  ['refund_sent', '退款处理中', 'This order is being refunded'],
  ['finish_refund', '订单已退款', 'This order was refunded'],
] as const)('after %s the page says so, and not that it is paid', async ([last, zh, en]) => {
  const { order_no, token } = await unpaidOrder()
  for (const move of ['pay', 'accept', 'ship', 'refund_sent', 'finish_refund'] as const) {
    const detail = shop.orders.driver.detail(move, order_no)
    await shop.orders.move(move, order_no, { ...(detail && { detail }) })
    if (move === last) break
  }
  for (const [locale, title] of [['zh', zh], ['en', en]] as const) {
    for (const page of [await cashier.show(order_no, token, locale),
      await cashier.pay(order_no, token, locale)]) {
      expect(page.html).toContain(title)
      expect(page.html).not.toContain('订单已支付')
    }
  }
})

test('a page that waits is whole without scripts, and has a link to look again', async () => {
  const { order_no, token, payUrl } = await unpaidOrder()
  const { html } = await cashier.show(order_no, token, 'zh')
  expect(html).not.toContain('http-equiv')
  const href = /<a href="([^"]+)">已在其他设备付款/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(new URL(href, payUrl).href).toBe(`${payUrl}&lang=zh`)
})

test('its script learns when the order is paid or over, and where to look', async () => {
  const { order_no, token, payUrl, product } = await unpaidOrder()
  const { html } = await cashier.show(order_no, token, 'zh')
  const data = (name: string): string =>
    new RegExp(` data-${name}="([^"]+)"`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect(Number(data('left'))).toBeGreaterThan(29 * 60_000)
  expect(new URL(data('state'), payUrl).href)
    .toBe(payUrl.replace(`${order_no}?`, `${order_no}/state?`))
  expect(new URL(data('again'), payUrl).href).toBe(`${payUrl}&lang=zh`)
  const phase = async () => JSON.parse((await cashier.state(order_no, token)).html).phase
  expect(await phase()).toBe('pending')
  await shop.ledger.hset(keys.order(product.partition, order_no), 'expires_at', 1)
  expect(await phase()).toBe('closed')
  expect((await cashier.show(order_no, token, 'zh')).html).toContain('订单已关闭')
  const paid = await unpaidOrder()
  await shop.orders.pay(paid.order_no, paid.token)
  expect((await cashier.state(paid.order_no, paid.token)).html).toBe('{"phase":"paid"}')
  for (const [no, by] of [[order_no, 'x'], [`AM${'0'.repeat(18)}`, token]] as const) {
    expect(await cashier.state(no, by)).toMatchObject({ status: 404, html: '{"phase":null}' })
  }
})

test('after the window paying is refused and says so, before any sweep', async () => {
  const { order_no, token, product } = await unpaidOrder()
  await shop.ledger.hset(keys.order(product.partition, order_no), 'expires_at', 1)
  const late = await cashier.pay(order_no, token, 'zh')
  expect(late).toMatchObject({ status: 409, html: expect.stringContaining('订单已关闭') })
  await shop.orders.move('expire', order_no)
  expect(await cashier.show(order_no, token, 'en')).toMatchObject({
    status: 200, html: expect.stringContaining('This order is closed'),
  })
})

test('a wrong token, no token and no order get the same page, and nothing is paid', async () => {
  const { order_no, token } = await unpaidOrder()
  const never = `AM${'0'.repeat(18)}`
  const tokenOfNever = new URL(shop.orders.payLinks.payUrl(never)).searchParams.get('t') ?? ''
  const pages = [
    await cashier.show(order_no, '', 'zh'), await cashier.show(order_no, `${token}x`, 'zh'),
    await cashier.show(order_no, token.toLowerCase(), 'zh'),
    await cashier.show(never, token, 'zh'), await cashier.show('"><script>', token, 'zh'),
    await cashier.pay(order_no, 'x', 'zh'), await cashier.pay(never, token, 'zh'),
    await cashier.show(never, tokenOfNever, 'zh'),
  ]
  for (const page of pages) expect(page).toEqual(pages[0])
  expect(pages[0]?.status).toBe(404)
  expect((await cashier.show(order_no, token, 'zh')).html).toContain('等待支付')
})

const digestOf = async (text: string): Promise<string> => Buffer.from(
  await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toString('base64')

test('no text can break out of the page, which runs only its own scripts', async () => {
  const title = `<script>alert(1)</script>"'&<img src=x onerror=alert(2)>`
  const { order_no, token } = await unpaidOrder({ title })
  const hostile = createCashier(shop.orders, async () => ({ shop: title, image: `x"${title}` }))
  for (const page of [await hostile.show(order_no, token, 'zh'),
    await hostile.pay(order_no, token, 'zh')]) {
    expect(page.html.match(/<img/g)).toHaveLength(1)
    expect(page.html).not.toContain('alert(1)</script>')
    expect(page.html.match(/&lt;script&gt;alert\(1\)&lt;\/script&gt;&quot;&#39;&amp;/g))
      .toHaveLength(3)
    expect(page.html.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]* (style|on\w+)=/)
    const policy = new Map(page.headers).get('Content-Security-Policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; img-src 'self' data:; form-action '/)
    const scripts = [...page.html.matchAll(/<script>([^]*?)<\/script>/g)]
    const hashes = await Promise.all(scripts.map(async ([, text = '']) =>
      `'sha256-${await digestOf(text)}'`))
    expect(policy).toContain(`; script-src ${hashes.join(' ')}`)
    const style = /<style>([^<]*)<\/style>/.exec(page.html)?.[1] ?? ''
    expect(policy).toContain(`; style-src 'sha256-${await digestOf(style)}'`)
  }
})

test('where payments are not open the page has no button', async () => {
  const real = await openShop({ sandbox: false })
  const { order_no, token } = await unpaidOrder()
  const closed = createCashier(real.orders, async () => undefined)
  expect((await closed.show(order_no, token, 'zh')).html).not.toContain('<form')
  expect((await closed.pay(order_no, token, 'zh')).status).toBe(503)
  real.close()
})
