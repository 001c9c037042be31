/**
 * Simulated malls under the service's own address: what a person on another machine can do with a
 * link, and what nobody can do. Two nodes share the simulators, as with NODES=2.
 */
import { createHash } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { readBalances } from '../earnings/books.ts'
import { CARD_STYLE } from '../site/page.ts'
import { eventually } from './eventually.ts'
import { startTestMalls } from './malls.ts'
import { startTestNode, type TestNode } from './node.ts'

const PUBLIC_URL = 'https://shop.test'
/** The catalogue of the run's shelf. */
const catalogSeed = 'test'
const malls = await startTestMalls({ publicUrl: PUBLIC_URL, seed: catalogSeed, items: 2400 })
const start = (): Promise<TestNode> => startTestNode(
  { publicUrl: PUBLIC_URL, catalogSeed, mallCallsPerSecond: 150 }, undefined,
  malls.settings, malls.shops)
const one = await start()
const two = await start()
afterAll(async () => {
  await Promise.all([one.stop(), two.stop()])
  await malls.close()
})
const key = await one.newKey('t1')
const FAR = 8_000_000_000_000
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'

/** As a browser far away, which knows the public address alone; any node may answer. */
let turn = 0
async function open(address: string, form?: Record<string, string>) {
  const url = new URL(address)
  expect(url.origin).toBe(PUBLIC_URL)
  const node = [one, two][turn += 1, turn % 2] ?? one
  const answer = await fetch(`${node.url}${url.pathname}${url.search}`, {
    redirect: 'manual', headers: { 'User-Agent': PERSON },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  })
  const to = answer.headers.get('location')
  return {
    status: answer.status, type: answer.headers.get('content-type'), text: await answer.text(),
    policy: answer.headers.get('content-security-policy'),
    to: to === null ? '' : new URL(to, address).href,
  }
}

/** Asked again where a busy machine answers too late. */
const read = (method: string, path: string, body?: object) => eventually(async () => {
  const { envelope } = await one.send(method, path, { key, ...(body && { body }) })
  expect(envelope).toMatchObject({ code: 0 })
  return envelope.data
})
const call = (path: string, body: object) => read('POST', `/v1/cps/${path}`, body)

/** Presses the page's only button. */
async function press(address: string) {
  const { text, status } = await open(address)
  expect(status).toBe(200)
  const action = /<form method="post"(?: action="([^"]*)")?/.exec(text)?.[1]
  const [, name, value] = /name="(\w+)" value="([^"]*)"/.exec(text) ?? []
  return await open(new URL(action ?? address, address).href,
    name === undefined ? {} : { [name]: (value ?? '').replaceAll('&amp;', '&') })
}

/** An item that the shelf lists for a mall. */
async function listedFor(mall: string) {
  for (const q of ['保温杯', '耳机', '电热水壶', '键盘', '双肩包', '毛巾']) {
    const { items } = await call('local/goods', { q, page_size: 50 })
    const found = items.find((item: { supply: string }) => item.supply === mall)
    if (found) return await read('GET', `/v1/cps/local/goods/${found.item_id}`)
  }
  throw new Error(`The shelf lists nothing for ${mall}.`)
}

describe.each([
  ['mall_a', 'mall-a/tpwd'], ['mall_b', 'mall-b/convert'], ['mall_c', 'mall-c/convert'],
] as const)('%s', (mall, tool) => {
  test('what the shelf lists for it has a page there, at its price, and converts', async () => {
    const item = await listedFor(mall)
    expect(item.purchase_url).toMatch(`${PUBLIC_URL}/sandbox/malls/${mall}/goods/`)
    const page = await open(item.purchase_url)
    expect(page).toMatchObject({ status: 200, type: 'text/html; charset=utf-8' })
    expect(page.text).toContain(`¥${(item.final_price / 100).toFixed(2)}`)
    for (const wanted of [{ item_id: item.item_id }, { url: item.purchase_url }]) {
      const link = await call(tool, wanted)
      expect(link).toMatchObject({ attributed: true })
      expect((await open(link.go_url)).status).toBe(302)
      const shown = await open((await open(link.go_url)).to)
      expect(shown.status).toBe(200)
      expect(shown.text).toContain(`¥${(item.final_price / 100).toFixed(2)}`)
      expect((await open(link.platform_url)).text).toBe(shown.text)
    }
  })

  test('every image address of its answers loads', async () => {
    const { item_id } = await call(tool, { item_id: (await listedFor(mall)).item_id })
    const found = mall === 'mall_a' ? (await call('mall-a/items', { items: [item_id] })).items
      : (await call(`${mall.replace('_', '-')}/goods`, { q: '保温杯' })).items
    const images: string[] = found.flatMap((item: { images: string[] }) => item.images)
    expect(images.length).toBeGreaterThan(0)
    for (const image of images.slice(0, 4)) {
      const answer = await open(image)
      expect(answer).toMatchObject({ status: 200, type: 'image/svg+xml; charset=utf-8' })
      expect(answer.text).toMatch(/^<svg .*<\/svg>$/)
    }
  })
})

test('who follows a purchase link buys, the agent earns, and loses it when it comes back',
  async () => {
    const item = await listedFor('mall_b')
    const link = await call('mall-b/convert', { item_id: item.item_id })
    const bought = await press((await open(link.go_url)).to)
    expect(bought).toMatchObject({ status: 303 })
    const orders = async () => (await call('mall-b/orders', {})).orders
    await expect.poll(orders).toEqual([expect.objectContaining({
      item_id: link.item_id, amount: item.final_price,
      commission: Math.floor(item.final_price * 0.05),
    })])
    const { agent_ref } = (await one.send('GET', '/v1/orders', { key })).envelope
    const account = await one.services.ledger.hget(`agent:{${agent_ref}}`, 'account') ?? ''
    const earned = async () => {
      const { pending, confirmed } = await readBalances(
        { ledger: one.services.ledger, mode: 'sandbox' }, account)
      return pending + confirmed
    }
    await expect.poll(earned).toBe(Math.floor(item.final_price * 0.05))
    const returned = await press(bought.to)
    expect(returned).toMatchObject({ status: 303, to: bought.to })
    expect((await open(bought.to)).text).toContain('已退货退款')
    await expect.poll(orders).toEqual([
      expect.objectContaining({ item_id: link.item_id, status: 'invalid', commission: 0 }),
    ])
    await expect.poll(earned).toBe(0)
  })

