/** The section of one operation on the reference page. */
import { escapeHtml } from '../../html.ts'
import { ERRORS } from '../../contract/errors.ts'
import type { Locale } from '../../site/locale.ts'
import type { Prose } from './blocks.ts'
import { AGENT_EXAMPLE, answerExample, successBody } from './examples.ts'
import { code, heading, json, prose, samples } from './markup.ts'
import { fieldsIn, IDEMPOTENCY_FIELD, titleOf, wordsFor, type Entry, type Field } from './model.ts'
import { samplesOf } from './samples.ts'
import { inside, rowOf, rowsOf, type Row } from './schema-rows.ts'
import { WORDS, type Words } from './words.ts'

export interface SectionContext extends Prose {
  readonly publicUrl: string
  readonly basePath: string
}

/** What comes from the table is English. */
const english = (locale: Locale): string => (locale === 'en' ? '' : ' lang="en"')

export function operationSection(entry: Entry, context: SectionContext): string {
  const { operation, method, path } = entry
  const { publicUrl, basePath, names, locale } = context
  const words = WORDS[locale]
  return `<section class="operation" data-find="${escapeHtml(findable(entry, locale))}">`
    + heading(3, operation.name, escapeHtml(titleOf(operation, locale)), locale)
    + `<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> `
    + `<code>${breakable(basePath + path)}</code></p>`
    + `<p class="facts">${facts(entry, words)}</p>`
    + `<p${english(locale)}>${prose(operation.description, names)}</p>`
    + parameters(entry, locale)
    + samples(samplesOf(entry, `${publicUrl}${basePath}`), words.request, locale)
    + answer(entry, publicUrl, locale)
    + twin(entry, words)
    + errors(entry, words)
    + '</section>'
}

const findable = ({ operation, method, path }: Entry, locale: Locale): string =>
  `${operation.name} ${titleOf(operation, locale)} ${method} ${path}`.toLowerCase()

/** Long paths may go on in the next line after a slash. */
const breakable = (path: string): string => escapeHtml(path).replaceAll('/', '/<wbr>')

function facts({ operation }: Entry, words: Words): string {
  return [
    operation.access === 'key' ? `<span class="badge key">${words.needsKey}</span>`
      : `<span class="badge open">${words.open}</span>`,
    operation.tool === false ? `<span class="badge">${words.restOnly}</span>`
      : `<span class="badge">${words.mcpTool} ${code(operation.name)}</span>`,
    ...(operation.handle ? [] : [`<span class="badge later">${words.later}</span>`]),
  ].join(' ')
}

function parameters(entry: Entry, locale: Locale): string {
  const words = WORDS[locale]
  const lists = (['path', 'header', 'query', 'body'] as const).map((place) => {
    const fields = fieldsIn(entry, place)
    return fields.length === 0 ? ''
      : `<h4>${words.places[place]}</h4>${list(fields.flatMap(rows), locale)}`
  })
  return lists.join('') || `<p class="quiet">${words.noParameters}</p>`
}

const rows = ({ label, schema, isRequired }: Field): Row[] =>
  [rowOf(label, schema, isRequired), ...inside(label, schema)]

const list = (all: readonly Row[], locale: Locale): string =>
  `<dl class="fields"${english(locale)}>${all.map((row) => item(row, locale)).join('')}</dl>`

function item({ path, type, isRequired, description, bounds }: Row, locale: Locale): string {
  const said = [wordsFor(path, description), bounds].filter(Boolean).map(sentence).join('. ')
  const tag = locale === 'zh' ? ' lang="zh-CN"' : ''
  return `<div><dt><code>${escapeHtml(path).replaceAll('.', '.<wbr>')}</code> `
    + `<span class="type">${escapeHtml(type)}</span>`
    + `${isRequired ? ` <span class="required"${tag}>${WORDS[locale].required}</span>` : ''}</dt>`
    + `<dd>${prose(said)}</dd></div>`
}

const sentence = (text: string): string =>
  (/^\S*_/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1))

function answer({ operation }: Entry, publicUrl: string, locale: Locale): string {
  const words = WORDS[locale]
  const example = answerExample(operation, publicUrl)
  const agent = operation.access === 'key' ? AGENT_EXAMPLE : null
  const label = example?.isRecorded ? words.recorded : words.sampled
  const fields = rowsOf(operation.output).map((row) => ({ ...row, isRequired: false }))
  return (example ? json(successBody(example.data, agent), label) : '')
    + `<details><summary>${prose(words.fieldsOfData)}</summary>${list(fields, locale)}</details>`
}

/** The call of the tool that is the operation. */
export const toolCall = ({ name, example }: Entry['operation']): object => ({
  jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: example },
})

function twin({ operation }: Entry, words: Words): string {
  if (operation.tool === false) return ''
  const note = IDEMPOTENCY_FIELD in operation.input.properties
    ? `<p class="quiet">${prose(words.keyArgument)}</p>` : ''
  return `<details><summary>${words.overMcp}</summary>${note}`
    + `${json(toolCall(operation), 'tools/call')}</details>`
}

function errors(entry: Entry, words: Words): string {
  const links = entry.errors.toSorted((a, b) => ERRORS[a].code - ERRORS[b].code).map((name) =>
    `<li><a href="#error-${name}"><span>${ERRORS[name].status}</span> ${name}</a></li>`)
  return `<h4>${words.errors}</h4><ul class="errors">${links.join('')}</ul>`
}
