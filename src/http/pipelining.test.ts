import { expect, test } from 'vitest'
import { startListener } from '../testing/listener.ts'
import { openRaw, request } from '../testing/raw.ts'
import { REQUESTS_PER_TURN_MAX } from './turn.ts'
import type { Handler } from '../contract/http.ts'

/** Handlers that answer at once, which nothing but the listener bounds. */
function counting(): { handled: () => number, routes: Record<string, Handler> } {
  let handled = 0
  const answer: Handler = () => {
    handled += 1
    return { status: 200, body: 'hello' }
  }
  return {
    handled: () => handled,
    routes: { 'GET /hello': answer, 'GET /healthz': () => ({ status: 200, body: 'alive' }) },
  }
}

test('a connection that pipelines thousands of requests is closed', async () => {
  const { handled, routes } = counting()
  const { port, inFlight } = await startListener(routes)
  const clients = await Promise.all(Array.from({ length: 4 }, () => openRaw(port)))
  await Promise.all(clients.map((client) => client.write(request('GET /hello').repeat(5000))))
  await Promise.all(clients.map((client) => client.closed()))
  // All that a turn allows for each segment that arrived, and no more.
  expect(handled()).toBeLessThan(4 * 2 * REQUESTS_PER_TURN_MAX)
  expect(inFlight()).toBe(0)
  const other = await openRaw(port)
  await other.write(request('GET /healthz'))
  expect((await other.answer()).body).toBe('alive')
})

test('a small pipeline is answered whole and in order, and its connection lives on', async () => {
  const { handled, routes } = counting()
  const { port } = await startListener(routes)
  const client = await openRaw(port)
  const paths = Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? '/hello' : '/healthz'))
  for (let round = 1; round <= 4; round += 1) {
    await client.write(paths.map((path) => request(`GET ${path}`)).join(''))
    for (const path of paths) {
      expect((await client.answer()).body).toBe(path === '/hello' ? 'hello' : 'alive')
    }
    expect(handled()).toBe(25 * round)
  }
  expect(client.isClosed).toBe(false)
})

test('more callers at once than a turn takes are all answered on their connections', async () => {
  const { handled, routes } = counting()
  const { port } = await startListener({
    ...routes,
    'POST /echo': async (incoming) => ({ status: 200, body: await incoming.body() }),
  })
  const clients = await Promise.all(
    Array.from({ length: 2 * REQUESTS_PER_TURN_MAX }, () => openRaw(port)))
  const text = (at: number): string => (at % 2 === 0 ? request('GET /hello')
    : `${request('POST /echo', ['Content-Length: 4'])}body`)
  // Two rounds: a connection whose request came a turn later takes another one.
  for (let round = 1; round <= 2; round += 1) {
    await Promise.all(clients.map((client, at) => client.write(text(at))))
    const answers = await Promise.all(clients.map((client) => client.answer()))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers.filter(({ body }) => body === 'body')).toHaveLength(REQUESTS_PER_TURN_MAX)
    expect(handled()).toBe(REQUESTS_PER_TURN_MAX * round)
  }
  for (const client of clients) client.destroy()
})