test('who opens the plain page buys as well, and nobody is credited', async () => {
  const before = malls.simulators.find(({ name }) => name === 'mall_c')?.orders
    .within(0, FAR).length
  const { purchase_url } = await listedFor('mall_c')
  const bought = await press(purchase_url)
  expect((await open(bought.to)).text).toContain('无推广方')
  expect(malls.simulators.find(({ name }) => name === 'mall_c')?.orders
    .within(0, FAR).length).toBe(before)
})

test('a short link of a share text opens', async () => {
  const { share_text } = await call('mall-a/tpwd', {
    item_id: (await listedFor('mall_a')).item_id,
  })
  const address = /https:\S+/.exec(share_text)?.[0] ?? ''
  expect((await open(address)).text).toContain('购买（模拟）')
})

test('an item is converted by the tool of its own mall only, and an own one by none', async () => {
  const ofB = await listedFor('mall_b')
  const refused = async (item_id: string) => (await one.send('POST', '/v1/cps/mall-c/convert', {
    key, body: { item_id },
  })).envelope.data.fields
  expect(await refused(ofB.item_id)).toEqual([
    { path: 'item_id', problem: 'is sold by mall_b: convert it with cps_mallb_convert' },
  ])
  expect(await refused((await listedFor('own')).item_id)).toEqual([
    { path: 'item_id', problem: 'is sold by this service: order it with create_order' },
  ])
  const elsewhere = `${PUBLIC_URL}/sandbox/malls/mall_b/visit?url=https%3A%2F%2Fevil.example`
  expect((await one.send('POST', '/v1/cps/mall-b/convert', {
    key, body: { url: elsewhere },
  })).status).toBe(400)
})

test('a mall\'s pages have a human name, one language and the service\'s looks', async () => {
  const { purchase_url } = await listedFor('mall_b')
  const { pathname } = new URL(purchase_url)
  const pages = await Promise.all([[], ['en-GB']].map(async ([language]) => {
    const answer = await fetch(`${one.url}${pathname}`, {
      headers: { 'User-Agent': PERSON, ...(language && { 'Accept-Language': language }) },
    })
    return { text: await answer.text(), headers: answer.headers }
  }))
  const [zh, en] = pages.map(({ text }) => text) as [string, string]
  expect(zh).toContain('B 商城 · 模拟商城')
  expect(en).toContain('Mall B · a simulated mall')
  expect(zh).toContain('<html lang="zh-CN">')
  expect(en).toContain('<html lang="en">')
  expect(`${zh}${en}`).not.toMatch(/>[^<]*mall_b/)
  for (const { text, headers } of pages) {
    expect(text).toMatch(/<main>.*<h1>.+<\/h1>/s)
    expect(text.match(/<h1/g)).toHaveLength(1)
    const style = /<style>([^]*?)<\/style>/.exec(text)?.[1] ?? ''
    expect(style).toBe(CARD_STYLE)
    const digest = createHash('sha256').update(style).digest('base64')
    expect(headers.get('content-security-policy')).toContain(`style-src 'sha256-${digest}'`)
  }
  const gone = await open(`${PUBLIC_URL}/go/nowhere0000`)
  expect(gone.status).toBe(404)
  expect(gone.text).toMatch(/<main><h1[^>]*>链接已失效<\/h1>/)
})

test('nothing but a shopper\'s pages is passed on, and orders are not to be guessed', async () => {
  for (const path of [
    'mall_b/routerjson', 'mall_b/_sim/heal', 'mall_b/..%2F_sim', 'mall_b/goods/..%2F..%2F_sim',
    'mall_d/visit', '__proto__/visit', 'mall_b/visit?url=https%3A%2F%2Fevil.example',
    'mall_b/goods/zz_000000', 'mall_b/order/1-AAAAAAAAAAAAAAAAAAAAAA', 'mall_b/s/AAAAAAAAAA',
    'mall_b/image/../../_sim.svg',
  ]) {
    expect((await open(`${PUBLIC_URL}/sandbox/malls/${path}`)).status, path).toBe(404)
  }
  for (const path of ['mall_b/_sim/heal', 'mall_b/buy', 'mall_b/routerjson', 'mall_b/visit']) {
    expect((await open(`${PUBLIC_URL}/sandbox/malls/${path}`, { url: 'x', id: 'x' })).status, path)
      .toBe(404)
  }
  const { policy } = await open((await listedFor('mall_b')).purchase_url)
  expect(policy).toContain('default-src \'none\'')
})

test('with real credentials none of it exists', async () => {
  const real = await startTestNode({ publicUrl: PUBLIC_URL }, undefined, malls.settings)
  try {
    for (const path of ['visit?url=x', 'goods/1', 'buy']) {
      expect((await real.send('GET', `/sandbox/malls/mall_b/${path}`)).status).toBe(404)
    }
    const { item_id } = await listedFor('mall_b')
    const { envelope } = await real.send('GET', `/v1/cps/local/goods/${item_id}`)
    expect(envelope.data.purchase_url).toMatch('https://item.jd.com/')
  } finally {
    await real.stop()
  }
})
