/** The HTML of the documents: blocks of a chapter, and the elements that every part has. */
import escapeHtml from 'escape-html'
import type { Locale } from '../../site/page.ts'
import { SAMPLE_LANGUAGES, type SampleLanguage, type Samples } from './examples.ts'
import { WORDS } from './words.ts'

/** In texts and cells `code` stands in backquotes; field_names need none. */
export type Block =
  | { readonly text: string }
  | { readonly code: string, readonly label: string, readonly language: 'sh' | 'http' }
  | { readonly json: unknown, readonly label: string }
  | { readonly samples: Samples, readonly label: string }
  | { readonly heads: readonly string[], readonly rows: readonly (readonly string[])[] }
  | { readonly items: readonly (readonly Block[])[], readonly isNumbered?: true }

export interface Chapter {
  readonly id: string
  readonly title: string
  readonly blocks: readonly Block[]
}

export interface Prose {
  readonly locale: Locale
  /** Of operations: they are linked where a text names them. */
  readonly names: ReadonlySet<string>
}

export const blocksHtml = (blocks: readonly Block[], context: Prose): string =>
  blocks.map((one) => html(one, context)).join('')

function html(one: Block, context: Prose): string {
  const { locale, names } = context
  if ('text' in one) return `<p>${prose(one.text, names)}</p>`
  if ('code' in one) return block(one.code, one.label)
  if ('json' in one) return json(one.json, one.label)
  if ('samples' in one) return samples(one.samples, one.label, locale)
  if ('heads' in one) {
    return table(one.heads.map((head) => escapeHtml(head)),
      one.rows.map((row) => row.map((cell) => cellHtml(cell, context))), WORDS[locale].table)
  }
  const items = one.items.map((item) => `<li>${blocksHtml(item, context)}</li>`).join('')
  return one.isNumbered ? `<ol class="steps">${items}</ol>` : `<ul>${items}</ul>`
}

/** A cell in the other language says so. */
function cellHtml(text: string, { locale, names }: Prose): string {
  const lang = /^\p{Script=Han}/u.test(text) ? 'zh-CN' : /^[A-Z][a-z ]/.test(text) ? 'en' : ''
  const isOther = lang !== '' && !lang.startsWith(locale)
  return isOther ? `<span lang="${lang}">${prose(text, names)}</span>` : prose(text, names)
}

export const code = (text: string): string => `<code>${escapeHtml(text)}</code>`

/** Long lines and long answers scroll inside their frame: it must be reachable by keyboard. */
const frame = (text: string, label: string, kind: 'plain' | 'json', attributes = ''): string =>
  `<pre tabindex="0" aria-label="${escapeHtml(label)}"${attributes}>`
  + `<code>${kind === 'json' ? paint(escapeHtml(text)) : escapeHtml(text)}</code></pre>`

export const block = (text: string, label: string, kind: 'plain' | 'json' = 'plain'): string =>
  `<figure class="code"><figcaption>${escapeHtml(label)}</figcaption>${frame(text, label, kind)}`
  + '</figure>'

export const json = (value: unknown, label: string): string =>
  block(JSON.stringify(value, null, 2), label, 'json')

/** The same in each language: one is shown where scripts run, else all, one below the other. */
export function samples(texts: Samples, label: string, locale: Locale): string {
  const languages = Object.keys(SAMPLE_LANGUAGES) as SampleLanguage[]
  const buttons = languages.map((language) => `<button type="button" data-choose="${language}">`
    + `${SAMPLE_LANGUAGES[language]}</button>`)
  return `<figure class="code samples"><figcaption>${escapeHtml(label)}<span class="choices" `
    + `role="group" aria-label="${WORDS[locale].sampleLanguage}">${buttons.join('')}</span>`
    + `</figcaption>${languages.map((language) =>
      frame(texts[language], `${label}, ${SAMPLE_LANGUAGES[language]}`, 'plain',
        ` data-sample="${language}"`)).join('')}</figure>`
}

/** Names stand out from values; the text is escaped already. */
const paint = (text: string): string =>
  text.replaceAll(/^( *)(&quot;[\w.$ -]+&quot;)(?=:)/gm, '$1<b>$2</b>')

export const heading = (
  level: 2 | 3 | 4, id: string, html: string, locale: Locale = 'en',
): string => `<h${level} id="${id}">${html}`
  + `<a class="anchor" href="#${id}" aria-label="${WORDS[locale].anchor}">#</a></h${level}>`

/** Escaped text in which code and field_names are set as such, and names of operations link. */
export const prose = (text: string, names: ReadonlySet<string> = new Set()): string =>
  escapeHtml(text).replaceAll(/`([^`]+)`|\b[a-z]+(?:_[a-z]+)+\b/g, (word, quoted?: string) =>
    (names.has(word) ? `<a href="#${word}"><code>${word}</code></a>`
      : `<code>${quoted ?? word}</code>`))

export const table = (
  heads: readonly string[], rows: readonly (readonly string[])[], label = 'Table',
): string =>
  `<div class="scroll" tabindex="0" role="group" aria-label="${label}"><table><thead><tr>`
  + heads.map((head) => `<th scope="col">${head}</th>`).join('')
  + `</tr></thead><tbody>${rows.map((row) =>
    `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</tbody></table></div>`
