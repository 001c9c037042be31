/** The plugin for agent harnesses, as the node serves it: made once, at boot. */
import { ARCHIVE_PATH, createPlugin, SKILL_PATH, type PluginOptions } from '../plugin/plugin.ts'
import { isBrowser } from './media.ts'
import { pluginPage, PLUGIN_POLICY } from './plugin-page.ts'
import type { Handler, HeaderList, HttpReply, Route } from './types.ts'

const CACHE = ['Cache-Control', 'public, max-age=300'] as const

/** GET /plugin (a page for people, a manifest for programs), the archive, and the skill alone. */
export function pluginRoutes(options: PluginOptions): Route[] {
  const plugin = createPlugin(options)
  const { name, version, mcpUrl, archiveUrl, archive, sha256, files, hosts } = plugin
  const manifest = reply('application/json; charset=utf-8', JSON.stringify({
    name, version, mcp_url: mcpUrl,
    archive: { url: archiveUrl, bytes: archive.length, sha256 },
    skill_url: `${options.publicUrl}/plugin/SKILL.md`,
    files: [...files.keys()],
    hosts,
  }), [['Vary', 'Accept']])
  const page = reply('text/html; charset=utf-8', pluginPage(plugin, options), [
    ['Vary', 'Accept'], ['Content-Security-Policy', PLUGIN_POLICY],
    ['Referrer-Policy', 'no-referrer'],
  ])
  const skill = reply('text/markdown; charset=utf-8', files.get(SKILL_PATH) ?? '')
  const zip = reply('application/zip', archive, [
    ['Content-Disposition', `attachment; filename="${name}.zip"`],
    ['ETag', `"${sha256}"`],
  ])
  const index: Handler = (request) => (isBrowser(request) ? page : manifest)
  return [
    { method: 'GET', pattern: '/plugin', handler: index },
    { method: 'GET', pattern: ARCHIVE_PATH, handler: () => zip },
    { method: 'GET', pattern: '/plugin/SKILL.md', handler: () => skill },
  ]
}

const reply = (type: string, body: Buffer | string, headers: HeaderList = []): HttpReply => ({
  status: 200, headers: [['Content-Type', type], CACHE, ...headers], body: Buffer.from(body),
})
