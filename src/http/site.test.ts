/** The pages for developers over HTTP: they find each other, and every wrong way leads to them. */
import { createHash } from 'node:crypto'
import { get, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestNode } from '../testing/node.ts'

const node = await startTestNode()
afterAll(() => node.stop())

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8'
interface Got {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** As it comes over the wire: fetch would decompress it. */
const open = (path: string, headers: Record<string, string> = {}): Promise<Got> =>
  new Promise((resolve, reject) => {
    get(`${node.url}${path}`, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => resolve({
        status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks),
      })).on('error', reject)
    }).on('error', reject)
  })
const browse = (path: string, language = 'en') =>
  open(path, { Accept: BROWSER, 'Accept-Language': language })
const problem = ({ body }: Got) => JSON.parse(body.toString()).data

describe('a wrong address', () => {
  test.each(['/docs/', '/plugin/', '/console/', '/console/orders/', '/v1/', '/docs//'])(
    'a browser at %s goes on without the slash', async (path) => {
      const { status, headers } = await browse(path)
      expect(status).toBe(308)
      const to = new URL(headers.location ?? '', `${node.url}${path}`)
      expect(to.href).toBe(`${node.url}${path.replace(/\/+$/, '')}`)
    })

  test('a redirect keeps the query and never names another host', async () => {
    const { headers } = await browse('/docs/?lang=zh')
    expect(new URL(headers.location ?? '', `${node.url}/docs/`).href)
      .toBe(`${node.url}/docs?lang=zh`)
    for (const path of ['//evil.example/', '//evil.example//', '/\\evil.example/']) {
      expect((await browse(path)).headers.location).toBeUndefined()
    }
  })

  test.each(['/nowhere', '/console/a/b/c', '/v1/nothing', '/docs/x', '/.well-known/x'])(
    'a browser at %s gets a page that leads on, in its language', async (path) => {
      const { status, headers, body } = await browse(path)
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      for (const part of ['There is nothing at this address', '<main', 'href="/console"',
        'href="/docs?lang=en"', 'href="/plugin?lang=en"']) expect(body.toString()).toContain(part)
      expect((await browse(path, 'zh-CN,zh;q=0.9,en;q=0.8')).body.toString())
        .toContain('这个地址没有内容')
    })

  test('a program gets JSON with a hint that fits', async () => {
    for (const [path, hint] of [
      ['/nowhere', 'openapi.json'], ['/v1/nothing', 'openapi.json'], ['/v1/goods/', 'slash'],
      ['/docs/', 'slash'],
    ] as const) {
      const answer = await open(path)
      expect([path, answer.status]).toEqual([path, 404])
      expect(problem(answer)).toMatchObject({ error: 'not_found' })
      expect(problem(answer).hint).toContain(hint)
    }
  })

  test('a browser at the MCP address learns what it is; a program is refused', async () => {
    const page = await browse('/mcp')
    expect(page.status).toBe(405)
    expect(page.headers.allow).toContain('POST')
    expect(page.body.toString()).toContain('mcpServers')
    const stream = await open('/mcp', { Accept: 'text/event-stream' })
    expect([stream.status, problem(stream).error]).toEqual([405, 'method_not_allowed'])
  })
})

describe('every page links to the others', () => {
  test.each(['/', '/docs', '/plugin', '/nowhere'])('%s', async (path) => {
    for (const [language, other] of [['en', 'zh'], ['zh', 'en']] as const) {
      const { headers, body } = await browse(`${path}?lang=${language}`)
      const header = /<header[^>]*>(.*?)<\/header>/s.exec(body.toString())?.[1] ?? ''
      const links = [...header.matchAll(/href="([^"]+)"/g)].map(([, link]) => link)
      expect(links).toEqual([`/?lang=${language}`, '/console', `/docs?lang=${language}`,
        `/plugin?lang=${language}`, `?lang=${other}`])
      expect(body.toString()).toContain(`<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">`)
      expect(headers.vary).toMatch(/Accept-Language/)
    }
  })
})

describe('documents', () => {
  const PATHS = ['/docs', '/docs.md', '/llms.txt', '/openapi.json', '/plugin', '/']

  test.each(PATHS)('%s comes compressed, as the same text', async (path) => {
    const headers = { Accept: BROWSER }
    const [plain, gzip, brotli] = await Promise.all([
      open(path, headers), open(path, { ...headers, 'Accept-Encoding': 'gzip, deflate' }),
      open(path, { ...headers, 'Accept-Encoding': 'gzip, br;q=0.5' }),
    ])
    expect([plain, gzip, brotli].map((one) => one?.headers['content-encoding']))
      .toEqual([undefined, 'gzip', 'br'])
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true)
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true)
    expect(brotli.body.length).toBeLessThan(plain.body.length / 2)
    for (const one of [plain, gzip, brotli]) expect(one.headers.vary).toContain('Accept-Encoding')
    expect(new Set([plain, gzip, brotli].map((one) => one.headers.etag)).size).toBe(3)
  })

  test('a coding that is refused is not sent', async () => {
    const { headers } = await open('/docs', { 'Accept-Encoding': 'br;q=0, gzip;q=0.0, identity' })
    expect(headers['content-encoding']).toBeUndefined()
  })

  test.each(PATHS)('%s is answered 304 to a client that has it', async (path) => {
    const given = { Accept: BROWSER, 'Accept-Encoding': 'br' }
    const { headers } = await open(path, given)
    const etag = headers.etag ?? ''
    for (const known of [etag, `"other", W/${etag}`, '*']) {
      const again = await open(path, { ...given, 'If-None-Match': known })
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag])
      expect(again.headers.vary).toBe(headers.vary)
    }
    expect((await open(path, { ...given, 'If-None-Match': '"other"' })).status).toBe(200)
  })

  test('the language is the address\'s, then the browser\'s, then English', async () => {
    const title = async (path: string, language?: string) => /<title>(.*?)<\/title>/.exec(
      (await open(path, { ...(language && { 'Accept-Language': language }) })).body.toString())?.[1]
    expect(await title('/docs')).toBe('agentmall API reference')
    expect(await title('/docs', 'fr, *')).toBe('agentmall API reference')
    expect(await title('/docs', 'fr, zh-TW;q=0.5, en;q=0.4')).toBe('agentmall API 文档')
    expect(await title('/docs', 'zh;q=0, en;q=0.1')).toBe('agentmall API reference')
    expect(await title('/docs?lang=zh', 'en')).toBe('agentmall API 文档')
    expect(await title('/docs?lang=xx', 'zh')).toBe('agentmall API 文档')
  })

  test('every page sets the theme that was chosen in the console before it is shown', async () => {
    for (const path of ['/', '/docs', '/plugin', '/nowhere']) {
      const { headers, body } = await browse(path)
      const head = /<head>(.*?)<\/head>/s.exec(body.toString())?.[1] ?? ''
      const script = /<script>(.*?)<\/script>/s.exec(head)?.[1] ?? ''
      expect(script).toContain('agentmall.theme')
      const digest = createHash('sha256').update(script).digest('base64')
      expect(headers['content-security-policy']).toContain(`'sha256-${digest}'`)
    }
  })
})
