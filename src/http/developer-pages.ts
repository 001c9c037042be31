/** Pages for developers: home, the plugin, and what an address shows that leads nowhere. */
import escapeHtml from 'escape-html'
import type { HttpReply } from '../contract/http.ts'
import { type Plugin, type PluginOptions, SKILL_PATH } from '../plugin/plugin.ts'
import {
  addressOfPage, framed, type Locale, nameOfPage, type PerLocale, type Rendered, rootOf, SITE_PAGES,
  type SitePage,
} from '../site/page.ts'
import { block, heading, json, table } from './reference/markup.ts'
import { COPY_SCRIPT, STYLE } from './reference/assets.ts'

export interface SiteOptions {
  readonly publicUrl: string
}

interface HomeWords {
  readonly title: string
  readonly lead: string
  readonly pages: Readonly<Record<SitePage, string>>
  readonly agents: string
  readonly agentsLead: string
  readonly configuration: string
  readonly programs: string
  readonly nowhere: string
  readonly nowhereLead: string
  readonly here: string
  readonly mcp: string
  readonly mcpLead: string
  readonly method: string
  readonly methodLead: string
}

const HOME_WORDS: PerLocale<HomeWords> = {
  en: {
    title: 'A commerce service for AI agents',
    lead: 'An agent finds goods, orders them, follows the parcel and sends back what is not '
      + 'right, over MCP or REST.',
    pages: {
      console: 'Make agents and keys, try every tool, watch orders and earnings.',
      docs: 'Every operation, field and error, with samples in curl, JavaScript and Python.',
      plugin: 'The MCP server and a shopping skill for Claude Code, Gemini CLI, Codex and others.',
    },
    agents: 'For an agent',
    agentsLead: 'Add this to the MCP settings of your host. Searching needs no key.',
    configuration: 'MCP configuration',
    programs: 'For programs',
    nowhere: 'There is nothing at this address',
    nowhereLead: 'The address may be mistyped, or what was here may have ended.',
    here: 'What is here',
    mcp: 'This is an MCP server',
    mcpLead: 'A browser cannot open it. Add it to the MCP settings of your host.',
    method: 'This address takes no visitors',
    methodLead: 'It is there for programs, which call it with another method.',
  },
  zh: {
    title: '面向 AI 智能体的电商服务',
    lead: '智能体通过 MCP 或 REST 找商品、下单、跟踪包裹，不满意的退回。',
    pages: {
      console: '创建智能体和密钥，试用每个工具，查看订单与收益。',
      docs: '全部操作、字段与错误，附 curl、JavaScript 和 Python 示例。',
      plugin: '适用于 Claude Code、Gemini CLI、Codex 等的 MCP 服务器与购物技能。',
    },
    agents: '给智能体',
    agentsLead: '把这段加进您的应用的 MCP 设置。搜索无需密钥。',
    configuration: 'MCP 配置',
    programs: '给程序',
    nowhere: '这个地址没有内容',
    nowhereLead: '地址可能输入有误，或者内容已失效。',
    here: '这里有什么',
    mcp: '这是一个 MCP 服务器',
    mcpLead: '浏览器无法打开它。请把它加进您的应用的 MCP 设置。',
    method: '这个地址不供浏览',
    methodLead: '它供程序以其他方法调用。',
  },
}

const PLUGIN_WORDS = {
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
} as const satisfies PerLocale<Readonly<Record<string, string>>>

const PLUGIN_SECTIONS = ['key', 'plugin', 'mcp', 'files'] as const

const cards = (locale: Locale, root: string): string =>
  `<ul class="cards">${SITE_PAGES.map((page) =>
  `<li><a href="${addressOfPage(page, root, locale)}">${nameOfPage(page, locale)}</a>`
  + `<p>${HOME_WORDS[locale].pages[page]}</p></li>`).join('')}</ul>`

const programs = (locale: Locale, root: string): string => `<h2>${HOME_WORDS[locale].programs}</h2>`
  + `<p class="files">${['llms.txt', 'docs.md', 'openapi.json'].map((name) =>
    `<a href="${root}/${name}">${name}</a>`).join(' ')}</p>`

const configuration = (locale: Locale, publicUrl: string): string => json(
  { mcpServers: { agentmall: { type: 'http', url: `${publicUrl}/mcp` } } },
  HOME_WORDS[locale].configuration)

function render(
  { publicUrl }: SiteOptions, locale: Locale, title: string, inner: (root: string) => string,
): Rendered {
  const root = rootOf(publicUrl)
  return framed({
    locale, root, title: `${title} · agentmall`, style: STYLE, script: COPY_SCRIPT,
    body: `<main id="main" class="plain" tabindex="-1"><h1>${escapeHtml(title)}</h1>`
      + `${inner(root)}</main>`,
  })
}

/** `/`: an overview of the service with its addresses. */
export function homePage(options: SiteOptions, locale: Locale): Rendered {
  const words = HOME_WORDS[locale]
  return render(options, locale, words.title, (root) => `<p class="lead">${words.lead}</p>`
    + `${cards(locale, root)}<h2>${words.agents}</h2><p>${words.agentsLead}</p>`
    + `${configuration(locale, options.publicUrl)}${programs(locale, root)}`)
}

/** Why a browser gets no page: an unknown address, one for MCP hosts, or one for programs. */
export type NothingHere = 'nowhere' | 'mcp' | 'method'

export function nothingHerePage(
  options: SiteOptions, why: NothingHere, locale: Locale,
): Rendered {
  const words = HOME_WORDS[locale]
  return render(options, locale, words[why], (root) =>
    `<p class="lead">${words[`${why}Lead`]}</p>`
    + (why === 'mcp' ? configuration(locale, options.publicUrl) : '')
    + `<h2>${words.here}</h2>${cards(locale, root)}`)
}

/** The page as an answer that is not cached: the address may exist later. */
export const pageReply = (status: number, { html, policy }: Rendered): HttpReply => ({
  status,
  headers: [
    ['Content-Type', 'text/html; charset=utf-8'], ['Cache-Control', 'no-store'],
    ['Vary', 'Accept, Accept-Language'], ['Content-Security-Policy', policy],
    ['Referrer-Policy', 'no-referrer'],
  ],
  body: html,
})

/** `/plugin`: where the archive is, and what to paste into which host. */
export function pluginPage(
  plugin: Plugin, { publicUrl, basePath }: PluginOptions, locale: Locale,
): Rendered {
  const { version, archiveUrl, sha256, files, hosts, archive } = plugin
  const words = PLUGIN_WORDS[locale]
  const root = rootOf(publicUrl)
  const section = (id: (typeof PLUGIN_SECTIONS)[number]): string =>
    heading(2, id, words[id], locale)
  const body = `<div class="layout"><nav class="side contents" aria-label="${words.contents}"><ul>`
    + PLUGIN_SECTIONS.map((id) => `<li><a href="#${id}">${words[id]}</a></li>`).join('')
    + `</ul></nav><main id="main" tabindex="-1"><h1>${words.title}</h1>`
    + `<p class="lead">${words.lead}</p>`
    + `<p><a href="plugin/agentmall.zip">${words.download}</a> (${escapeHtml(version)}, `
    + `${archive.length} B, SHA-256 <code>${sha256}</code>), `
    + `<a href="plugin/SKILL.md">${words.read}</a>${locale === 'zh' ? '。' : '.'}</p>`
    + section('key')
    + `<p>${words.noKey} <a href="${addressOfPage('console', root, locale)}">${
      nameOfPage('console', locale)}</a></p>`
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
