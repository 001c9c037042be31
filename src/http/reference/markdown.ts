/** `/docs.md` and `/llms.txt`: the reference for programs that read text. */
import { ERRORS } from '../../contract/errors.ts'
import {
  blocksMarkdown, fenced, proseMarkdown, samplesMarkdown, tableMarkdown, type Chapter,
} from './blocks.ts'
import { errorSections } from './error-sections.ts'
import { AGENT_EXAMPLE, answerExample, successBody } from './examples.ts'
import { titleOf, wordsFor, type Entry, type Field, type Group } from './model.ts'
import { toolCall } from './operation-section.ts'
import { contentsOf, type PageOptions } from './page.ts'
import { samplesOf } from './samples.ts'
import { inside, rowOf } from './schema-rows.ts'
import { WORDS, type Words } from './words.ts'

export function docsMarkdown(options: PageOptions): string {
  const { publicUrl, basePath, version, locale } = options
  const words = WORDS[locale]
  const { guide, groups, after } = contentsOf(options)
  return [
    `# ${words.title}\n`, `> ${words.lead}\n`,
    `- REST: \`${publicUrl}${basePath}\`\n- MCP: \`${publicUrl}/mcp\`\n`
      + `- OpenAPI: ${publicUrl}/openapi.json (${version})\n`,
    ...guide.map(chapter),
    ...groups.map((group) => groupMarkdown(group, options, words)),
    ...after.map(chapter),
    `## ${words.errors}\n`, `${words.errorsLead}\n`, errorSections(3),
  ].join('\n')
}

const chapter = ({ title, blocks }: Chapter): string => `## ${title}\n\n${blocksMarkdown(blocks)}`

const groupMarkdown = ({ name, description, entries }: Group, options: PageOptions, words: Words) =>
  [`## ${name}\n`, `${description}\n`, ...entries.map((one) => operation(one, options, words))]
    .join('\n')

function operation(entry: Entry, options: PageOptions, words: Words): string {
  const { operation: { name, description, access, tool }, method, path, fields } = entry
  const { publicUrl, basePath, locale } = options
  const rows = fields.flatMap((field) => fieldRows(field, words))
  const example = answerExample(entry.operation, publicUrl)
  const agent = access === 'key' ? AGENT_EXAMPLE : null
  return [
    `### ${titleOf(entry.operation, locale)} (${name})\n`,
    `\`${method} ${basePath}${path}\`; ${access === 'key' ? words.needsKey : words.open}; `
      + `${tool === false ? words.restOnly : `${words.mcpTool} \`${name}\``}\n`,
    `${proseMarkdown(description)}\n`,
    rows.length === 0 ? `${words.noParameters}\n` : tableMarkdown(['', '', '', ''], rows),
    samplesMarkdown(samplesOf(entry, `${publicUrl}${basePath}`)),
    ...(tool === false ? [] : [`${words.overMcp}:\n`, fenced(
      JSON.stringify(toolCall(entry.operation)), 'json')]),
    ...(example ? [`${example.isRecorded ? words.recorded : words.sampled}:\n`, fenced(
      JSON.stringify(successBody(example.data, agent)), 'json')] : []),
    `${words.errors}: ${entry.errors.map((error) => `\`${error}\` (${ERRORS[error].code})`)
      .join(', ')}\n`,
  ].join('\n')
}

function fieldRows({ label, schema, isRequired, place }: Field, words: Words): string[][] {
  return [rowOf(label, schema, isRequired), ...inside(label, schema)].map((row) => [
    `\`${row.path}\``, words.places[place],
    `${row.type}${row.isRequired ? `, ${words.required}` : ''}`,
    [wordsFor(row.path, row.description), row.bounds].filter(Boolean).join('; '),
  ])
}

/** By the form that llmstxt.org describes: what there is, and where to read it. */
export function llmsText(options: PageOptions): string {
  const { publicUrl, basePath } = options
  const { groups } = contentsOf(options)
  const link = (path: string, name: string, note: string): string =>
    `- [${name}](${publicUrl}${path}): ${note}`
  return [
    '# agentmall', '',
    '> A commerce service for AI agents: goods search, ordering, fulfilment and after-sales over '
      + 'MCP (Streamable HTTP) and REST.', '',
    `MCP server: ${publicUrl}/mcp. REST: ${publicUrl}${basePath}. Reading goods needs no key; `
      + `POST ${publicUrl}${basePath}/trial-keys gives a key at once. Prices are integers in CNY `
      + 'fen. Confirm item, quantity, price and receiver with the user before an order; payment is '
      + 'made by a person at pay_url.', '',
    '## Documents', '',
    link('/docs.md', 'Reference', 'every operation, field, error and limit, with samples'),
    link('/openapi.json', 'OpenAPI 3.1', 'the same for programs'),
    link('/plugin/SKILL.md', 'Skill', 'how an agent shops here, step by step'),
    link('/plugin', 'Plugin', 'MCP configuration for many hosts'), '',
    ...groups.flatMap(({ name, entries }) => [
      `## ${name}`, '',
      ...entries.map(({ operation: one, method, path }) =>
        `- ${one.name} (${method} ${basePath}${path}): ${one.title}`), '',
    ]),
  ].join('\n')
}
