import { once } from 'node:events'
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net'
import { createServer } from 'node:http'
import type { LookupAddress } from 'node:dns'
import { expect, onTestFinished, test } from 'vitest'
import { allowsLoopback, isPublicAddress, Outbound, urlProblem } from './outbound.ts'

const PUBLIC = { allowsLoopback: false }
const LOCAL = { allowsLoopback: true }

test.each([
  ['plain http', 'http://agent.example.com/hook'],
  ['another scheme', 'ftp://agent.example.com/'],
  ['no URL', 'agent.example.com/hook'],
  ['a user and a password', 'https://user:password@agent.example.com/'],
  ['a fragment', 'https://agent.example.com/#here'],
  ['a loopback name', 'https://localhost/hook'],
  ['a name below localhost', 'https://redis.localhost/hook'],
  ['a loopback address', 'https://127.0.0.1/hook'],
  ['another loopback address', 'https://127.8.9.10/hook'],
  ['a decimal address', 'https://2130706433/hook'],
  ['an octal address', 'https://0177.0.0.1/hook'],
  ['a hexadecimal address', 'https://0x7f000001/hook'],
  ['a short address', 'https://127.1/hook'],
  ['full-width digits', 'https://１２７.0.0.1/hook'],
  ['the unspecified address', 'https://0.0.0.0/hook'],
  ['a private address', 'https://10.0.0.8/hook'],
  ['a private address of 172.16/12', 'https://172.16.4.4/hook'],
  ['a private address of 192.168/16', 'https://192.168.1.1/hook'],
  ['a shared address of a carrier', 'https://100.64.0.1/hook'],
  ['the metadata address of a cloud', 'https://169.254.169.254/latest/meta-data'],
  ['a multicast address', 'https://224.0.0.1/hook'],
  ['the broadcast address', 'https://255.255.255.255/hook'],
  ['IPv6 loopback', 'https://[::1]/hook'],
  ['IPv6 unspecified', 'https://[::]/hook'],
  ['IPv6 link-local', 'https://[fe80::1]/hook'],
  ['IPv6 unique local', 'https://[fd00::1]/hook'],
  ['IPv4 mapped into IPv6', 'https://[::ffff:127.0.0.1]/hook'],
  ['IPv4 mapped in hexadecimal', 'https://[::ffff:a00:8]/hook'],
  ['IPv4 compatible with IPv6', 'https://[::127.0.0.1]/hook'],
  ['IPv4 behind NAT64', 'https://[64:ff9b::7f00:1]/hook'],
  ['IPv4 in 6to4', 'https://[2002:7f00:1::]/hook'],
  ['IPv4 in Teredo', 'https://[2001::1]/hook'],
  ['documentation addresses', 'https://[2001:db8::1]/hook'],
])('%s is refused', (_, url) => {
  expect(urlProblem(url, PUBLIC)).toMatch(/^must /)
})

test('requests that hang at a host leave others there a connection', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/hook') response.end('taken')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const outbound = new Outbound({ ...LOCAL, deadlineMs: 10_000, connections: null })
  const abort = new AbortController()
  onTestFinished(async () => {
    abort.abort()
    await outbound.close()
    server.closeAllConnections()
    server.close()
  })
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (let count = 0; count < 20; count += 1) {
    void outbound.post(`${at}/hang`, {}, '{}', abort.signal)
  }
  expect(await outbound.post(`${at}/hook`, {}, '{}')).toMatchObject({ status: 200, text: 'taken' })
})

test('https to a public name or address is accepted', () => {
  const urls = ['https://agent.example.com/hook?a=1', 'https://agent.example.com:8443/',
    'https://93.184.216.34/', 'https://[2606:4700::1111]/']
  expect(urls.map((url) => urlProblem(url, PUBLIC))).toEqual(urls.map(() => undefined))
})

test('loopback over http is accepted in the sandbox of a node on loopback, and no more', () => {
  const local = ['http://127.0.0.1:3000/hook', 'http://localhost:3000/', 'http://[::1]:3000/']
  expect(local.map((url) => urlProblem(url, LOCAL))).toEqual(local.map(() => undefined))
  const others = ['http://10.0.0.8/', 'http://agent.example.com/', 'https://192.168.1.1/']
  for (const url of others) expect(urlProblem(url, LOCAL)).toMatch(/^must /)
  expect(allowsLoopback({ sandbox: true, host: '127.0.0.1' })).toBe(true)
  expect(allowsLoopback({ sandbox: true, host: '0.0.0.0' })).toBe(false)
  expect(allowsLoopback({ sandbox: false, host: '127.0.0.1' })).toBe(false)
})

