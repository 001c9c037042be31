import { randomUUID } from 'node:crypto'
import { afterAll, expect, inject, test } from 'vitest'
import { nowMs } from '../contract/time.ts'
import { createEarnings } from '../earnings/earnings.ts'
import { settleAccount } from '../earnings/lots.ts'
import { exportPayouts } from '../earnings/payouts.ts'
import { dayOf, monthOf } from '../earnings/month.ts'
import { markWithdrawal } from '../earnings/withdrawals.ts'
import { openRedis, untilReady } from '../redis/connect.ts'
import { createDurable } from '../redis/durable.ts'
import { openBrowser, openOwner, PASSWORD, type Browser } from '../testing/console.ts'
import { startTestNode } from '../testing/node.ts'
import { testOfDay } from '../testing/over-midnight.ts'
import { attemptAt, supplyProduct } from '../testing/products.ts'

const [node, other] = [await startTestNode(), await startTestNode()]
const { ledger, log, secrets } = node.services
const writes = openRedis(inject('redis').ledgerUrl, log)
await untilReady(writes, 'ledger')
const durable = createDurable({ client: writes, replicas: 0, log })
const place = { ledger, durable, secrets, mode: 'sandbox' as const }
afterAll(async () => {
  durable.close()
  await node.stop()
  await other.stop()
})

const APP = { kind: 'payment_app', account: '13800001234', holder: '张三' }
const PRICE = 30_000

async function buy(apiKey: string): Promise<string> {
  const product = await supplyProduct(ledger, { price: PRICE })
  const { idempotency_key, ...body } = attemptAt(product)
  const placed = await node.send('POST', '/v1/orders', {
    key: apiKey, body, headers: { 'Idempotency-Key': idempotency_key },
  })
  const { order_no, pay_url } = placed.envelope.data
  const url = new URL(pay_url)
  await fetch(`${node.url}${url.pathname}`, { method: 'POST', body: url.searchParams })
  return order_no
}

const balancesOf = async (browser: ReturnType<typeof openBrowser>) =>
  (await browser.call('GET', '/earnings')).envelope.data.balances

async function earned() {
  const owner = await openOwner(node)
  const orderNo = await buy(owner.apiKey)
  await expect.poll(() => balancesOf(owner.browser))
    .toMatchObject({ pending: 0, confirmed: 1500 })
  return { ...owner, orderNo }
}

async function confirmAddress(browser: Browser): Promise<void> {
  const token = await node.mailedToken(browser.email, 'verify')
  expect((await browser.call('POST', '/email/verified', { token })).envelope.code).toBe(0)
}

testOfDay('an order earns, is settled, withdrawn and paid; each step is seen at once', async () => {
  const { browser, account } = await earned()
  const before = await browser.call('GET', '/earnings')
  expect(before.envelope.data).toEqual({
    balances: { pending: 0, confirmed: 1500, withdrawable: 0, reserved: 0, paid: 0 },
    mode: 'sandbox', rate_bps: 500, withdrawal_minimum: 1000,
    settles_at: expect.stringMatching(/T16:00:00.000Z$/),
    since: expect.stringMatching(/^20.*Z$/),
  })
  await settleAccount(place, account, nowMs() + 1)
  expect(await balancesOf(browser)).toMatchObject({ confirmed: 0, withdrawable: 1500 })

  const key = randomUUID()
  const body = { amount: 1200, payee: APP }
  expect((await browser.call('POST', '/withdrawals', body, key)).envelope.data)
    .toMatchObject({ error: 'withdrawal_refused', why: 'unverified' })
  await confirmAddress(browser)
  expect((await browser.call('POST', '/withdrawals', body, key)).envelope.data)
    .toMatchObject({ error: 'withdrawal_refused', why: 'password' })
  const asked = await browser.call('POST', '/withdrawals', { ...body, password: PASSWORD }, key)
  expect(asked.envelope.data).toMatchObject({
    amount: 1200, status: 'requested', duplicate: false,
    payee_masked: { kind: 'payment_app', account: '****34', holder: '张*' },
  })
  const again = await browser.call('POST', '/withdrawals', body, key)
  expect(again.envelope.data).toMatchObject({
    withdrawal_id: asked.envelope.data.withdrawal_id, duplicate: true,
  })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect((await browser.call('POST', '/withdrawals', { ...body, amount: 1100 }, key)).status)
    .toBe(422)
  expect((await browser.call('POST', '/withdrawals', body, randomUUID())).envelope.data)
    .toMatchObject({ error: 'withdrawal_refused', why: 'open_withdrawal' })
  const { withdrawal_id: id } = asked.envelope.data
  const { browser: stranger } = await openOwner(node)
  expect((await stranger.call('DELETE', `/withdrawals/${id}`)).status).toBe(404)
  expect((await browser.call('DELETE', `/withdrawals/${id}`)).envelope.code).toBe(0)
  expect(await balancesOf(browser)).toMatchObject({ withdrawable: 1500, reserved: 0 })
  const anew = await browser.call('POST', '/withdrawals', body, randomUUID())

  const month = monthOf(nowMs())
  const { csv } = await exportPayouts({ ...place, accounts: [account] }, month, nowMs() + 1000)
  expect(csv).toContain(anew.envelope.data.withdrawal_id)
  expect(csv).not.toContain(id)
  expect((await browser.call('DELETE', `/withdrawals/${anew.envelope.data.withdrawal_id}`)).status)
    .toBe(404)
  await markWithdrawal(place, anew.envelope.data.withdrawal_id, 'paid')
  expect(await balancesOf(browser)).toMatchObject({ withdrawable: 300, reserved: 0, paid: 1200 })
  const list = await browser.call('GET', '/withdrawals')
  expect(list.envelope.data.withdrawals).toMatchObject([
    { status: 'paid', payout_month: month }, { status: 'failed', payout_month: null }])
})

