/** `/plugin` for people: where the archive is, and what to paste into which host. */
import { escapeHtml } from '../html.ts'
import { SKILL_PATH, type Plugin, type PluginOptions } from '../plugin/plugin.ts'
import { addressOf, framed, nameOf, rootOf, type Rendered } from '../site/frame.ts'
import type { InBoth, Locale } from '../site/locale.ts'
import { block, heading, table } from './reference/markup.ts'
import { COPY_SCRIPT } from './reference/script.ts'
import { STYLE } from './reference/style.ts'

const WORDS = {
  en: {
    title: 'agentmall plugin for agents', contents: 'Contents', key: 'A key',
    plugin: 'Hosts that take the plugin', mcp: 'Hosts that take an MCP server',
    files: 'What is in it', file: 'File', bytes: 'Bytes', skill: 'the skill',
    lead: 'The MCP server with its tools, and a skill that teaches an agent to search, compare, '
      + 'ask, order, follow up and return.',
    download: 'Download agentmall.zip', read: 'or read the skill', trial: 'Trial key',
    noKey: 'Searching needs none. A trial key takes no account; the console gives keys with '
      + 'limits and earnings:',
    session: 'Claude Code, for a session',
    more: 'Its README.md tells more, also for Codex and other hosts that read Agent Skills.',
  },
  zh: {
    title: 'agentmall 智能体插件', contents: '目录', key: '密钥',
    plugin: '可安装插件的应用', mcp: '可连接 MCP 服务器的应用',
    files: '插件内容', file: '文件', bytes: '字节', skill: '技能',
    lead: '内含 MCP 服务器及其工具，以及一项技能：教智能体搜索、比较、询问、下单、跟踪和退货。',
    download: '下载 agentmall.zip', read: '或阅读其中的技能', trial: '试用密钥',
    noKey: '搜索无需密钥。试用密钥无需账户；带限额与收益的密钥在控制台领取：',
    session: 'Claude Code，单次会话',
    more: '更多说明见其中的 README.md，包括 Codex 和其他支持 Agent Skills 的应用。',
  },
} as const satisfies InBoth<Readonly<Record<string, string>>>

const SECTIONS = ['key', 'plugin', 'mcp', 'files'] as const

export function pluginPage(
  plugin: Plugin, { publicUrl, basePath }: PluginOptions, locale: Locale,
): Rendered {
  const { version, archiveUrl, sha256, files, hosts, archive } = plugin
  const words = WORDS[locale]
  const root = rootOf(publicUrl)
  const section = (id: (typeof SECTIONS)[number]): string => heading(2, id, words[id], locale)
  const body = `<div class="layout"><nav class="side contents" aria-label="${words.contents}"><ul>`
    + SECTIONS.map((id) => `<li><a href="#${id}">${words[id]}</a></li>`).join('')
    + `</ul></nav><main id="main" tabindex="-1"><h1>${words.title}</h1>`
    + `<p class="lead">${words.lead}</p>`
    + `<p><a href="plugin/agentmall.zip">${words.download}</a> (${escapeHtml(version)}, `
    + `${archive.length} B, SHA-256 <code>${sha256}</code>), `
    + `<a href="plugin/SKILL.md">${words.read}</a>${locale === 'zh' ? '。' : '.'}</p>`
    + section('key')
    + `<p>${words.noKey} <a href="${addressOf('console', root, locale)}">${
      nameOf('console', locale)}</a></p>`
    + block(`curl -X POST ${publicUrl}${basePath}/trial-keys`, words.trial)
    + section('plugin')
    + block(`claude --plugin-url ${archiveUrl}`, words.session)
    + block('unzip agentmall.zip -d agentmall\ngemini extensions install ./agentmall', 'Gemini CLI')
    + `<p>${words.more}</p>`
    + section('mcp')
    + hosts.map(({ name, file, text }) => block(text, `${name} · ${file}`)).join('')
    + section('files')
    + table([words.file, words.bytes], [...files].map(([path, text]) => [
      `<code>${escapeHtml(path)}</code>${path === SKILL_PATH ? ` (${words.skill})` : ''}`,
      String(Buffer.byteLength(text)),
    ]), words.files)
    + '</main></div>'
  return framed({
    locale, root, here: 'plugin', title: words.title, style: STYLE, script: COPY_SCRIPT, body,
  })
}
