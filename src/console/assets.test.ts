import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNode, type TestNode } from '../testing/node.ts'
import { buildPage, pageFolder, POLICY } from './assets.ts'

const BUILD_TIMEOUT_MS = 300_000
let node: TestNode
let cacheDir: string
let builds = 0

beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'agentmall-page-'))
  node = await startTestNode({ cacheDir })
}, BUILD_TIMEOUT_MS)
afterAll(async () => {
  await node.stop()
  await rm(cacheDir, { recursive: true, force: true })
})

test('a page that is not built answers what to do', async () => {
  const { status, envelope } = await node.send('GET', '/console')
  expect([status, envelope.data.error]).toEqual([503, 'unavailable'])
  expect(envelope.data.hint).toContain('npm start')
})

test('the page is built once for its sources', { timeout: BUILD_TIMEOUT_MS }, async () => {
  const count = (): void => { builds += 1 }
  await buildPage(cacheDir, count)
  await buildPage(cacheDir, count)
  expect(builds).toBe(1)
  expect(existsSync(join(pageFolder(cacheDir), 'index.html'))).toBe(true)
})

test('every address of a page answers the index with a strict policy, uncached', async () => {
  const pages = await Promise.all(['', '/agents', '/orders/AM0123', '/nowhere'].map((path) =>
    node.send('GET', `/console${path}`)))
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(new Set(pages.map(({ text }) => text)).size).toBe(1)
  const [{ headers, text } = {} as never] = pages
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('content-security-policy')).toBe(POLICY)
  expect(POLICY).toBe("default-src 'none'; script-src 'self'; style-src 'self'; "
    + "connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; "
    + "base-uri 'none'")
  expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:\/\//)
})

test('unknown addresses of the API and of files answer no page', async () => {
  for (const path of ['/console/api', '/console/api/nothing', '/console/assets/nothing.js',
    '/console/assets/..%2Findex.html', '/console/assets']) {
    const { status, envelope } = await node.send('GET', path)
    expect([path, status, envelope.data.error]).toEqual([path, 404, 'not_found'])
  }
})

test('files have hashed names, are cached for ever, and are compressed on request', async () => {
  const { text } = await node.send('GET', '/console')
  const paths = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThanOrEqual(3)
  for (const path of paths) {
    expect(path).toMatch(/^\/console\/assets\/[\w-]+-[\w-]{8}\.(?:js|css|svg)$/)
    const plain = await node.send('GET', path, { headers: { 'Accept-Encoding': 'identity' } })
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('vary')).toBe('Accept-Encoding')
    const packed = await bytesOf(`${node.url}${path}`)
    expect(packed.encoding).toBe('br')
    expect(brotliDecompressSync(packed.bytes).toString()).toBe(plain.text)
  }
})

/** As it comes over the wire: fetch would unpack it. */
const bytesOf = (url: string): Promise<{ encoding: string | undefined, bytes: Buffer }> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { 'Accept-Encoding': 'gzip, br' } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({
        encoding: response.headers['content-encoding'], bytes: Buffer.concat(chunks),
      }))
    }).on('error', reject)
  })

test('the page gets every tool of the table with its schema and example', async () => {
  const { data } = (await node.send('GET', '/console/api/operations')).envelope
  expect(data.tools).toHaveLength(20)
  expect(data.categories).toHaveLength(24)
  expect(data.tools[0]).toMatchObject({
    name: 'search_goods', method: 'GET', path: '/v1/goods', access: 'anyone', effect: 'read',
    input: { type: 'object', properties: { q: { type: 'string' } } },
  })
  expect(data.public_url).toBe(node.services.config.publicUrl)
})
