/** The frame of the few pages that the node serves to people. No script, no third party. */
import { createHash } from 'node:crypto'
import { escapeHtml } from '../html.ts'
import type { HttpReply } from './types.ts'

const STYLE = `
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:0;display:grid;place-items:center;min-height:100vh;
background:#f5f5f4;color:#1c1917}
main{background:#fff;border-radius:16px;padding:28px;max-width:440px;width:calc(100% - 32px);
box-sizing:border-box;box-shadow:0 1px 3px #0002,0 8px 24px #0001;margin:16px}
h1{font-size:20px;margin:0 0 12px}img{width:100%;border-radius:12px}
.price{font-size:28px;font-weight:700;color:#b91c1c;margin:8px 0}
.muted{color:#57534e;font-size:14px}
h2{font-size:17px;margin:24px 0 8px;border-top:1px solid #e7e5e4;padding-top:20px}
[lang=en]{color:#57534e;font-size:14px;display:block}pre[lang=en]{font-size:13px}
a{color:#1d4ed8}p{margin:8px 0}li{margin:12px 0}
ol{padding-left:22px;margin:8px 0}summary{cursor:pointer;padding:6px 0}
:focus-visible{outline:3px solid #f0b100;outline-offset:2px}
pre{background:#f5f5f4;border-radius:8px;padding:12px;margin:6px 0;overflow-x:auto;
font:13px/1.5 ui-monospace,monospace;color:inherit}
pre.wrap{white-space:pre-wrap;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{background:#1c1917;color:#f5f5f4}main{background:#292524}
.muted,[lang=en]{color:#a8a29e}.price{color:#f87171}h2{border-color:#44403c}a{color:#93c5fd}
pre{background:#1c1917}}
`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** `body` must already be escaped. */
export function page(status: number, title: string, body: string): HttpReply {
  return {
    status,
    headers: [
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Content-Security-Policy', "default-src 'none'; img-src *; base-uri 'none'; "
        + `frame-ancestors 'none'; style-src 'sha256-${STYLE_HASH}'`],
      ['Referrer-Policy', 'no-referrer'],
    ],
    body: '<!doctype html><html lang="zh-CN"><head><meta charset="utf-8">'
      + '<meta name="viewport" content="width=device-width,initial-scale=1">'
      + `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>`
      + `<body><main>${body}</main></body></html>`,
  }
}
