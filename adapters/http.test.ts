/** The outbound client against servers that behave as platforms do on bad days. */
import { onTestFinished, expect, test, vi } from 'vitest'
import { type Budget, createLocalBudget, DEFAULT_LIMITS, type PlatformLimits } from './limits.ts'
import { SourceError } from './contract.ts'
import type { PlatformCall } from './attempt.ts'
import { createClient, type PlatformClient, type Observation } from './http.ts'
import { createFakeClock, startServer, until } from './testing/stage.ts'

const FREE: Budget = { take: () => Promise.resolve(0), limited: () => Promise.resolve() }

function client(baseUrl: string, limits: Partial<PlatformLimits> = {}, more: {
  budget?: Budget, observe?: (seen: Observation) => void,
} = {}): PlatformClient {
  const made = createClient({
    source: 'mall_b', baseUrl, clock: createFakeClock(), budget: FREE, random: () => 0.5,
    limits: { retryMs: 5, totalMs: 3000, ...limits }, ...more,
  })
  onTestFinished(() => made.close())
  return made
}

const ask = (more: Partial<PlatformCall<unknown>> = {}): PlatformCall<unknown> => ({
  operation: 'test', repeatable: true,
  build: () => ({ method: 'POST', path: '', headers: {}, body: 'a=1' }),
  read: (text) => JSON.parse(text) as unknown,
  ...more,
})

const failure = (work: Promise<unknown>): Promise<SourceError> =>
  work.then(() => { throw new Error('It did not fail.') }, (error: unknown) => {
    if (error instanceof SourceError) return error
    throw error
  })

test('connections are kept and no more of them than calls at once', async () => {
  const server = await startServer((_, response) => response.end('{"ok":1}'))
  const outbound = client(server.url, { concurrency: 3 })
  for (let round = 0; round < 4; round += 1) {
    await Promise.all(Array.from({ length: 9 }, () => outbound.call(ask())))
  }
  expect(server.calls()).toBe(36)
  expect(server.connections()).toBeLessThanOrEqual(3)
})

test('the base path stays before the path of the operation', async () => {
  const paths: (string | undefined)[] = []
  const server = await startServer((request, response) => {
    paths.push(request.url)
    response.end('{}')
  })
  const build = (path: string) => () => ({ method: 'GET' as const, path, headers: {} })
  await client(`${server.url}/router`).call(ask())
  await client(server.url).call(ask({ build: build('/v1/x?a=1') }))
  await client(`${server.url}/api`).call(ask({ build: build('/x') }))
  await client(server.url).call(ask())
  expect(paths).toEqual(['/router', '/v1/x?a=1', '/api/x', '/'])
})

test('beyond the places and the queue a call is refused at once', async () => {
  const server = await startServer(() => {})
  const outbound = client(server.url, { concurrency: 2, queueMax: 3, totalMs: 4000 })
  const waiting = [undefined, undefined, 2000, 2000, 2000].map((deadlineMs) =>
    failure(outbound.call(ask(), deadlineMs === undefined ? {} : { deadlineMs })))
  expect((await failure(outbound.call(ask()))).kind).toBe('busy')
  await until(() => server.calls() === 2)
  expect(outbound.health()).toMatchObject({ active: 2, queued: 3 })
  expect((await Promise.all(waiting)).map(({ kind }) => kind)).toEqual(Array(5).fill('timeout'))
  // Whoever waited in vain is not sent later.
  await until(() => outbound.health().active === 0)
  expect(server.calls()).toBe(2)
})

test('two hundred calls to a dead server all end by their deadline', async () => {
  const server = await startServer(() => {})
  const outbound = client(server.url, {
    concurrency: 50, queueMax: 200, breakAfter: 999, breakWindow: 999,
    // Nothing but its own deadline ends a call before this test is over.
    totalMs: 600_000,
  })
  const kinds = await Promise.all(Array.from({ length: 200 }, () =>
    failure(outbound.call(ask(), { deadlineMs: 300 })).then(({ kind }) => kind)))
  expect(new Set(kinds)).toEqual(new Set(['timeout']))
})

test('a port where nobody listens is a network failure', async () => {
  expect((await failure(client('http://127.0.0.1:9').call(ask()))).kind).toBe('network')
})

