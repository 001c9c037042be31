/**
 * What every page outside the console is made of: two languages, colours and type, the document,
 * the header of pages for developers, and one card for payers, shoppers and visitors of a link.
 */
import { createHash } from 'node:crypto'
import escapeHtml from 'escape-html'
import type { HttpReply } from '../contract/http.ts'

export const LOCALES = ['en', 'zh'] as const
export type Locale = (typeof LOCALES)[number]
/** One value for each language. */
export type PerLocale<T> = Readonly<Record<Locale, T>>

/** As HTML and HTTP name them. */
export const LANGUAGE_TAGS: PerLocale<string> = { en: 'en', zh: 'zh-CN' }
export const otherLocale = (locale: Locale): Locale => (locale === 'en' ? 'zh' : 'en')

/** Entries of Accept-Language that are read: browsers send fewer. */
const RANGES_MAX = 20

export interface LocaleRequest {
  readonly query: string
  header(name: string): string | undefined
}

const isLocale = (text: string | null): text is Locale =>
  (LOCALES as readonly (string | null)[]).includes(text)

/** `?lang=` goes before Accept-Language; `otherwise` is for a request that names neither. */
export function localeOf(request: LocaleRequest, otherwise: Locale): Locale {
  const asked = new URLSearchParams(request.query).get('lang')
  if (isLocale(asked)) return asked
  const ranges = (request.header('accept-language') ?? '').split(',', RANGES_MAX)
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().toLowerCase().split(';')
      const quality = /^\s*q=([\d.]{1,5})\s*$/.exec(parameters[0] ?? '')?.[1] ?? '1'
      return { language: tag.split('-')[0] ?? '', quality: Number(quality) }
    })
  const [best] = ranges.filter(({ language, quality }) => isLocale(language) && quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
  return (best?.language ?? otherwise) as Locale
}

/**
 * By name: in the light theme, in the dark one. The console has the same in its theme.css. No
 * light-dark(): a payer's browser may be older than a developer's.
 */
export const PAGE_COLOURS = {
  ground: ['#f7f8f8', '#0e1212'],
  card: ['#ffffff', '#161b1b'],
  sunken: ['#f3f5f5', '#111616'],
  ink: ['#151c1d', '#e8eded'],
  soft: ['#566365', '#9dabac'],
  line: ['#e3e8e8', '#283030'],
  control: ['#7b8786', '#6f7d7b'],
  accent: ['#0b6b64', '#5cd0c2'],
  'accent-strong': ['#095852', '#86e0d5'],
  'on-accent': ['#ffffff', '#06211e'],
  tint: ['#e4f2f0', '#14302c'],
  good: ['#0a6847', '#5fd3a0'],
  busy: ['#8a4b08', '#e9b872'],
  bad: ['#b3261e', '#ff9d94'],
  'line-2': ['#4f46e5', '#a5a0ff'],
} as const satisfies Readonly<Record<string, readonly [light: string, dark: string]>>

const declarations = (theme: 0 | 1): string =>
  Object.entries(PAGE_COLOURS).map(([name, pair]) => `--${name}:${pair[theme]}`).join(';')

export const PALETTE = `:root{color-scheme:light dark;${declarations(0)};
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"PingFang SC","Noto Sans","Noto Sans CJK SC",
"Microsoft YaHei",sans-serif}
@media(prefers-color-scheme:dark){:root{${declarations(1)}}}
:root[data-theme=light]{color-scheme:light;${declarations(0)}}
:root[data-theme=dark]{color-scheme:dark;${declarations(1)}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.6 var(--sans);
overflow-wrap:break-word;-webkit-text-size-adjust:100%}
a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:3px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
[hidden]{display:none!important}
.brand{display:flex;align-items:center;gap:9px;color:var(--ink);font-size:17px;font-weight:680;
letter-spacing:-.015em;text-decoration:none;white-space:nowrap}
.brand svg{width:26px;height:26px;flex:none}
.brand rect{fill:#0f766e}.brand path{fill:none;stroke:#fff;stroke-width:2}
`

/** Before the page is shown: the theme that was chosen in the console. */
export const THEME_SCRIPT = `try{const theme=localStorage.getItem('agentmall.theme')
if(theme==='light'||theme==='dark')document.documentElement.dataset.theme=theme}catch{}`

export interface HtmlPage {
  readonly locale: Locale
  /** Text. */
  readonly title: string
  readonly style: string
  /** Runs at the end of the body; the page must be complete without it. */
  readonly script?: string
  /** HTML. */
  readonly head?: string
  readonly body: string
}

const SHAPES = '<path d="M9 12h14l-1.4 11H10.4zM12 12a4 4 0 0 1 8 0"/>'

