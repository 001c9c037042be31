/** The plugin for agent harnesses, as the node serves it: made once, at boot. */
import { ARCHIVE_PATH, createPlugin, SKILL_PATH, type PluginOptions } from '../plugin/plugin.ts'
import { documentHandler, inBothLanguages, pageHandler } from './document.ts'
import { isBrowser } from '../contract/media.ts'
import { pluginPage } from './plugin-page.ts'
import type { Handler, HttpReply, Route } from '../contract/http.ts'

/** GET /plugin (a page for people, a manifest for programs), the archive, and the skill alone. */
export function pluginRoutes(options: PluginOptions): Route[] {
  const plugin = createPlugin(options)
  const { name, version, mcpUrl, archiveUrl, archive, sha256, files, hosts } = plugin
  const manifest = documentHandler(() => JSON.stringify({
    name, version, mcp_url: mcpUrl,
    archive: { url: archiveUrl, bytes: archive.length, sha256 },
    skill_url: `${options.publicUrl}/plugin/SKILL.md`,
    files: [...files.keys()],
    hosts,
  }), { type: 'application/json; charset=utf-8', varies: ['Accept'] })
  const page = inBothLanguages((locale) =>
    pageHandler(() => pluginPage(plugin, options, locale), ['Accept', 'Accept-Language']))
  const skill = documentHandler(() => files.get(SKILL_PATH) ?? '',
    { type: 'text/markdown; charset=utf-8' })
  const zip: HttpReply = {
    status: 200,
    headers: [
      ['Content-Type', 'application/zip'], ['Cache-Control', 'public, max-age=300'],
      ['Content-Disposition', `attachment; filename="${name}.zip"`],
      ['ETag', `"${sha256}"`],
    ],
    body: archive,
  }
  const index: Handler = (request) => (isBrowser(request) ? page : manifest)(request)
  return [
    { method: 'GET', pattern: '/plugin', handler: index },
    { method: 'GET', pattern: ARCHIVE_PATH, handler: () => zip },
    { method: 'GET', pattern: '/plugin/SKILL.md', handler: skill },
  ]
}