test.each([
  [429, '', 'rate_limited'], [503, '', 'retryable'], [401, '{}', 'auth'], [404, '', 'bad_answer'],
  [301, '', 'bad_answer'], [200, '', 'bad_answer'], [200, ' <html>', 'bad_answer'],
] as const)('HTTP %i with "%s" is %s', async (status, body, kind) => {
  const server = await startServer((_, response) => response.writeHead(status).end(body))
  expect((await failure(client(server.url).call(ask()))).kind).toBe(kind)
})

test('what the body says goes before what the status says', async () => {
  const server = await startServer((_, response) => response.writeHead(500).end('{"code":12}'))
  const read = (): never => { throw new SourceError('mall_b', 'auth', { code: 12 }) }
  expect(await failure(client(server.url).call(ask({ read })))).toMatchObject({
    kind: 'auth', code: '12',
  })
})

test('Retry-After is believed, and passed on to all who share the budget', async () => {
  const server = await startServer((_, response) =>
    response.writeHead(429, { 'retry-after': '40' }).end())
  const limited = vi.fn<Budget['limited']>(() => Promise.resolve())
  const found = await failure(client(server.url, {}, { budget: { ...FREE, limited } }).call(ask()))
  expect(found).toMatchObject({ kind: 'rate_limited', retryAfterMs: 40_000 })
  expect(limited).toHaveBeenCalledExactlyOnceWith(40_000)
})

test('without a time, each refusal in a row rests longer, until an answer', async () => {
  let limit = true
  const server = await startServer((_, response) =>
    response.writeHead(limit ? 429 : 200).end('{}'))
  const rests: number[] = []
  const outbound = client(server.url, {}, {
    budget: { ...FREE, limited: (ms) => Promise.resolve(void rests.push(ms)) },
  })
  for (let nth = 0; nth < 3; nth += 1) await failure(outbound.call(ask()))
  limit = false
  await outbound.call(ask())
  limit = true
  await failure(outbound.call(ask()))
  expect(rests).toEqual([1250, 2500, 5000, 1250])
})

test('a used up day rests until midnight in China', async () => {
  const server = await startServer((_, response) => response.end('{}'))
  const rests: number[] = []
  const read = (): never => { throw new SourceError('mall_b', 'quota') }
  await failure(client(server.url, {}, {
    budget: { ...FREE, limited: (ms) => Promise.resolve(void rests.push(ms)) },
  }).call(ask({ read })))
  // The clock stands at 11:04:05 there.
  expect(rests).toEqual([((12 * 60 + 55) * 60 + 55) * 1000])
})

test('a call waits for a near turn in the budget, and is refused with a far one', async () => {
  const server = await startServer((_, response) => response.end('{}'))
  const waits = [30, 0, 5000]
  const budget = { ...FREE, take: () => Promise.resolve(waits.shift() ?? 0) }
  const outbound = client(server.url, { waitMs: 100 }, { budget })
  expect(await outbound.call(ask())).toEqual({})
  expect(await failure(outbound.call(ask())))
    .toMatchObject({ kind: 'rate_limited', retryAfterMs: 5000 })
  expect(server.calls()).toBe(1)
})

test('calls that wait for their turn keep no place from one that has it', async () => {
  const server = await startServer((_, response) => response.end('{"ok":1}'))
  const budget: Budget = {
    take: (payer) => Promise.resolve(payer?.tier === 't2' ? 0 : 200), limited: FREE.limited,
  }
  const outbound = client(server.url, { concurrency: 1, queueMax: 2, waitMs: 250 }, { budget })
  const free = { payer: { tier: 'trial', agent: 'one' } }
  const waiting = Array.from({ length: 10 }, () => failure(outbound.call(ask(), free)))
  const paid = { payer: { tier: 't2', agent: 'two' } }
  expect(await outbound.call(ask(), paid)).toEqual({ ok: 1 })
  const kinds = (await Promise.all(waiting)).map(({ kind }) => kind)
  expect(kinds).toEqual(kinds.map(() => 'rate_limited'))
  expect(server.calls()).toBe(1)
})

