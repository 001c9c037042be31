/** `/docs`: one page that says everything, made from the table, without anybody else's files. */
import { createHash } from 'node:crypto'
import { escapeHtml } from '../../html.ts'
import { errorsHtml } from './error-sections.ts'
import { categories, chapters, type Chapter, type GuideContext } from './guide.ts'
import { heading } from './markup.ts'
import { groupsOf, type Group } from './model.ts'
import { operationSection } from './operation-section.ts'
import { SCRIPT } from './script.ts'
import { STYLE } from './style.ts'

export interface PageOptions extends Omit<GuideContext, 'names'> {
  readonly version: string
}

const hash = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Only what the page brings along may run; it may load and send nothing. */
export const DOCS_POLICY = "default-src 'none'; img-src data:; base-uri 'none'; "
  + `form-action 'none'; frame-ancestors 'none'; style-src ${hash(STYLE)}; `
  + `script-src ${hash(SCRIPT)}`

const ICON = 'data:image/svg+xml,%3Csvg xmlns=%27http://www.w3.org/2000/svg%27 '
  + 'viewBox=%270 0 32 32%27%3E%3Crect width=%2732%27 height=%2732%27 rx=%278%27 '
  + 'fill=%27%230f766e%27/%3E%3Cpath d=%27M9 12h14l-1.4 11H10.4zM12 12a4 4 0 0 1 8 0%27 '
  + 'fill=%27none%27 stroke=%27white%27 stroke-width=%272%27/%3E%3C/svg%3E'

export function docsPage(options: PageOptions): string {
  const names = new Set(options.operations.map(({ name }) => name))
  const context = { ...options, names }
  const guide = chapters(context)
  const groups = groupsOf(options.operations)
  const after: Chapter[] = [categories()]
  const menu = contents(guide, groups, after)
  return '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    + '<meta name="viewport" content="width=device-width,initial-scale=1">'
    + '<meta name="color-scheme" content="light dark">'
    + '<meta name="description" content="Reference of the agentmall API: REST and MCP">'
    + `<title>agentmall API reference</title><link rel="icon" href="${ICON}">`
    + `<style>${STYLE}</style></head><body>`
    + '<a class="skip" href="#main">Skip to the content</a>'
    + `<header>${banner(options)}</header><div class="layout">`
    + `<nav class="side" aria-label="Contents">${menu}</nav>`
    + `<details class="menu"><summary>Contents</summary><nav aria-label="Contents">${menu}</nav>`
    + '</details><main id="main" tabindex="-1">'
    + intro(options)
    + guide.map(({ html }) => html).join('')
    + groups.map((group) => `<section class="group">${heading(2, groupId(group), group.name)}`
      + `<p class="lead">${escapeHtml(group.description)}</p>`
      + group.entries.map((entry) => operationSection(entry, context)).join('')
      + '</section>').join('')
    + after.map(({ html }) => html).join('')
    + `<section class="chapter">${heading(2, 'errors', 'Errors')}`
    + `<p class="lead">Every error has a name, a code and an address.</p>${errorsHtml(names)}`
    + '</section><p class="none" hidden>Nothing matches.</p></main></div>'
    + `<script>${SCRIPT}</script></body></html>`
}

const groupId = ({ name }: Group): string => `group-${name.toLowerCase()}`

const banner = ({ version }: PageOptions): string =>
  '<a class="brand" href="#main">agentmall</a>'
  + `<span class="version">API ${escapeHtml(version)}</span>`
  + '<label class="filter" hidden><span>Filter</span>'
  + '<input type="search" placeholder="Filter operations and errors" autocomplete="off">'
  + '</label><a class="raw" href="openapi.json">OpenAPI</a>'

const intro = ({ publicUrl, basePath }: PageOptions): string =>
  '<div class="intro"><h1>API reference</h1>'
  + '<p class="lead">Goods search, ordering, fulfilment and after-sales for AI agents. '
  + 'The same operations over REST and MCP.</p><dl class="addresses">'
  + `<div><dt>REST</dt><dd><code>${escapeHtml(publicUrl + basePath)}</code></dd></div>`
  + `<div><dt>MCP</dt><dd><code>${escapeHtml(publicUrl)}/mcp</code></dd></div>`
  + `<div><dt>OpenAPI</dt><dd><a href="openapi.json">${escapeHtml(publicUrl)}/openapi.json</a>`
  + '</dd></div></dl></div>'

function contents(
  guide: readonly Chapter[], groups: readonly Group[], after: readonly Chapter[],
): string {
  const link = (id: string, text: string): string =>
    `<li><a href="#${id}">${escapeHtml(text)}</a></li>`
  return `<p>Guide</p><ul>${guide.map(({ id, title }) => link(id, title)).join('')}</ul>`
    + groups.map((group) => `<p>${escapeHtml(group.name)}</p><ul>`
      + group.entries.map(({ operation }) =>
        `<li data-find="${operation.name}"><a href="#${operation.name}">`
        + `${escapeHtml(operation.title)}</a></li>`).join('')
      + '</ul>').join('')
    + `<p>More</p><ul>${after.map(({ id, title }) => link(id, title)).join('')}`
    + `${link('errors', 'Errors')}</ul>`
}
