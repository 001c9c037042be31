/** The header that the pages for developers share: each leads to the others, and to the console. */
import { BRAND, policyOf, renderPage } from './html-page.ts'
import { LANGUAGE_TAGS, otherLocale, type InBoth, type Locale } from './locale.ts'

export const SITE_PAGES = ['console', 'docs', 'plugin'] as const
export type SitePage = (typeof SITE_PAGES)[number]

const PAGE_NAMES: InBoth<Readonly<Record<SitePage, string>>> = {
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
export const addressOf = (place: SitePage, root: string, locale: Locale): string =>
  `${root}/${place}${place === 'console' ? '' : `?lang=${locale}`}`
export const nameOf = (place: SitePage, locale: Locale): string => PAGE_NAMES[locale][place]

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
  const links = SITE_PAGES.map((place) => `<a href="${addressOf(place, root, locale)}"`
    + `${place === here ? ' aria-current="page"' : ''}>${nameOf(place, locale)}</a>`)
  const body = `<a class="skip" href="#main">${words.skip}</a><header class="site">`
    + `<a class="brand" href="${root}/?lang=${locale}">${BRAND}</a>`
    + `<nav class="places" aria-label="${words.site}">${links.join('')}</nav>${tools}`
    + `<a class="switch" href="?lang=${other}" hreflang="${LANGUAGE_TAGS[other]}" `
    + `lang="${LANGUAGE_TAGS[other]}">${words.other}</a></header>${page.body}`
  return { html: renderPage({ ...page, body }), policy: policyOf(page) }
}
