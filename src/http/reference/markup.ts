/** Pieces of HTML that every part of the reference page is made of. */
import { escapeHtml } from '../../html.ts'

export const code = (text: string): string => `<code>${escapeHtml(text)}</code>`

/** Long lines and long answers scroll inside their frame: it must be reachable by keyboard. */
export const block = (text: string, label: string, kind: 'shell' | 'json' = 'shell'): string =>
  `<figure class="code"><figcaption>${escapeHtml(label)}</figcaption>`
  + `<pre tabindex="0" aria-label="${escapeHtml(label)}">`
  + `<code>${kind === 'json' ? paint(escapeHtml(text)) : escapeHtml(text)}</code></pre></figure>`

export const json = (value: unknown, label: string): string =>
  block(JSON.stringify(value, null, 2), label, 'json')

/** Names stand out from values; the text is escaped already. */
const paint = (text: string): string =>
  text.replaceAll(/^( *)(&quot;[\w.$ -]+&quot;)(?=:)/gm, '$1<b>$2</b>')

export const heading = (level: 2 | 3 | 4, id: string, html: string): string =>
  `<h${level} id="${id}">${html}`
  + `<a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${level}>`

/** Escaped text in which code and field_names are set as such, and names of operations link. */
export const prose = (text: string, names: ReadonlySet<string> = new Set()): string =>
  escapeHtml(text).replaceAll(/`([^`]+)`|\b[a-z]+(?:_[a-z]+)+\b/g, (word, quoted?: string) =>
    (names.has(word) ? `<a href="#${word}"><code>${word}</code></a>`
      : `<code>${quoted ?? word}</code>`))

export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table><thead><tr>'
  + heads.map((head) => `<th scope="col">${head}</th>`).join('')
  + `</tr></thead><tbody>${rows.map((row) =>
    `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</tbody></table></div>`
