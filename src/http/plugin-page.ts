/** `/plugin` for people: where the archive is, and what to paste into which host. */
import { createHash } from 'node:crypto'
import { escapeHtml } from '../html.ts'
import { SKILL_PATH, type Plugin, type PluginOptions } from '../plugin/plugin.ts'
import { block, heading, table } from './reference/markup.ts'
import { COPY_SCRIPT } from './reference/script.ts'
import { STYLE } from './reference/style.ts'

const hash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Only what the page brings along may run; it may load and send nothing. */
export const PLUGIN_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; "
  + `frame-ancestors 'none'; style-src ${hash(STYLE)}; script-src ${hash(COPY_SCRIPT)}`

const SECTIONS: readonly (readonly [id: string, title: string])[] = [
  ['key', 'A key'], ['plugin', 'Hosts that take the plugin'],
  ['mcp', 'Hosts that take an MCP server'], ['files', 'What is in it'],
]
const section = (id: string): string =>
  heading(2, id, SECTIONS.find(([one]) => one === id)?.[1] ?? '')

export function pluginPage(plugin: Plugin, { publicUrl, basePath }: PluginOptions): string {
  const { version, archiveUrl, sha256, files, hosts, archive } = plugin
  const title = 'agentmall plugin for agents'
  return '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    + '<meta name="viewport" content="width=device-width,initial-scale=1">'
    + '<meta name="color-scheme" content="light dark">'
    + `<title>${title}</title><style>${STYLE}</style></head><body>`
    + '<header><a class="brand" href="plugin">agentmall</a>'
    + `<span class="version">plugin ${escapeHtml(version)}</span><a href="docs">Reference</a>`
    + '</header><div class="layout"><nav class="side" aria-label="Contents"><ul>'
    + SECTIONS.map(([id, text]) => `<li><a href="#${id}">${text}</a></li>`).join('')
    + `</ul></nav><main><h1>${title}</h1>`
    + '<p class="lead">The MCP server with its tools, and a skill that teaches an agent to search, '
    + 'compare, ask, order, follow up and return.</p>'
    + `<p><a href="plugin/agentmall.zip">Download agentmall.zip</a> (${archive.length} bytes, `
    + `SHA-256 <code>${sha256}</code>), or read the <a href="plugin/SKILL.md">skill</a>.</p>`
    + section('key')
    + '<p>Searching needs none. A trial key takes no account:</p>'
    + block(`curl -X POST ${publicUrl}${basePath}/trial-keys`, 'Trial key')
    + section('plugin')
    + block(`claude --plugin-url ${archiveUrl}`, 'Claude Code, for a session')
    + block('unzip agentmall.zip -d agentmall\ngemini extensions install ./agentmall', 'Gemini CLI')
    + '<p>Its README.md tells more, also for Codex and other hosts that read Agent Skills.</p>'
    + section('mcp')
    + hosts.map(({ name, file, text }) => block(text, `${name} · ${file}`)).join('')
    + section('files')
    + table(['File', 'Bytes'], [...files].map(([path, text]) => [
      `<code>${escapeHtml(path)}</code>${path === SKILL_PATH ? ' (the skill)' : ''}`,
      String(Buffer.byteLength(text)),
    ]))
    + `</main></div><script>${COPY_SCRIPT}</script></body></html>`
}