test.each([
  '127.0.0.1', '10.1.2.3', '169.254.169.254', '192.0.0.8', '198.18.0.1', '::ffff:10.0.0.1',
  'fe80::1', '::1', 'fc00::1', '64:ff9b::a00:1', 'ff02::1', 'nobody',
])('%s is no public address', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

function openOutbound(options: ConstructorParameters<typeof Outbound>[0]): Outbound {
  const outbound = new Outbound(options)
  onTestFinished(() => outbound.close())
  return outbound
}

async function listenOn(server: Server): Promise<number> {
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  onTestFinished(() => { server.close() })
  return (server.address() as AddressInfo).port
}

const name = (addresses: readonly string[]) => async (): Promise<LookupAddress[]> =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

test.each([
  [['127.0.0.1']], [['10.0.0.8']], [['::1']], [['::ffff:192.168.0.1']], [['169.254.169.254']],
  [['93.184.216.34', '127.0.0.1']],
])('a name that leads to %j is not connected to', async (addresses) => {
  const outbound = openOutbound({ ...PUBLIC, resolveAll: name(addresses) })
  expect(await outbound.post('https://agent.example.com/hook', {}, '{}')).toMatchObject({
    status: null, problem: 'its name leads to an address that is not public',
  })
})

test('a name is resolved for the connection, and checked there: a second answer changes nothing',
  async () => {
    let asked = 0
    const connections: unknown[] = []
    const port = await listenOn(createTcpServer((socket) => { connections.push(socket) }))
    const outbound = openOutbound({
      ...PUBLIC, deadlineMs: 300,
      resolveAll: async () => {
        asked += 1
        return [{ address: asked === 1 ? '127.0.0.1' : '93.184.216.34', family: 4 }]
      },
    })
    await outbound.post(`https://agent.example.com:${port}/hook`, {}, '{}')
    expect({ asked, connections: connections.length }).toEqual({ asked: 1, connections: 0 })
  })

test('a redirection is an answer like another, and is not followed', async () => {
  const paths: (string | undefined)[] = []
  const port = await listenOn(createServer((request, response) => {
    paths.push(request.url)
    response.writeHead(302, { Location: '/elsewhere' }).end()
  }))
  const outbound = openOutbound(LOCAL)
  expect(await outbound.post(`http://127.0.0.1:${port}/hook`, {}, '{}'))
    .toMatchObject({ status: 302 })
  expect(paths).toEqual(['/hook'])
})

test('of a long answer the beginning is kept, and its connection ends', async () => {
  let sent = 0
  const port = await listenOn(createServer((request, response) => {
    request.resume()
    response.writeHead(200)
    const more = (): void => {
      while (sent < 50_000_000 && response.write('x'.repeat(65_536))) sent += 65_536
    }
    response.on('drain', more)
    response.on('error', () => {})
    more()
  }))
  const { status, text } = await openOutbound(LOCAL)
    .post(`http://127.0.0.1:${port}/hook`, {}, '{}')
  expect({ status, length: text.length }).toEqual({ status: 200, length: 1024 })
  expect(sent).toBeLessThan(50_000_000)
})

test('who never answers, or resets the connection, is named so', async () => {
  const silent = await listenOn(createTcpServer(() => {}))
  const resetting = await listenOn(createTcpServer((socket) => { socket.resetAndDestroy() }))
  const outbound = openOutbound({ ...LOCAL, deadlineMs: 200 })
  const problems = await Promise.all([silent, resetting, 1].map(async (port) =>
    (await outbound.post(`http://127.0.0.1:${port}/`, {}, '{}')).problem))
  expect(problems).toEqual(['no answer in time',
    expect.stringMatching(/^no connection: (ECONNRESET|UND_ERR_SOCKET)$/),
    'no connection: ECONNREFUSED'])
})

test('an answer that drips its head is cut off at the deadline', async () => {
  const port = await listenOn(createTcpServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const timer = setInterval(() => socket.write('X-A: b\r\n'), 20)
    socket.on('error', () => {})
    socket.on('close', () => clearInterval(timer))
  }))
  const outbound = openOutbound({ ...LOCAL, deadlineMs: 300 })
  expect(await outbound.post(`http://127.0.0.1:${port}/`, {}, '{}'))
    .toMatchObject({ status: null, problem: 'no answer in time' })
})
