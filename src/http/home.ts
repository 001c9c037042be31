/** `/` for people: what is here, and where. The same list stands where an address leads nowhere. */
import { escapeHtml } from '../html.ts'
import {
  addressOf, framed, nameOf, SITE_PAGES, rootOf, type SitePage, type Rendered,
} from '../site/frame.ts'
import type { InBoth, Locale } from '../site/locale.ts'
import { json } from './reference/markup.ts'
import { COPY_SCRIPT } from './reference/script.ts'
import { STYLE } from './reference/style.ts'
import type { HttpReply } from '../contract/http.ts'

export interface SiteOptions {
  readonly publicUrl: string
}

interface Words {
  readonly title: string
  readonly lead: string
  readonly places: Readonly<Record<SitePage, string>>
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

const WORDS: InBoth<Words> = {
  en: {
    title: 'A commerce service for AI agents',
    lead: 'An agent finds goods, orders them, follows the parcel and sends back what is not '
      + 'right, over MCP or REST.',
    places: {
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
    places: {
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

const cards = (locale: Locale, root: string): string =>
  `<ul class="cards">${SITE_PAGES.map((place) =>
  `<li><a href="${addressOf(place, root, locale)}">${nameOf(place, locale)}</a>`
  + `<p>${WORDS[locale].places[place]}</p></li>`).join('')}</ul>`

const programs = (locale: Locale, root: string): string => `<h2>${WORDS[locale].programs}</h2>`
  + `<p class="files">${['llms.txt', 'docs.md', 'openapi.json'].map((name) =>
    `<a href="${root}/${name}">${name}</a>`).join(' ')}</p>`

const configuration = (locale: Locale, publicUrl: string): string => json(
  { mcpServers: { agentmall: { type: 'http', url: `${publicUrl}/mcp` } } },
  WORDS[locale].configuration)

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

export function homePage(options: SiteOptions, locale: Locale): Rendered {
  const words = WORDS[locale]
  return render(options, locale, words.title, (root) => `<p class="lead">${words.lead}</p>`
    + `${cards(locale, root)}<h2>${words.agents}</h2><p>${words.agentsLead}</p>`
    + `${configuration(locale, options.publicUrl)}${programs(locale, root)}`)
}

/** Why a browser finds nothing to show: no such address, one for MCP hosts, or for programs. */
export type NothingHere = 'nowhere' | 'mcp' | 'method'

export function nothingHerePage(
  options: SiteOptions, why: NothingHere, locale: Locale,
): Rendered {
  const words = WORDS[locale]
  return render(options, locale, words[why], (root) =>
    `<p class="lead">${words[`${why}Lead`]}</p>`
    + (why === 'mcp' ? configuration(locale, options.publicUrl) : '')
    + `<h2>${words.here}</h2>${cards(locale, root)}`)
}

/** The page as an answer that nobody keeps: what is nowhere today may be somewhere tomorrow. */
export const pageReply = (status: number, { html, policy }: Rendered): HttpReply => ({
  status,
  headers: [
    ['Content-Type', 'text/html; charset=utf-8'], ['Cache-Control', 'no-store'],
    ['Vary', 'Accept, Accept-Language'], ['Content-Security-Policy', policy],
    ['Referrer-Policy', 'no-referrer'],
  ],
  body: html,
})