test('a withdrawal is refused with its reason', async () => {
  const { browser } = await openOwner(node)
  await confirmAddress(browser)
  const ask = async (body: object, key: string | undefined = randomUUID()) =>
    (await browser.call('POST', '/withdrawals', { ...body, password: PASSWORD }, key)).envelope.data
  expect(await ask({ amount: 999, payee: APP })).toMatchObject({ why: 'minimum', minimum: 1000 })
  expect(await ask({ amount: 1000, payee: APP }))
    .toMatchObject({ why: 'balance', withdrawable: 0 })
  expect(await ask({ amount: 1000, payee: { kind: 'bank_card', card: '4111111111111112',
    holder: '张三' } })).toMatchObject({ error: 'invalid_request', fields: [{ path: 'payee.card' }] })
  expect(await ask({ amount: 1000, payee: { kind: 'cash' } }))
    .toMatchObject({ error: 'invalid_request' })
  expect((await browser.call('POST', '/withdrawals', { amount: 1000, payee: APP })).envelope.data)
    .toMatchObject({ error: 'idempotency_key_required' })
})

testOfDay('in the sandbox a month ends and a withdrawal is paid at a press', async () => {
  const { browser } = await earned()
  const ended = await browser.call('POST', '/earnings/month-end', {})
  expect(ended.envelope.data).toEqual({ entries: 1, fen: 1500 })
  expect((await browser.call('POST', '/earnings/month-end', {})).envelope.data)
    .toEqual({ entries: 0, fen: 0 })
  expect(await balancesOf(browser)).toMatchObject({ confirmed: 0, withdrawable: 1500 })
  await confirmAddress(browser)
  const request = async () => {
    const { envelope } = await browser.call('POST', '/withdrawals',
      { amount: 1500, payee: APP, password: PASSWORD }, randomUUID())
    return envelope.data.withdrawal_id as string
  }
  const move = (id: string, name: string) =>
    browser.call('POST', `/withdrawals/${id}/moves`, { move: name })
  const failing = await request()
  expect((await move(failing, 'fail')).envelope.data).toMatchObject({ status: 'failed' })
  expect(await balancesOf(browser)).toMatchObject({ withdrawable: 1500, reserved: 0 })
  const id = await request()
  expect((await move(id, 'pay')).envelope.data).toMatchObject(
    { status: 'paid', mode: 'sandbox', payout_month: monthOf(nowMs()) })
  expect((await move(id, 'pay')).envelope.data).toMatchObject({ status: 'paid' })
  expect((await move(id, 'fail')).envelope.data)
    .toMatchObject({ error: 'withdrawal_refused', why: 'decided' })
  expect(await balancesOf(browser)).toMatchObject({ withdrawable: 0, reserved: 0, paid: 1500 })
  // Somebody else's, and none at all, are answered the same.
  const { browser: other } = await earned()
  expect((await other.call('POST', `/withdrawals/${id}/moves`, { move: 'pay' })).status).toBe(404)
  expect((await move('wd_none', 'pay')).status).toBe(404)
})

