/** `/docs`: the whole reference as one page from the table, without files of other origins. */
import escapeHtml from 'escape-html'
import { ERRORS } from '../../contract/errors.ts'
import { framed, type Locale, type Rendered, rootOf } from '../../site/page.ts'
import { SCRIPT, STYLE } from './assets.ts'
import { ERROR_NOTES } from './error-notes.ts'
import {
  AGENT_EXAMPLE, answerExample, errorBody, ERRORS_BY_CODE, samplesOf, successBody,
} from './examples.ts'
import { categories, chapters, type GuideContext } from './guide.ts'
import {
  blocksHtml, code, heading, json, prose, samples, type Chapter, type Prose,
} from './markup.ts'
import {
  fieldsIn, groupsOf, IDEMPOTENCY_FIELD, inside, rowOf, rowsOf, titleOf, wordsFor, type Entry,
  type Field, type Group, type Row,
} from './model.ts'
import { WORDS, type Words } from './words.ts'

export interface PageOptions extends Omit<GuideContext, 'names'> {
  readonly version: string
}

/** Everything that the documents say about the table, in the order in which they say it. */
export interface Contents {
  readonly context: GuideContext
  readonly guide: readonly Chapter[]
  readonly groups: readonly Group[]
  readonly after: readonly Chapter[]
}

export function contentsOf(options: PageOptions): Contents {
  const { operations, locale } = options
  const context = { ...options, names: new Set(operations.map(({ name }) => name)) }
  return {
    context, guide: chapters(context), groups: groupsOf(operations, locale),
    after: [categories(locale)],
  }
}

export function docsPage(options: PageOptions): Rendered {
  const { locale } = options
  const words = WORDS[locale]
  const contents = contentsOf(options)
  const { context, guide, groups, after } = contents
  const menu = menuOf(contents)
  const body = '<div class="layout">'
    + `<nav class="side contents" aria-label="${words.contents}">${menu}</nav>`
    + `<details class="menu"><summary>${words.contents}</summary>`
    + `<nav class="contents" aria-label="${words.contents}">${menu}</nav></details>`
    + '<main id="main" tabindex="-1">'
    + intro(options)
    + guide.map((chapter) => chapterHtml(chapter, contents)).join('')
    + groups.map((group) => `<section class="group">${heading(2, group.id, group.name, locale)}`
      + `<p class="lead">${escapeHtml(group.description)}</p>`
      + group.entries.map((entry) => operationSection(entry, context)).join('')
      + '</section>').join('')
    + after.map((chapter) => chapterHtml(chapter, contents)).join('')
    + `<section class="group">${heading(2, 'errors', words.errors, locale)}`
    + `<p class="lead">${words.errorsLead}</p>${errorSections(context)}</section>`
    + `<p class="none" role="status"><span hidden>${words.nothing}</span></p></main></div>`
  return framed({
    locale, root: rootOf(options.publicUrl), here: 'docs', title: words.title, style: STYLE,
    script: SCRIPT, body,
    tools: `<label class="filter" hidden><span>${words.search}</span><input type="search" `
      + `placeholder="${words.searchHint}" autocomplete="off"></label>`,
    head: `<meta name="description" content="${words.description}">`
      + '<link rel="alternate" type="text/markdown" href="docs.md">',
  })
}

/** A chapter is found by its title. */
const chapterHtml = ({ id, title, blocks }: Chapter, { context }: Contents): string =>
  `<section class="chapter" data-find="${escapeHtml(title.toLowerCase())}">`
  + `${heading(2, id, escapeHtml(title), context.locale)}${blocksHtml(blocks, context)}</section>`

function intro({ publicUrl, basePath, version, locale }: PageOptions): string {
  const words = WORDS[locale]
  const url = escapeHtml(publicUrl)
  return `<div class="intro"><h1>${words.heading}</h1><p class="lead">${words.lead}</p>`
    + '<dl class="addresses">'
    + `<div><dt>REST</dt><dd><code>${escapeHtml(publicUrl + basePath)}</code></dd></div>`
    + `<div><dt>MCP</dt><dd><code>${url}/mcp</code></dd></div>`
    + `<div><dt>OpenAPI</dt><dd><a href="openapi.json">${url}/openapi.json</a> `
    + `<span class="quiet">${escapeHtml(version)}</span></dd></div>`
    + `<div><dt>Markdown</dt><dd><a href="docs.md">${url}/docs.md</a>, `
    + `<a href="llms.txt">llms.txt</a></dd></div></dl></div>`
}

