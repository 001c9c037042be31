/**
 * The colours and type of every page outside the console, which has the same in its theme.css. No
 * light-dark(): a payer's browser may be older than a developer's.
 */

/** By name: in the light theme, in the dark one. */
export const COLOURS = {
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
  Object.entries(COLOURS).map(([name, pair]) => `--${name}:${pair[theme]}`).join(';')

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
