/** One card in the middle of the page: for payers, shoppers, and whoever followed a link. */
import { escapeHtml } from '../html.ts'
import type { Rendered } from './frame.ts'
import { BRAND, policyOf, renderPage, type Allowances } from './html-page.ts'
import { LANGUAGE_TAGS, otherLocale, type InBoth, type Locale } from './locale.ts'
import { PALETTE } from './palette.ts'

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
.mood::before{content:"";display:inline-block;width:10px;height:10px;border-radius:50%;
margin-right:9px;background:var(--busy)}
.mood.paid::before{background:var(--good)}.mood.closed::before{background:var(--soft)}
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
  readonly mood?: 'pending' | 'paid' | 'closed'
  /** HTML below the heading; `above` stands before it. */
  readonly body: string
  readonly above?: string
  /** Where the home page is, and where this page is in the other language. */
  readonly home: string
  readonly other?: string
  readonly script?: string
  readonly allowances?: Allowances
}

const SWITCH: InBoth<string> = { en: '中文', zh: 'English' }

export function card(parts: Card): Rendered {
  const { locale, title, heading = title, mood, above = '', home, script, allowances } = parts
  const other = otherLocale(locale)
  const tag = LANGUAGE_TAGS[other]
  const address = parts.other ?? `?lang=${other}`
  const page = { locale, title, style: CARD_STYLE, ...(script !== undefined && { script }) }
  const body = `<header class="top"><a class="brand" href="${escapeHtml(home)}">${BRAND}</a>`
    + `<a class="switch" href="${escapeHtml(address)}" hreflang="${tag}" lang="${tag}">`
    + `${SWITCH[locale]}</a></header><main>${above}`
    + `<h1${mood === undefined ? '' : ` class="mood ${mood}"`}>${escapeHtml(heading)}</h1>`
    + `${parts.body}</main>`
  return { html: renderPage({ ...page, body }), policy: policyOf(page, allowances) }
}
