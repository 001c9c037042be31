/** `/docs`: one page that says everything, made from the table, without anybody else's files. */
import { escapeHtml } from '../../html.ts'
import { framed, rootOf, type Rendered } from '../../site/frame.ts'
import { blocksHtml, type Chapter } from './blocks.ts'
import { errorsHtml } from './error-sections.ts'
import { categories, chapters, type GuideContext } from './guide.ts'
import { heading } from './markup.ts'
import { groupsOf, titleOf, type Group } from './model.ts'
import { operationSection } from './operation-section.ts'
import { SCRIPT } from './script.ts'
import { STYLE } from './style.ts'
import { WORDS } from './words.ts'

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
    + `<p class="lead">${words.errorsLead}</p>${errorsHtml(context)}</section>`
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