/** Its colours come from the palette. */
export const BRAND = '<svg viewBox="0 0 32 32" aria-hidden="true">'
  + `<rect width="32" height="32" rx="9"/>${SHAPES}</svg>agentmall`

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="white" '
  + `stroke-width="2"><rect width="32" height="32" rx="9" fill="#0f766e" stroke="none"/>${SHAPES}`
  + '</svg>')}`

export const renderPage = ({ locale, title, style, script, head = '', body }: HtmlPage): string =>
  `<!doctype html><html lang="${LANGUAGE_TAGS[locale]}"><head><meta charset="utf-8">`
  + '<meta name="viewport" content="width=device-width,initial-scale=1">'
  + '<meta name="color-scheme" content="light dark">'
  + `<title>${escapeHtml(title)}</title>${head}<link rel="icon" href="${ICON}">`
  + `<style>${style}</style><script>${THEME_SCRIPT}</script></head><body>${body}`
  + `${script === undefined ? '' : `<script>${script}</script>`}</body></html>`

const hash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** What a page may load and reach beyond its own style and scripts, by directive. */
export type Allowances = Readonly<Record<string, readonly string[]>>

/** Only the page's own style and scripts are allowed, and no site may frame it. */
export function policyOf(
  { style, script }: Pick<HtmlPage, 'style' | 'script'>, allowances: Allowances = {},
): string {
  const scripts = [THEME_SCRIPT, ...(script === undefined ? [] : [script])]
  const directives: Allowances = {
    'default-src': ["'none'"],
    'img-src': ['data:'],
    'form-action': ["'none'"],
    ...allowances,
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
    'style-src': [hash(style)],
    'script-src': scripts.map(hash),
  }
  return Object.entries(directives).map(([name, values]) => [name, ...values].join(' ')).join('; ')
}

export const SITE_PAGES = ['console', 'docs', 'plugin'] as const
export type SitePage = (typeof SITE_PAGES)[number]

const PAGE_NAMES: PerLocale<Readonly<Record<SitePage, string>>> = {
  en: { console: 'Console', docs: 'API reference', plugin: 'Plugin' },
  zh: { console: '控制台', docs: 'API 文档', plugin: '插件' },
}

const WORDS = {
  en: { skip: 'Skip to the content', site: 'Site', other: '中文' },
  zh: { skip: '跳到正文', site: '站点', other: 'English' },
} as const

/** What the address of every page begins with, behind the host: PUBLIC_URL may have a path. */
export const rootOf = (publicUrl: string): string =>
  new URL(publicUrl).pathname.replace(/\/$/, '')

/** The console keeps a language of its own. */
export const addressOfPage = (page: SitePage, root: string, locale: Locale): string =>
  `${root}/${page}${page === 'console' ? '' : `?lang=${locale}`}`

export const nameOfPage = (page: SitePage, locale: Locale): string => PAGE_NAMES[locale][page]

export interface FramedPage {
  readonly locale: Locale
  readonly root: string
  /** Text. */
  readonly title: string
  readonly style: string
  readonly script?: string
  readonly here?: SitePage
  /** HTML, like the rest: in the header beside the links, and below it. */
  readonly tools?: string
  readonly head?: string
  readonly body: string
}

export interface Rendered {
  readonly html: string
  readonly policy: string
}

/** `body` has the element with the id `main`. */
export function framed(page: FramedPage): Rendered {
  const { locale, root, here, tools = '' } = page
  const words = WORDS[locale]
  const other = otherLocale(locale)
  const links = SITE_PAGES.map((one) => `<a href="${addressOfPage(one, root, locale)}"`
    + `${one === here ? ' aria-current="page"' : ''}>${nameOfPage(one, locale)}</a>`)
  const body = `<a class="skip" href="#main">${words.skip}</a><header class="site">`
    + `<a class="brand" href="${root}/?lang=${locale}">${BRAND}</a>`
    + `<nav class="places" aria-label="${words.site}">${links.join('')}</nav>${tools}`
    + `<a class="switch" href="?lang=${other}" hreflang="${LANGUAGE_TAGS[other]}" `
    + `lang="${LANGUAGE_TAGS[other]}">${words.other}</a></header>${page.body}`
  return { html: renderPage({ ...page, body }), policy: policyOf(page) }
}

export const CARD_STYLE = `${PALETTE}
body{min-height:100vh;display:flex;flex-direction:column;align-items:center;
padding:max(16px,4vh) 16px 16px}
.top,main{width:100%;max-width:440px}
.top{display:flex;align-items:center;justify-content:space-between;padding:0 4px 12px}
.top a{padding:4px 0}.switch{color:var(--soft);font-size:14px;text-decoration:none}
.top :hover{text-decoration:underline}
main{background:var(--card);border:1px solid var(--line);border-radius:16px;padding:24px;
overflow-wrap:anywhere}
h1{font-size:20px;line-height:1.35;margin:0 0 12px}
h2{font-size:17px;margin:24px 0 8px;border-top:1px solid var(--line);padding-top:20px}
p{margin:8px 0}li{margin:12px 0}ol{padding-left:22px;margin:8px 0}
img.wide{display:block;width:100%;border-radius:12px;margin-bottom:16px;background:var(--sunken)}
.price{font-size:30px;font-weight:700;margin:10px 0;font-variant-numeric:tabular-nums}
.soft{color:var(--soft);font-size:14px}.state{font-weight:600}
dl{display:grid;grid-template-columns:auto 1fr;gap:6px 16px;margin:16px 0}
dt{color:var(--soft)}dd{margin:0;text-align:right;font-variant-numeric:tabular-nums}
.status::before{content:"";display:inline-block;width:10px;height:10px;border-radius:50%;
margin-right:9px;background:var(--busy)}
.status.paid::before{background:var(--good)}.status.closed::before{background:var(--soft)}
.item{display:flex;gap:14px;align-items:center;margin:4px 0 12px}
.item img{width:72px;height:72px;flex:none;border-radius:10px;background:var(--sunken)}
.item p{margin:0}.item .soft{margin-top:2px}
.middle{text-align:center}.left{font-variant-numeric:tabular-nums}
.qr{border-top:1px solid var(--line);margin-top:20px;padding-top:16px;text-align:center}
.qr svg{display:block;width:168px;height:168px;margin:0 auto 8px;border-radius:8px;background:#fff}
.no{font:14px/1.6 var(--mono)}
button{width:100%;min-height:52px;margin-top:8px;border:0;border-radius:12px;
background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
button:hover{background:var(--accent-strong)}
button.quiet{background:none;color:var(--ink);border:1px solid var(--control)}
pre{background:var(--sunken);border:1px solid var(--line);border-radius:8px;padding:12px;
margin:6px 0;overflow-x:auto;font:13px/1.5 var(--mono)}
pre.wrap{white-space:pre-wrap;overflow-wrap:anywhere}
summary{cursor:pointer;color:var(--accent);padding:6px 0}
@media(max-width:600px),(pointer:coarse) and (max-height:600px){.qr{display:none}}
`

export interface Card {
  readonly locale: Locale
  /** Text, as the browser shows it; the heading too, unless there is another. */
  readonly title: string
  readonly heading?: string
  /** A class of the heading, which gives it a dot of that colour. */
  readonly status?: 'pending' | 'paid' | 'closed'
  /** HTML below the heading; `above` stands before it. */
  readonly body: string
  readonly above?: string
  /** Where the home page is, and where this page is in the other language. */
  readonly home: string
  readonly other?: string
  readonly script?: string
  readonly allowances?: Allowances
}

const SWITCH: PerLocale<string> = { en: '中文', zh: 'English' }

export function card(parts: Card): Rendered {
  const { locale, title, heading = title, status, above = '', home, script, allowances } = parts
  const other = otherLocale(locale)
  const tag = LANGUAGE_TAGS[other]
  const address = parts.other ?? `?lang=${other}`
  const page = { locale, title, style: CARD_STYLE, ...(script !== undefined && { script }) }
  const body = `<header class="top"><a class="brand" href="${escapeHtml(home)}">${BRAND}</a>`
    + `<a class="switch" href="${escapeHtml(address)}" hreflang="${tag}" lang="${tag}">`
    + `${SWITCH[locale]}</a></header><main>${above}`
    + `<h1${status === undefined ? '' : ` class="status ${status}"`}>${escapeHtml(heading)}</h1>`
    + `${parts.body}</main>`
  return { html: renderPage({ ...page, body }), policy: policyOf(page, allowances) }
}

export interface CardContext {
  readonly publicUrl: string
  readonly locale: Locale
}

export function cardReply(
  status: number, { publicUrl, locale }: CardContext, parts: Omit<Card, 'locale' | 'home'>,
): HttpReply {
  const { html, policy } = card({
    ...parts, locale, home: `${rootOf(publicUrl)}/?lang=${locale}`,
  })
  return {
    status,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'], ['Content-Security-Policy', policy],
      ['Referrer-Policy', 'no-referrer'], ['Vary', 'Accept-Language'],
    ],
    body: html,
  }
}

/** For a page that is missing or refused: a heading, and what to do. */
export type Notice = PerLocale<readonly [title: string, advice: string]>

export function noticeReply(status: number, context: CardContext, notice: Notice): HttpReply {
  const [title, advice] = notice[context.locale]
  return cardReply(status, context, {
    title, status: 'closed', body: `<p class="soft">${advice}</p>`,
  })
}
