/** What the chapters are made of, before it is HTML or Markdown. */
import { escapeHtml } from '../../html.ts'
import type { Locale } from '../../site/locale.ts'
import { block, json, prose, samples as samplesHtml, table } from './markup.ts'
import { SAMPLE_LANGUAGES, type SampleLanguage, type Samples } from './samples.ts'
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
  if ('samples' in one) return samplesHtml(one.samples, one.label, locale)
  if ('heads' in one) {
    return table(one.heads.map((head) => escapeHtml(head)),
      one.rows.map((row) => row.map((cell) => cellHtml(cell, context))), WORDS[locale].table)
  }
  const items = one.items.map((item) => `<li>${blocksHtml(item, context)}</li>`).join('')
  return one.isNumbered ? `<ol class="steps">${items}</ol>` : `<ul>${items}</ul>`
}

/** A cell in the other language says so. */
function cellHtml(text: string, { locale, names }: Prose): string {
  const lang = /^\p{Script=Han}/u.test(text) ? 'zh-CN' : /^[A-Z][a-z]/.test(text) ? 'en' : ''
  const isOther = lang !== '' && !lang.startsWith(locale)
  return isOther ? `<span lang="${lang}">${prose(text, names)}</span>` : prose(text, names)
}

export const blocksMarkdown = (blocks: readonly Block[]): string => blocks.map(markdown).join('\n')

/** Field_names as code, which Markdown would take for emphasis. */
export const proseMarkdown = (text: string): string => text.replaceAll(
  /`[^`]+`|\b[a-z]+(?:_[a-z]+)+\b/g, (word) => (word.startsWith('`') ? word : `\`${word}\``))

export const fenced = (text: string, language: string): string =>
  `\`\`\`${language}\n${text}\n\`\`\`\n`

const FENCES: Readonly<Record<SampleLanguage, string>> =
  { curl: 'sh', javascript: 'js', python: 'python' }

export const samplesMarkdown = (samples: Samples): string =>
  (Object.keys(SAMPLE_LANGUAGES) as SampleLanguage[])
    .map((language) => fenced(samples[language], FENCES[language])).join('\n')

export const tableMarkdown = (
  heads: readonly string[], rows: readonly (readonly string[])[],
): string => [heads, heads.map(() => '---'), ...rows]
  .map((row) => row.map((cell) => proseMarkdown(cell).replaceAll('|', '\\|')).join(' | '))
  .map((row) => `| ${row} |\n`)
  .join('')

function markdown(one: Block): string {
  if ('text' in one) return `${proseMarkdown(one.text)}\n`
  if ('code' in one) return fenced(one.code, one.language)
  if ('json' in one) return `${one.label}:\n\n${fenced(JSON.stringify(one.json, null, 2), 'json')}`
  if ('samples' in one) return samplesMarkdown(one.samples)
  if ('heads' in one) return tableMarkdown(one.heads, one.rows)
  return one.items.map((item, at) => {
    const mark = one.isNumbered ? `${at + 1}.` : '-'
    const indent = ' '.repeat(mark.length + 1)
    return `${mark} ${blocksMarkdown(item).trimEnd().replaceAll(/\n(?=[^\n])/g, `\n${indent}`)}\n`
  }).join(one.isNumbered ? '\n' : '')
}
