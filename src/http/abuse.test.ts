import { expect, test } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { startListener } from '../testing/listener.ts'
import { openRaw, request, type RawClient } from '../testing/raw.ts'
import type { Handler } from '../contract/http.ts'

const CONNECTIONS = 500
const turn = (): Promise<void> => new Promise((resolve) => { setImmediate(resolve) })

const routes: Record<string, Handler> = {
  'GET /hello': () => ({ status: 200, body: 'hello' }),
  'GET /turn': async () => {
    await turn()
    return { status: 200, body: 'turn' }
  },
  'GET /large': () => ({ status: 200, body: Buffer.alloc(200_000, 'a') }),
  'GET /throws': () => { throw new Error('inside') },
  'GET /rejects': async () => {
    await turn()
    throw new Refusal('out_of_stock')
  },
  'GET /never': () => new Promise(() => {}),
  'POST /echo': async (incoming) => {
    const body = await incoming.body()
    await turn()
    return { status: 200, body: String(body.length) }
  },
  'POST /early': async () => ({ status: 202 }),
}

/** What is sent, and the statuses that may answer it. */
const KINDS: readonly (readonly [text: string, statuses: readonly number[]])[] = [
  [request('GET /hello'), [200]],
  [request('GET /turn'), [200]],
  [request('GET /large'), [200]],
  [request('GET /throws'), [500]],
  [request('GET /rejects'), [409]],
  [request('GET /never'), [503]],
  [request('GET /nowhere'), [404]],
  [request('DELETE /hello'), [405]],
  [request('OPTIONS /hello'), [204]],
  [request('GET /hello', Array<string>(80).fill('X: y')), [431]],
  [request('GET /hello', Array<string>(300).fill('X: y')), [431]],
  [request('POST /echo', ['Content-Length: 5']) + 'abcde', [200]],
  [request('POST /echo', ['Content-Length: 5']) + 'ab', [400]],
  [request('POST /echo', ['Transfer-Encoding: chunked']) + '5\r\nabcde\r\n0\r\n\r\n', [200]],
  [request('POST /echo', ['Transfer-Encoding: chunked']) + 'zz\r\n', [400]],
  [request('POST /echo', ['Content-Length: 70000']) + 'x'.repeat(70_000), [413]],
  [request('POST /echo', ['Content-Length: 9000000']) + 'x'.repeat(1000), [413]],
  [request('POST /echo', ['Content-Length: 1', 'Content-Length: 2']) + 'ab', [400]],
  [request('POST /early', ['Transfer-Encoding: chunked']) + '5\r\nab', [202]],
  ['GET /hello HTTP/1.1\r\n\r\n', [400]],
  ['\0\x01\x02\r\n\r\n', [505]],
]
/** Those who hang up before they could have an answer. */
const LEAVERS = [
  request('GET /turn'), request('GET /never'), request('GET /large'), 'GET /hel',
  request('POST /echo', ['Content-Length: 500']) + 'half',
]

async function behave(port: number, number: number, clients: RawClient[]): Promise<string> {
  const client = await openRaw(port)
  if (number % 5 === 4) {
    await client.write(LEAVERS[number % LEAVERS.length] ?? '')
    client.destroy()
    return 'left'
  }
  clients.push(client)
  const [text, statuses] = KINDS[number % KINDS.length] ?? ['', []]
  await client.write(text)
  const { status, body } = await client.answer()
  return statuses.includes(status) ? 'answered' : `${status} ${body} for ${text.slice(0, 80)}`
}

// Clients and server share a process: its deadlines are for those who never finish, not for it.
test('500 clients, most of them abusive, get one answer each; the process survives', async () => {
  const { port, inFlight, entries } = await startListener(routes, {
    requestDeadlineMs: 8000, bodyDeadlineMs: 5000,
  })
  const clients: RawClient[] = []
  const outcomes = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, number) => behave(port, number, clients)),
  )
  expect(outcomes.filter((outcome) => outcome !== 'left' && outcome !== 'answered')).toEqual([])
  expect(outcomes.filter((outcome) => outcome === 'left')).toHaveLength(CONNECTIONS / 5)
  await expect.poll(inFlight).toBe(0)

  // Whatever could still come would be in front of the answer to one more request.
  for (const client of clients.filter(({ isClosed }) => !isClosed)) {
    expect(client.rest).toBe('')
    client.destroy()
  }
  const last = await openRaw(port)
  await last.write(request('GET /hello'))
  expect((await last.answer()).body).toBe('hello')
  // One line for each request that reached our code, and none twice.
  const ids = entries.filter(({ msg }) => msg === 'request').map((entry) => entry['request_id'])
  expect(new Set(ids).size).toBe(ids.length)
})
