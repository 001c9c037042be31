import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { allowsLoopback, Outbound, type OutboundError, urlProblem } from './outbound.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((done) => { server.listen(0, '127.0.0.1', done) })
  closing.push(() => { server.closeAllConnections(); server.close() })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

function open(options: Partial<ConstructorParameters<typeof Outbound>[0]> = {}): Outbound {
  const outbound = new Outbound({ allowsLoopback: true, ...options })
  closing.push(() => outbound.close())
  return outbound
}
const kindOf = (work: Promise<unknown>): Promise<string> =>
  work.then(() => 'answered', (error: OutboundError) => error.kind)

test.each([
  'http://example.com/', 'https://127.0.0.1/', 'https://[::1]/', 'https://10.0.0.1/',
  'https://169.254.169.254/', 'https://[::ffff:10.0.0.1]/', 'https://[fd00::1]/',
  'https://localhost/', 'https://user:word@example.com/', 'https://0x7f.1/', 'ftp://example.com/',
  'nothing', 'https://100.64.0.1/', 'https://[64:ff9b::a00:1]/',
])('%s is refused', async (address) => {
  expect(urlProblem(address, { allowsLoopback: false })).toMatch(/^must /)
  expect(await kindOf(open({ allowsLoopback: false }).get(address, 100))).toBe('address')
})

test('a public https address is fine, and loopback in the sandbox of a node on loopback', () => {
  expect(urlProblem('https://example.com/x', { allowsLoopback: false })).toBeUndefined()
  expect(urlProblem('http://127.0.0.1:1/', { allowsLoopback: true })).toBeUndefined()
  expect([allowsLoopback({ sandbox: true, host: '127.0.0.1' }),
    allowsLoopback({ sandbox: true, host: '0.0.0.0' }),
    allowsLoopback({ sandbox: false, host: '127.0.0.1' })]).toEqual([true, false, false])
})

test('a name that leads to a private address among others is not connected to', async () => {
  const outbound = open({
    allowsLoopback: false,
    resolveAll: async () => [
      { address: '93.184.216.34', family: 4 }, { address: '127.0.0.1', family: 4 },
    ],
  })
  expect(await kindOf(outbound.get('https://platform.test/', 100))).toBe('address')
})

test('an answer has its status, headers and body, and no redirection is followed', async () => {
  const address = await serve((request, response) => {
    if (request.url === '/') response.writeHead(302, { location: '/other' }).end()
    else response.writeHead(200, { 'cache-control': 'max-age=7' }).end('text')
  })
  const outbound = open()
  expect((await outbound.get(address, 100)).status).toBe(302)
  const found = await outbound.get(`${address}other`, 100)
  expect([found.status, found.header('cache-control'), found.body.toString()])
    .toEqual([200, 'max-age=7', 'text'])
})

test('a body beyond its bound and an answer that does not come are given up', async () => {
  const large = await serve((_, response) => { response.end('x'.repeat(101)) })
  const silent = await serve(() => {})
  expect(await kindOf(open().get(large, 100))).toBe('unreachable')
  expect(await kindOf(open({ deadlineMs: 50 }).get(silent, 100))).toBe('unreachable')
})
