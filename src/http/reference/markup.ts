/** Pieces of HTML that every part of the reference page is made of. */
import { escapeHtml } from '../../html.ts'
import type { Locale } from '../../site/locale.ts'
import { SAMPLE_LANGUAGES, type SampleLanguage, type Samples } from './samples.ts'
import { WORDS } from './words.ts'

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
