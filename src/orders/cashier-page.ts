/** The look of the cashier: one page without scripts, readable on a phone and in the dark. */
import { createHash } from 'node:crypto'

export interface Page {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly html: string
}

export interface PageParts {
  readonly status: number
  /** HTML, as `body`: the caller escapes what is not its own. */
  readonly title: string
  readonly body: string
  readonly mood: 'pending' | 'paid' | 'closed'
  /** Origins that its form's answer may lead on to, beside this one. */
  readonly formTargets?: readonly string[]
}

/** Both languages, since nobody knows who opens the link. */
export const bilingual = (chinese: string, english: string): string =>
  `<span lang="zh">${chinese}</span> <span lang="en">${english}</span>`

const STYLE = `
:root{color-scheme:light dark;--ink:#1c2024;--soft:#60646c;
--card:#fff;--ground:#f2f3f5;--go:#0b6e4f}
@media(prefers-color-scheme:dark){:root{--ink:#edeef0;--soft:#b0b4ba;
--card:#1c1f23;--ground:#101214}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;
background:var(--ground);color:var(--ink);
font:16px/1.5 system-ui,-apple-system,"PingFang SC","Noto Sans SC",sans-serif}
main{width:min(26rem,100%);background:var(--card);border-radius:1rem;padding:1.75rem 1.5rem;
border-top:.4rem solid #d97706;text-align:center}
main.paid{border-color:#0b6e4f}main.closed{border-color:#8b8d98}
h1{font-size:1.2rem;margin:0}
[lang=en]{color:var(--soft);font-size:.85em}
.amount{font-size:2.6rem;font-weight:700;margin:.75rem 0;font-variant-numeric:tabular-nums}
dl{display:grid;grid-template-columns:auto 1fr;gap:.4rem 1rem;margin:0 0 1rem;text-align:left}
dt{color:var(--soft)}dd{margin:0;text-align:right;overflow-wrap:anywhere}
.no{font-family:ui-monospace,monospace;font-size:.9em}
.qr svg{width:min(13rem,70%);height:auto;border-radius:.5rem;background:#fff}
.note{color:var(--soft);font-size:.9rem;margin:.75rem 0}
.left{font-variant-numeric:tabular-nums;margin:.75rem 0 0}
button{width:100%;min-height:3.2rem;border:0;border-radius:.75rem;background:var(--go);color:#fff;
font:inherit;font-weight:600;cursor:pointer}
button [lang=en]{color:inherit}
a{display:inline-block;padding:.5rem;color:inherit}
:is(a,button):focus-visible{outline:3px solid #f0b100;outline-offset:2px}
`

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** Nothing but this page's own style may load or run, and nothing may frame it. */
const policy = (formTargets: readonly string[]): string => [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  ["form-action 'self'", ...formTargets].join(' '),
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The address holds a token: it is neither cached nor sent on as a referrer. */
const HEADERS = [
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Robots-Tag', 'noindex'],
  ['Cache-Control', 'no-store'],
] as const

/** On to the page of somebody else. */
export const redirect = (url: string): Page =>
  ({ status: 303, headers: [['Location', url], ...HEADERS], html: '' })

export function page({ status, title, body, mood, formTargets = [] }: PageParts): Page {
  const html = `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title.replaceAll(/<[^>]*>/g, '')}</title><style>${STYLE}</style></head>
<body><main class="${mood}"><h1>${title}</h1>${body}</main></body></html>
`
  return {
    status,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Content-Security-Policy', policy(formTargets)],
      ...HEADERS,
    ],
    html,
  }
}