testOfDay('a live service ends no month at a press and pays nothing', async () => {
  const { account } = await earned()
  const live = createEarnings({ ...place, mode: 'live' })
  await expect(live.endSandboxMonth(account)).rejects.toMatchObject({ error: 'not_configured' })
  await expect(live.moveSandboxWithdrawal(account, `wd_0123456789ABCDEF_${account}`, 'pay'))
    .rejects.toMatchObject({ error: 'not_configured' })
})

testOfDay('the month\'s statement comes as a file', async () => {
  const { browser, agent, orderNo } = await earned()
  const month = monthOf(nowMs())
  const file = await node.send('GET', `/console/api/statements/${month}`,
    { headers: { Cookie: browser.cookie } })
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(file.headers.get('content-disposition'))
    .toBe(`attachment; filename="agentmall-sandbox-${month}.csv"`)
  const lines = file.text.trim().split('\n')
  expect(lines[0]).toBe('at,entry,about,agent,agent_name,order_amount_yuan,rate_percent,'
    + 'pending_yuan,confirmed_yuan,withdrawable_yuan,reserved_yuan,paid_yuan,mode')
  expect(lines.filter((line) => line.includes(orderNo)).map((line) => line.split(',').slice(1)))
    .toEqual([
      ['pending', orderNo, agent, 'first', '300.00', '5', '15.00', '0.00', '0.00', '0.00', '0.00',
        'sandbox'],
      ['confirmed', orderNo, agent, 'first', '300.00', '5', '-15.00', '15.00', '0.00', '0.00',
        '0.00', 'sandbox'],
    ])
  expect(lines.at(-1)).toContain('balance after')
  expect((await browser.call('GET', '/statements/2026-13')).status).toBe(400)
})

testOfDay('what an account\'s days brought', async () => {
  const { browser, agent } = await earned()
  const { data } = (await browser.call('GET', '/activity')).envelope
  expect(data.to).toBe(dayOf(nowMs()))
  expect(data.rows).toEqual([{
    day: expect.any(String), source: 'own', agent, clicks: 0, orders: 1, amount: PRICE,
    commission: 1500, reversed: 0,
  }])
  const wrong = await browser.call('GET', '/activity?from=2026-01-01&to=2026-12-31')
  expect(wrong.envelope.data.fields).toMatchObject([{ path: 'from' }])
  expect((await browser.call('GET', '/activity?to=9999-12-31')).status).toBe(400)
})

test('new terms change the rate of later commissions', async () => {
  const owner = await openOwner(node)
  await ledger.hset(`acct:{${owner.account}}`, 'terms', '0:700')
  expect((await owner.browser.call('GET', '/earnings')).envelope.data.rate_bps).toBe(700)
  await buy(owner.apiKey)
  await expect.poll(() => balancesOf(owner.browser))
    .toMatchObject({ confirmed: 2100 })
})

test('a trial key\'s orders and earnings come with its binding code, once', async () => {
  const trial = (await node.send('POST', '/v1/trial-keys')).envelope.data
  const orderNo = await buy(trial.api_key)
  const owner = await openOwner(other)
  const bound = await owner.browser.call('POST', '/bindings', { binding_code: trial.binding_code })
  expect(bound.envelope.data.agents).toEqual([expect.stringMatching(/^ag_/)])
  await expect.poll(() => balancesOf(owner.browser))
    .toMatchObject({ confirmed: 1500 })
  const { items } = (await owner.browser.call('GET', '/orders')).envelope.data
  expect(items).toMatchObject([{ order_no: orderNo }])
  const stranger = await openOwner(node)
  const late = await stranger.browser.call('POST', '/bindings',
    { binding_code: trial.binding_code })
  expect(late.status).toBe(404)
  expect(await balancesOf(stranger.browser)).toMatchObject({ confirmed: 0 })
})
