/** The way of a mall's item: searched, converted, clicked, bought, and found in the orders. */
import { afterAll, describe, expect, test } from 'vitest'
import { simulate } from '../../adapters/sandbox.ts'
import { ASSORTMENT } from '../../adapters/testing/stage.ts'
import { nowMs } from '../contract/time.ts'
import { ledger as keys } from '../redis/keys.ts'
import { startTestNode } from './node.ts'

const clock = { now: nowMs }
const [mallB, mallC] = await Promise.all([
  simulate.mall_b({ clock, assortment: ASSORTMENT }),
  simulate.mall_c({ clock, assortment: ASSORTMENT }),
])
const node = await startTestNode({ mallCallsPerSecond: 150 }, undefined, {
  mall_b: mallB.settings, mall_c: mallC.settings,
})
afterAll(async () => {
  await node.stop()
  await Promise.all([mallB.close(), mallC.close()])
})
const key = await node.newKey('t1')

const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'

async function visit(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(`${node.url}${new URL(url).pathname}`, {
    method, redirect: 'manual', headers: { 'User-Agent': PERSON, ...headers },
  })
  return { status: response.status, to: response.headers.get('location') }
}

const clicksOf = async (code: string): Promise<number> => {
  const agent = (await node.services.affiliate.links.target(code))?.agent ?? ''
  const entries = await node.services.ledger.xrange(keys.clicks(agent), '-', '+')
  return entries.filter(([, fields]) => fields.includes(code)).length
}

const call = async (path: string, body: object) => {
  const answer = await node.send('POST', `/v1/cps/${path}`, { key, body })
  expect(answer.envelope).toMatchObject({ code: 0 })
  return answer.envelope.data
}

test('reviews have stars, a time and words; a mall without specifications says so', async () => {
  const { items } = await call('mall-b/goods', { q: '蓝牙耳机', page_size: 5 })
  for (const { specs, reviews: { count, positive_percent, samples } } of items) {
    expect(specs).toBeNull()
    expect(positive_percent).toBeGreaterThanOrEqual(0)
    expect(samples).toHaveLength(Math.min(3, count))
    for (const { rating, at, text } of samples) {
      expect([rating >= 1 && rating <= 5, Date.parse(at) < nowMs(), text !== ''])
        .toEqual([true, true, true])
    }
  }
})

test('of several goods some of each come from the malls', async () => {
  const { items } = await call('smart-search', {
    query: '保温杯、双肩包和蓝牙耳机都要', sources: ['mall_b', 'mall_c'], page_size: 9,
  })
  for (const name of ['保温杯', '双肩包', '蓝牙耳机']) {
    expect(items.map(({ title }: { title: string }) => title)).toContainEqual(
      expect.stringContaining(name))
  }
})

describe.each([['mall-b', 'mall_b', mallB], ['mall-c', 'mall_c', mallC]] as const)(
  '%s', (path, name, mall) => {
    test('search, convert, click, buy: the order is its agent\'s and nobody else\'s', async () => {
      const { items } = await call(`${path}/goods`, { q: '蓝牙耳机', page_size: 5 })
      expect(items.length).toBeGreaterThan(0)
      const [{ item_id, final_price, price }] = items
      expect(item_id).toMatch(new RegExp(`^${name}:`))
      expect(price.payable).toBe(final_price)

      const link = await call(`${path}/convert`, { item_id })
      expect(link).toMatchObject({ item_id, attributed: true })
      expect(link.go_url).toContain('/go/')
      expect((await visit(link.go_url))).toEqual({ status: 302, to: link.platform_url })

      const order = mall.purchase(link.platform_url, 2)
      expect(order).not.toBeNull()
      const other = await node.newKey('t1')
      await expect.poll(async () => (await call(`${path}/orders`, {})).orders)
        .toEqual([expect.objectContaining({ item_id, qty: 2, amount: order?.amount })])
      const theirs = await node.send('POST', `/v1/cps/${path}/orders`, { key: other, body: {} })
      expect(theirs.envelope.data.orders).toEqual([])
    })

    test('a link of another host, and an item of another mall, are refused unasked', async () => {
      const before = mall.calls()
      for (const body of [
        { url: 'https://evil.example/detail/1.html' }, { item_id: 'mall_a:1' },
        { item_id: `${name}:1`, url: 'https://x.example/' }, {},
      ]) {
        const answer = await node.send('POST', `/v1/cps/${path}/convert`, { key, body })
        expect(answer).toMatchObject({ status: 400 })
      }
      expect(mall.calls()).toBe(before)
    })

    test('equal searches of many callers at once are one call to the mall', async () => {
      const q = `双肩包 ${path}`
      const before = mall.calls()
      const answers = await Promise.all(Array.from({ length: 20 }, () =>
        node.send('POST', `/v1/cps/${path}/goods`, { key, body: { q } })))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(mall.calls() - before).toBeLessThanOrEqual(2)
    })

    test('a mall that is ill is one refusal with its reason, in our own words', async () => {
      mall.faults.add('*', 'html', 100)
      const answer = await node.send('POST', `/v1/cps/${path}/goods`, {
        key, body: { q: '没有缓存的词' },
      })
      mall.faults.clear()
      expect(answer).toMatchObject({ status: 502, envelope: { data: {
        error: 'upstream_failed', source: name,
      } } })
    })
  })

describe('clicks', () => {
  test('a person counts once in a while; programs and looks ahead never', async () => {
    const { items: [item] } = await call('mall-b/goods', { q: '保温杯', page_size: 1 })
    const { go_url, platform_url } = await call('mall-b/convert', { item_id: item.item_id })
    const code = go_url.split('/').at(-1)
    const strangers: Record<string, string>[] = [
      { 'User-Agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' },
      { 'User-Agent': 'curl/8.5.0' }, { 'Sec-Purpose': 'prefetch;prerender' },
      { 'User-Agent': '' },
    ]
    for (const headers of strangers) {
      expect(await visit(go_url, headers)).toEqual({ status: 302, to: platform_url })
    }
    await visit(go_url, {}, 'HEAD')
    expect(await clicksOf(code)).toBe(0)
    for (let n = 0; n < 5; n += 1) await visit(go_url)
    expect(await clicksOf(code)).toBe(1)
    await visit(go_url, { 'X-Forwarded-For': '203.0.113.9' })
    expect(await clicksOf(code)).toBe(2)
  })

  test('a code that leads nowhere is a page that says so, never a redirect', async () => {
    for (const path of ['/go/000000000000', '/go/x', '/go/https%3A%2F%2Fevil.example']) {
      expect((await fetch(`${node.url}${path}`, { redirect: 'manual' })).status).toBe(404)
    }
  })
})

test('a platform without credentials and without a sandbox is not configured', async () => {
  const answer = await node.send('POST', '/v1/cps/mall-a/shops', { key, body: { q: '耳机' } })
  expect(answer).toMatchObject({ status: 503, envelope: { data: { error: 'not_configured' } } })
})