function menuOf({ context: { locale }, guide, groups, after }: Contents): string {
  const words = WORDS[locale]
  const link = (id: string, text: string): string =>
    `<li><a href="#${id}">${escapeHtml(text)}</a></li>`
  const part = (title: string, items: string): string => 
    `<p>${escapeHtml(title)}</p><ul>${items}</ul>`
  const chaptersPart = (title: string, all: readonly Chapter[], more = ''): string =>
    part(title, all.map((one) => link(one.id, one.title)).join('') + more)
  return chaptersPart(words.guide, guide)
    + groups.map((group) => part(group.name, group.entries.map(({ operation }) =>
      link(operation.name, titleOf(operation, locale))).join(''))).join('')
    + chaptersPart(words.more, after, link('errors', words.errors))
}

interface SectionContext extends Prose {
  readonly publicUrl: string
  readonly basePath: string
}

/** What comes from the table is English. */
const englishTag = (locale: Locale): string => (locale === 'en' ? '' : ' lang="en"')

function operationSection(entry: Entry, context: SectionContext): string {
  const { operation, method, path } = entry
  const { publicUrl, basePath, names, locale } = context
  const words = WORDS[locale]
  return `<section class="operation" data-find="${escapeHtml(findable(entry, locale))}">`
    + heading(3, operation.name, escapeHtml(titleOf(operation, locale)), locale)
    + `<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> `
    + `<code>${breakable(basePath + path)}</code></p>`
    + `<p class="facts">${facts(entry, words)}</p>`
    + `<p${englishTag(locale)}>${prose(operation.description, names)}</p>`
    + parameters(entry, locale)
    + samples(samplesOf(entry, `${publicUrl}${basePath}`), words.request, locale)
    + answerSection(entry, publicUrl, locale)
    + mcpCall(entry, words)
    + errorLinks(entry, words)
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
  ].join(' ')
}

function parameters(entry: Entry, locale: Locale): string {
  const words = WORDS[locale]
  const lists = (['path', 'header', 'query', 'body'] as const).map((location) => {
    const fields = fieldsIn(entry, location)
    return fields.length === 0 ? ''
      : `<h4>${words.locations[location]}</h4>${list(fields.flatMap(rows), locale)}`
  })
  return lists.join('') || `<p class="quiet">${words.noParameters}</p>`
}

const rows = ({ label, schema, isRequired }: Field): Row[] =>
  [rowOf(label, schema, isRequired), ...inside(label, schema)]

const list = (all: readonly Row[], locale: Locale): string =>
  `<dl class="fields"${englishTag(locale)}>${all.map((row) => item(row, locale)).join('')}</dl>`

function item({ path, type, isRequired, description, bounds }: Row, locale: Locale): string {
  const text = [wordsFor(path, description), bounds].filter(Boolean).map(sentence).join('. ')
  const tag = locale === 'zh' ? ' lang="zh-CN"' : ''
  return `<div><dt><code>${escapeHtml(path).replaceAll('.', '.<wbr>')}</code> `
    + `<span class="type">${escapeHtml(type)}</span>`
    + `${isRequired ? ` <span class="required"${tag}>${WORDS[locale].required}</span>` : ''}</dt>`
    + `<dd>${prose(text)}</dd></div>`
}

const sentence = (text: string): string =>
  (/^\S*_/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1))

function answerSection({ operation }: Entry, publicUrl: string, locale: Locale): string {
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

function mcpCall({ operation }: Entry, words: Words): string {
  if (operation.tool === false) return ''
  const note = IDEMPOTENCY_FIELD in operation.input.properties
    ? `<p class="quiet">${prose(words.keyArgument)}</p>` : ''
  return `<details><summary>${words.overMcp}</summary>${note}`
    + `${json(toolCall(operation), 'tools/call')}</details>`
}

function errorLinks(entry: Entry, words: Words): string {
  const links = entry.errors.toSorted((a, b) => ERRORS[a].code - ERRORS[b].code).map((name) =>
    `<li><a href="#error-${name}"><span>${ERRORS[name].status}</span> ${name}</a></li>`)
  return `<h4>${words.errors}</h4><ul class="errors">${links.join('')}</ul>`
}

function errorSections({ names, locale }: Prose): string {
  const words = WORDS[locale]
  const lang = locale === 'en' ? '' : ' lang="en"'
  return ERRORS_BY_CODE.map((name) => {
    const { status, code } = ERRORS[name]
    const { happened, fix } = ERROR_NOTES[name]
    return `<section class="error" data-find="${name} ${code} ${status}">`
      + heading(3, `error-${name}`,
        `<code>${name}</code> <span class="status">${status} · ${code}</span>`, locale)
      + `<p${lang}>${prose(happened, names)}</p><p><strong>${words.whatToDo}</strong> `
      + `<span${lang}>${prose(fix, names)}</span></p><details><summary>${words.example}</summary>`
      + `${json(errorBody(name), `${name}, ${code}`)}</details></section>`
  }).join('')
}
