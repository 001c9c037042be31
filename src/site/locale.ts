/** The two languages of pages for people, and which of them a request asks for. */

export const LOCALES = ['en', 'zh'] as const
export type Locale = (typeof LOCALES)[number]
/** The same in both languages. */
export type InBoth<T> = Readonly<Record<Locale, T>>

/** As HTML and HTTP name them. */
export const LANGUAGE_TAGS: InBoth<string> = { en: 'en', zh: 'zh-CN' }
export const otherLocale = (locale: Locale): Locale => (locale === 'en' ? 'zh' : 'en')

/** Entries of Accept-Language that are read: browsers send fewer. */
const RANGES_MAX = 20

export interface LocaleRequest {
  readonly query: string
  header(name: string): string | undefined
}

const isLocale = (text: string | null): text is Locale =>
  (LOCALES as readonly (string | null)[]).includes(text)

/** `?lang=` goes before Accept-Language; `otherwise` is for who prefers neither language. */
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
