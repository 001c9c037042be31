/** The simulated gateway: what it checks, in its order, and how it says so. */
import { expect, onTestFinished, test } from 'vitest'
import { simulate } from '../sandbox.ts'
import { createFakeClock, ASSORTMENT } from '../testing/stage.ts'
import { METHODS, request, sign, type Business, type Method } from './signing.ts'

const clock = createFakeClock()

async function stage(ratePerSecond = 100) {
  const simulator = await simulate.mall_a({ clock, assortment: ASSORTMENT, ratePerSecond })
  onTestFinished(() => simulator.close())
  const { settings } = simulator
  const paramsOf = (business: Business, method: Method = METHODS.search) => {
    const { body = '' } = request(settings, method, business, clock.now())
    return Object.fromEntries(new URLSearchParams(body))
  }
  /** Signed again, unless the signature is what is wrong. */
  const ask = async (params: Record<string, string>, inQuery: Record<string, string> = {}) => {
    const answer = await fetch(`${settings.baseUrl}?${new URLSearchParams(inQuery).toString()}`, {
      method: 'POST', body: new URLSearchParams(params),
    })
    expect(answer.status).toBe(200)
    const body = await answer.json() as Record<string, {
      code?: number, sub_code?: string, sub_msg?: string
    }>
    return body['error_response'] ?? null
  }
  /** Whole, in the plain form that the public clients ask for. */
  const plainly = async (method: Method, business: Business) => {
    const body = new URLSearchParams(paramsOf({ ...business, simplify: true }, method))
    return await (await fetch(settings.baseUrl, { method: 'POST', body })).json() as unknown
  }
  const signed = (params: Record<string, string>) =>
    ({ ...params, sign: sign(settings.appSecret, params) })
  return { simulator, paramsOf, ask, plainly, signed }
}

const GOOD = { adzone_id: '300', q: '双肩包' }

test('the first thing that is wrong is the one that is said', async () => {
  const { paramsOf, ask, signed } = await stage()
  const broken: [string, string | undefined, number][] = [
    ['format', 'xml', 23], ['v', '1.0', 34], ['v', undefined, 32], ['method', 'a.b', 22],
    ['method', undefined, 21], ['timestamp', '2026-01-02 00:00:00', 31],
    ['timestamp', undefined, 30], ['sign', '0', 25], ['sign', undefined, 24],
    ['app_key', 'another', 29], ['app_key', undefined, 28],
  ]
  let params: Record<string, string> = paramsOf(GOOD)
  expect(await ask(params)).toBeNull()
  for (const [name, value, code] of broken) {
    const { [name]: _, sign: signature = '', ...rest } = params
    const changed = { ...rest, ...(value !== undefined && { [name]: value }) }
    const aboutKey = name === 'sign' || name === 'app_key'
    params = aboutKey ? { ...changed, ...(name === 'app_key' && { sign: signature }) }
      : signed(changed)
    expect((await ask(params))?.code, `${name} ${value}`).toBe(code)
  }
})

test('parameters count from the query and the form alike', async () => {
  const { paramsOf, ask } = await stage()
  const { q = '', adzone_id = '', ...common } = paramsOf(GOOD)
  expect(await ask({ q, adzone_id }, common)).toBeNull()
  expect((await ask({ q: 'x', adzone_id }, common))?.code).toBe(25)
})