test('each attempt is signed anew, and there are so many and no more', async () => {
  const server = await startServer((_, response) => response.writeHead(503).end())
  const build = vi.fn<PlatformCall<unknown>['build']>(ask().build)
  const seen: Observation[] = []
  const outbound = client(server.url, { retries: 2 }, { observe: (one) => seen.push(one) })
  expect((await failure(outbound.call(ask({ build })))).kind).toBe('retryable')
  expect(build).toHaveBeenCalledTimes(3)
  expect(seen.map(({ attempt, outcome }) => [attempt, outcome]))
    .toEqual([[1, 'retryable'], [2, 'retryable'], [3, 'retryable']])
  await failure(outbound.call(ask({ build, repeatable: false })))
  expect(server.calls()).toBe(4)
})

test('an opened circuit sends nothing, then one call, and closes when that works', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => { vi.useRealTimers() })
  let ill = true
  const server = await startServer((_, response) => response.end(ill ? '<html>' : '{}'))
  const outbound = client(server.url, { breakAfter: 2, breakWindow: 4, breakMs: 1000, retries: 0 })
  for (let nth = 0; nth < 2; nth += 1) await failure(outbound.call(ask()))
  expect((await failure(outbound.call(ask()))).kind).toBe('open')
  expect(server.calls()).toBe(2)
  vi.setSystemTime(Date.now() + 60_000)
  expect((await failure(outbound.call(ask()))).kind).toBe('bad_answer')
  expect((await failure(outbound.call(ask()))).kind).toBe('open')
  expect(server.calls()).toBe(3)
  ill = false
  vi.setSystemTime(Date.now() + 60_000)
  expect(await outbound.call(ask())).toEqual({})
  expect(outbound.health().circuit).toBe('closed')
})

test('what a caller did wrong does not open the circuit', async () => {
  const server = await startServer((_, response) => response.end('{}'))
  const outbound = client(server.url, { breakAfter: 2, breakWindow: 4 })
  const read = (): never => { throw new SourceError('mall_b', 'invalid_arg') }
  for (let nth = 0; nth < 6; nth += 1) {
    expect((await failure(outbound.call(ask({ read })))).kind).toBe('invalid_arg')
  }
  expect(outbound.health().circuit).toBe('closed')
})

test('failures and observations hold nothing of what was sent or received', async () => {
  const server = await startServer((_, response) =>
    response.writeHead(500).end('{"secret":"UPSTREAM-WORDS"}'))
  const seen: Observation[] = []
  const outbound = client(server.url, {}, { observe: (one) => seen.push(one) })
  const build = () => ({
    method: 'GET' as const, path: '/x?sign=SIGNATURE', headers: { 'x-key': 'SECRET' },
  })
  const found = await failure(outbound.call(ask({ build })))
  const told = `${found.message} ${found.stack} ${JSON.stringify(found)} ${JSON.stringify(seen)}`
  expect(told).not.toMatch(/UPSTREAM-WORDS|SIGNATURE|SECRET/)
})

test('the platform\'s clock is compared with ours', async () => {
  const server = await startServer((_, response) =>
    response.writeHead(200, { date: 'Fri, 02 Jan 2026 03:14:05 GMT' }).end('{}'))
  const outbound = client(server.url)
  expect(outbound.health().skewMs).toBeNull()
  await outbound.call(ask())
  expect(outbound.health().skewMs).toBe(600_000)
})

test('the local budget grants its rate, and nothing while the gateway is shut', async () => {
  const clock = createFakeClock()
  const budget = createLocalBudget({ clock, ratePerSecond: 5, burst: 2 })
  expect([await budget.take(), await budget.take(), await budget.take()]).toEqual([0, 0, 200])
  clock.forward(200)
  expect([await budget.take(), await budget.take()]).toEqual([0, 200])
  await budget.limited(7000)
  await budget.limited(1000)
  clock.forward(6999)
  expect(await budget.take()).toBe(1)
  clock.forward(1)
  expect(await budget.take()).toBe(0)
})

test('no limit is missing or unlimited', () => {
  for (const limit of Object.values(DEFAULT_LIMITS)) {
    expect(Number.isSafeInteger(limit) && limit > 0).toBe(true)
  }
})
