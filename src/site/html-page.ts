/** The outermost part of every page outside the console, and the policy that fits it. */
import { createHash } from 'node:crypto'
import { escapeHtml } from '../html.ts'
import { LANGUAGE_TAGS, type Locale } from './locale.ts'
import { THEME_SCRIPT } from './palette.ts'

export interface HtmlPage {
  readonly locale: Locale
  /** Text. */
  readonly title: string
  readonly style: string
  /** Runs when everything is there; the page must be complete without it. */
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

/** Only what the page brings along may run, and nobody may frame it. */
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
