/** The section of one operation on the reference page. */
import { escapeHtml } from '../../html.ts'
import { ERRORS } from '../../errors.ts'
import { curl } from './curl.ts'
import { AGENT_EXAMPLE, answerExample, successBody } from './examples.ts'
import { block, code, heading, json, prose } from './markup.ts'
import { fieldsIn, IDEMPOTENCY_FIELD, wordsFor, type Entry, type Field } from './model.ts'
import { inside, rowOf, rowsOf, type Row } from './schema-rows.ts'

export interface SectionContext {
  readonly publicUrl: string
  readonly basePath: string
  readonly names: ReadonlySet<string>
}

export function operationSection(entry: Entry, context: SectionContext): string {
  const { operation, method, path } = entry
  const { publicUrl, basePath, names } = context
  return `<section class="operation" data-find="${escapeHtml(findable(entry))}">`
    + heading(3, operation.name, escapeHtml(operation.title))
    + `<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> `
    + `<code>${breakable(basePath + path)}</code></p>`
    + `<p class="facts">${facts(entry)}</p>`
    + `<p>${prose(operation.description, names)}</p>`
    + parameters(entry)
    + block(curl(entry, `${publicUrl}${basePath}`), 'Request')
    + answer(entry, publicUrl)
    + twin(entry)
    + errors(entry)
    + '</section>'
}

const findable = ({ operation, method, path }: Entry): string =>
  `${operation.name} ${operation.title} ${method} ${path}`.toLowerCase()

/** Long paths may go on in the next line after a slash. */
const breakable = (path: string): string => escapeHtml(path).replaceAll('/', '/<wbr>')

function facts({ operation }: Entry): string {
  return [
    operation.access === 'key' ? '<span class="badge key">needs a key</span>'
      : '<span class="badge open">open to anyone</span>',
    operation.tool === false ? '<span class="badge">REST only</span>'
      : `<span class="badge">MCP tool ${code(operation.name)}</span>`,
    ...(operation.handle ? [] : ['<span class="badge later">not in service yet</span>']),
  ].join(' ')
}

const PLACES = { path: 'Path', header: 'Header', query: 'Query', body: 'Body' } as const

function parameters(entry: Entry): string {
  const lists = (['path', 'header', 'query', 'body'] as const).map((place) => {
    const fields = fieldsIn(entry, place)
    return fields.length === 0 ? '' : `<h4>${PLACES[place]}</h4>${list(fields.flatMap(rows))}`
  })
  return lists.join('') || '<p class="quiet">It takes no parameters.</p>'
}

const rows = ({ label, schema, isRequired }: Field): Row[] =>
  [rowOf(label, schema, isRequired), ...inside(label, schema)]

const list = (all: readonly Row[]): string => `<dl class="fields">${all.map(item).join('')}</dl>`

function item({ path, type, isRequired, description, bounds }: Row): string {
  const said = [wordsFor(path, description), bounds].filter(Boolean).map(sentence).join('. ')
  return `<div><dt><code>${escapeHtml(path).replaceAll('.', '.<wbr>')}</code> `
    + `<span class="type">${escapeHtml(type)}</span>`
    + `${isRequired ? ' <span class="required">required</span>' : ''}</dt>`
    + `<dd>${prose(said)}</dd></div>`
}

const sentence = (text: string): string =>
  (/^\S*_/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1))

function answer({ operation }: Entry, publicUrl: string): string {
  const example = answerExample(operation, publicUrl)
  const agent = operation.access === 'key' ? AGENT_EXAMPLE : null
  const label = example?.isRecorded ? 'Answer 200, as a sandbox node gave it'
    : 'Answer 200, made from the schema: no node has answered this yet'
  const fields = rowsOf(operation.output).map((row) => ({ ...row, isRequired: false }))
  return (example ? json(successBody(example.data, agent), label) : '')
    + `<details><summary>Fields of <code>data</code></summary>${list(fields)}</details>`
}

function twin({ operation }: Entry): string {
  if (operation.tool === false) return ''
  const call = {
    jsonrpc: '2.0', id: 1, method: 'tools/call',
    params: { name: operation.name, arguments: operation.example },
  }
  const note = IDEMPOTENCY_FIELD in operation.input.properties
    ? `<p class="quiet">The Idempotency-Key is the argument ${code(IDEMPOTENCY_FIELD)}.</p>` : ''
  return `<details><summary>The same over MCP</summary>${note}`
    + `${json(call, 'tools/call')}</details>`
}

function errors(entry: Entry): string {
  const links = entry.errors.toSorted((a, b) => ERRORS[a].code - ERRORS[b].code).map((name) =>
    `<li><a href="#error-${name}"><span>${ERRORS[name].status}</span> ${name}</a></li>`)
  return `<h4>Errors</h4><ul class="errors">${links.join('')}</ul>`
}
