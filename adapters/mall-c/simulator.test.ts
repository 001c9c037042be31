/** The simulated gateway: its checks in their order, each with the body that the real one sends. */
import { expect, onTestFinished, test } from 'vitest'
import { createFakeClock, ASSORTMENT } from '../testing/stage.ts'
import { sign, TYPES } from './signing.ts'
import { startMallC, STRICT_PID } from './simulator.ts'

type Params = Record<string, string>
const SECRET = 'sandbox-secret-c'
const NOW_S = createFakeClock().now() / 1000

const SOUND: Params = {
  type: TYPES.search, client_id: 'sandbox-c-client', timestamp: String(NOW_S), data_type: 'JSON',
  keyword: '双肩包', pid: '1000001_2000001',
}

async function gateway() {
  const clock = createFakeClock()
  const simulator = await startMallC({ clock, assortment: ASSORTMENT })
  onTestFinished(() => simulator.close())
  const { baseUrl } = simulator.settings
  const send = async (params: Params, query: Params = {}): Promise<Record<string, unknown>> => {
    const url = `${baseUrl}?${new URLSearchParams(query).toString()}`
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(params) })
    expect(answer.status).toBe(200)
    return await answer.json() as Record<string, unknown>
  }
  /** Signed as it is, without the parameters that are to be missing. */
  const ask = (change: Params, ...without: string[]) => {
    const params = Object.fromEntries(Object.entries({ ...SOUND, ...change })
      .filter(([name]) => !without.includes(name)))
    return send(without.includes('sign') ? params : { sign: sign(SECRET, params), ...params })
  }
  return { send, ask }
}

const code = (error_code: number, sub_code: string | null = null) =>
  ({ error_response: { error_code, sub_code } })

test('what is wrong first is said first, in a body of status 200', async () => {
  const { ask } = await gateway()
  const wrong = { client_id: 'another', sign: 'F00D', timestamp: '1', type: 'pdd.none' }
  expect(await ask(wrong, 'client_id')).toMatchObject(code(10001))
  expect(await ask(wrong)).toMatchObject(code(10016))
  expect(await ask({}, 'sign')).toMatchObject(code(20004))
  expect(await ask({ sign: 'F00D' })).toMatchObject(code(20004))
  expect(await ask({ type: 'pdd.none' }, 'timestamp')).toMatchObject(code(10001))
  expect(await ask({ type: 'pdd.none', timestamp: String(NOW_S - 601) }))
    .toMatchObject(code(20004))
  expect(await ask({ timestamp: String(NOW_S - 600) })).toHaveProperty('goods_search_response')
  expect(await ask({}, 'type')).toMatchObject(code(10001))
  expect(await ask({ type: 'pdd.none' })).toMatchObject(code(10017))
})

test.each<[string, Params]>([
  ['a search for nothing', { keyword: '' }],
  ['a page smaller than ten', { page_size: '9' }],
  ['a page larger than a hundred', { page_size: '101' }],
  ['a page before the first', { page: '0' }],
  ['a page of another list', { page: '2', list_id: 'list_other' }],
  ['ranges that are no JSON', { range_list: '[' }],
  ['a position of nobody', { pid: '1_1' }],
  ['a user over 64 bytes', { custom_parameters: JSON.stringify({ uid: 'a'.repeat(55) }) }],
  ['a user without a uid', { custom_parameters: '{"sid":"1"}' }],
  ['no goods to tell of', { type: TYPES.detail }],
  ['no goods to convert', { type: TYPES.convert, p_id: '1000001_2000001' }],
  ['another channel than the registration\'s', {
    type: TYPES.register, p_id_list: '["1000001_2000001"]', channel_type: '2',
  }],
  ['orders of more than a day', {
    type: TYPES.orders, start_update_time: String(NOW_S - 86_401),
    end_update_time: String(NOW_S),
  }],
  ['orders of more than ninety days ago', {
    type: TYPES.orders, start_update_time: String(NOW_S - 90 * 86_400 - 1),
    end_update_time: String(NOW_S - 90 * 86_400),
  }],
])('%s is refused as a parameter', async (_, change) => {
  expect(await (await gateway()).ask(change)).toMatchObject(code(10000))
})

test('a position that nobody registered is refused with the code below the code', async () => {
  expect(await (await gateway()).ask({ pid: STRICT_PID })).toMatchObject(code(50001, '60001'))
})

test('parameters may be split over query and form', async () => {
  const { send } = await gateway()
  const { keyword = '', ...form } = { ...SOUND, sign: sign(SECRET, SOUND) }
  expect(await send(form, { keyword })).toHaveProperty('goods_search_response.total_count')
})

test('counts are given only where they are asked for', async () => {
  const { ask } = await gateway()
  const window = {
    type: TYPES.orders, start_update_time: String(NOW_S - 60), end_update_time: String(NOW_S),
  }
  expect(await ask({ ...window, return_count: 'true' }))
    .toMatchObject({ order_list_get_response: { order_list: [], total_count: 0 } })
  expect(await ask({ ...window, return_count: 'false' }))
    .not.toHaveProperty('order_list_get_response.total_count')
})
