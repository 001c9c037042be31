/** What a node serves of the plugin, over a real listener. */
import { createHash } from 'node:crypto'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { operations } from '../operations/index.ts'
import { startListener } from '../testing/listener.ts'
import { pluginRoutes } from './documents.ts'

async function serve(): Promise<string> {
  const routes = pluginRoutes({
    operations, publicUrl: 'http://mall.example', basePath: '/v1', version: '1.2.3',
  })
  const { port } = await startListener(Object.fromEntries(
    routes.map(({ method, pattern, handler }) => [`${method} ${pattern}`, handler])))
  return `http://127.0.0.1:${port}`
}
const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest()

test('programs get a manifest, and behind it the archive that it describes', async () => {
  const url = await serve()
  const manifest = await (await fetch(`${url}/plugin`)).json() as {
    archive: { url: string, bytes: number, sha256: string }, files: string[], skill_url: string
  }
  expect(manifest.archive.url).toBe('http://mall.example/plugin/agentmall.zip')
  const response = await fetch(`${url}${new URL(manifest.archive.url).pathname}`)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(bytes.length).toBe(manifest.archive.bytes)
  expect(sha256(bytes).toString('hex')).toBe(manifest.archive.sha256)
  expect(Object.keys(unzipSync(bytes))).toEqual(manifest.files)
})

test('an agent can read the skill by itself', async () => {
  const response = await fetch(`${await serve()}/plugin/SKILL.md`)
  expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(await response.text()).toContain('# Shopping on agentmall')
})

test('people get a page, whose policy admits its own style and script alone', async () => {
  const response = await fetch(`${await serve()}/plugin`, { headers: { Accept: 'text/html' } })
  const html = await response.text()
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(response.headers.get('vary')).toContain('Accept')
  expect(html).toContain('claude --plugin-url http://mall.example/plugin/agentmall.zip')
  for (const tag of ['style', 'script']) {
    const [, inline = ''] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html) ?? []
    expect(policy).toContain(`${tag}-src 'sha256-${sha256(inline).toString('base64')}'`)
  }
  const targets = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `#${id}`))
  const links = [...html.matchAll(/href="(#[^"]+)"/g)].map(([, link]) => link as string)
  expect(links.filter((link) => !targets.has(link))).toEqual([])
})