test('missing and wrong arguments are named', async () => {
  const { paramsOf, ask } = await stage()
  const said = async (business: Business, method?: Method) => {
    const error = await ask(paramsOf(business, method))
    return [error?.code, error?.sub_code]
  }
  expect(await said({ q: 'x' })).toEqual([40, 'isv.missing-parameter:adzone_id'])
  expect(await said({ q: 'x' }, METHODS.shops)).toEqual([40, 'isv.missing-parameter:fields'])
  expect(await said({}, METHODS.shareCode)).toEqual([40, 'isv.missing-parameter:url'])
  expect((await said({ ...GOOD, page_size: 101 }))[0]).toBe(41)
  expect((await said({ ...GOOD, sort: 'cheap' }))[0]).toBe(41)
  const ids = Array.from({ length: 21 }, (_, nth) => `a${nth}`).join(',')
  expect(await said({ item_id: ids }, METHODS.items)).toEqual([15, 'isv.invalid-parameter:item_id'])
  expect(await said({ url: 'https://evil.example/t?e=e30' }, METHODS.shareCode))
    .toEqual([15, 'isv.invalid-parameter:url'])
  const window = { query_type: 4, start_time: '2026-01-02 00:00:00' }
  expect(await said({ ...window, end_time: '2026-01-02 03:01:00' }, METHODS.orders))
    .toEqual([15, 'isv.invalid-parameter:end_time'])
  expect(await said({ ...window, end_time: '2026-01-02 03:00:00', page_no: 2 }, METHODS.orders))
    .toEqual([40, 'isv.missing-parameter:position_index'])
})

test('more calls than the mall allows are refused with a time to wait', async () => {
  const { paramsOf, ask } = await stage(2)
  const params = paramsOf(GOOD)
  expect([await ask(params), await ask(params)]).toEqual([null, null])
  expect(await ask(params)).toMatchObject({
    code: 7, sub_code: 'accesscontrol.limited-by-api-access-count',
    sub_msg: 'This ban will last for 1 more seconds',
  })
  clock.forward(1000)
  expect(await ask(params)).toBeNull()
})

const DAY = { start_time: '2026-01-02 11:00:00', end_time: '2026-01-02 12:00:00' }

test.each<[Method, Business, object]>([
  [METHODS.search, { adzone_id: '300', q: 'nothing of the kind' }, { result_list: [] }],
  [METHODS.shops, { fields: 'user_id', q: 'nothing of the kind' }, { results: [] }],
  [METHODS.orders, DAY, { data: { results: [] } }],
])('an empty list of %s is a list, as the public clients read it', async (...asked) => {
  const [method, business, wanted] = asked
  expect(await (await stage()).plainly(method, business)).toMatchObject(wanted)
})

test('the older details give ids as text', async () => {
  const { plainly } = await stage()
  const { result_list: [row] } = await plainly(METHODS.search, GOOD) as {
    result_list: { item_id: string }[]
  }
  expect(await plainly(METHODS.itemsLegacy, { num_iids: row?.item_id ?? '' }))
    .toMatchObject({ results: [{ num_iid: expect.stringMatching(/^6\d{11}$/) as string }] })
})

test('orders are found by the time that is asked for, else by that of their creation', async () => {
  const { simulator, plainly } = await stage()
  const { result_list: [row] } = await plainly(METHODS.search, GOOD) as {
    result_list: { item_id: string }[]
  }
  const { data: { item_url_list: [link] } } = await plainly(METHODS.convert, {
    adzone_id: '300', item_id_list: row?.item_id ?? '',
  }) as { data: { item_url_list: { link_info_dto: { cps_long_url: string } }[] } }
  const order = simulator.purchase(`https:${link?.link_info_dto.cps_long_url}`)
  clock.forward(2 * 3_600_000)
  simulator.orders.move(order?.number ?? 0, 'settled')
  const found = async (when: object) =>
    (await plainly(METHODS.orders, when as Business) as { data: { results: object[] } })
      .data.results.length
  const later = { start_time: '2026-01-02 12:30:00', end_time: '2026-01-02 14:00:00' }
  expect(await found(DAY)).toBe(1)
  for (const type of [1, 2]) expect(await found({ ...DAY, query_type: type })).toBe(1)
  for (const type of [3, 4]) {
    expect(await found({ ...DAY, query_type: type })).toBe(0)
    expect(await found({ ...later, query_type: type })).toBe(1)
  }
})
