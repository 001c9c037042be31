/** `/docs.md`, `/llms.txt` and docs/errors.md: the reference for programs that read text. */
import { ERRORS } from '../../contract/errors.ts'
import { ERROR_NOTES } from './error-notes.ts'
import {
  AGENT_EXAMPLE, answerExample, errorBody, ERRORS_BY_CODE, SAMPLE_LANGUAGES, type SampleLanguage,
  type Samples, samplesOf, successBody,
} from './examples.ts'
import type { Block, Chapter } from './markup.ts'
import {
  inside, rowOf, titleOf, wordsFor, type Entry, type Field, type Group,
} from './model.ts'
import { contentsOf, toolCall, type PageOptions } from './page.ts'
import { WORDS, type Words } from './words.ts'

const FENCES: Readonly<Record<SampleLanguage, string>> =
  { curl: 'sh', javascript: 'js', python: 'python' }

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

function fieldRows({ label, schema, isRequired, location }: Field, words: Words): string[][] {
  return [rowOf(label, schema, isRequired), ...inside(label, schema)].map((row) => [
    `\`${row.path}\``, words.locations[location],
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
        `- ${one.name} (${method} ${basePath}${path}`
          + `${one.tool === false ? ', REST only' : ''}): ${one.title}`), '',
    ]),
  ].join('\n')
}

/** A section for each error, under headings of `level`. */
const errorSections = (level: number): string => ERRORS_BY_CODE.map((name) => {
  const { status, code, msg, hint } = ERRORS[name]
  const { happened, fix } = ERROR_NOTES[name]
  return [
    `${'#'.repeat(level)} ${name}`, '', `HTTP ${status}, code ${code}. ${msg}`, '',
    `**What happened.** ${happened}`, '', `**How to fix it.** ${fix}`, '',
    `**Hint in the answer.** ${hint}`, '',
    fenced(JSON.stringify(errorBody(name), null, 2), 'json'),
  ].join('\n')
}).join('\n')

export const errorsMarkdown = (): string => `# Errors

<!-- Written by \`npm run docs\` from src/contract/errors.ts: do not edit. -->

An error answer is the envelope with a \`code\` other than 0. Its \`data\` names the \`error\`,
gives a \`hint\` on what to do next, and repeats the \`request_id\` of the header X-Request-Id.
Over MCP the same data stands in \`structuredContent.error\` of a result with \`isError\`. A code
never changes its meaning. A node serves the same text at \`/docs#error-<name>\`.

| HTTP | code | error | |
|---|---|---|---|
${ERRORS_BY_CODE.map((name) => `| ${ERRORS[name].status} | ${ERRORS[name].code} `
    + `| [${name}](#${name}) | ${ERRORS[name].msg} |`).join('\n')}

${errorSections(2)}`

const blocksMarkdown = (blocks: readonly Block[]): string => blocks.map(markdown).join('\n')

/** Field_names as code, which Markdown would take for emphasis. */
const proseMarkdown = (text: string): string => text.replaceAll(
  /`[^`]+`|\b[a-z]+(?:_[a-z]+)+\b/g, (word) => (word.startsWith('`') ? word : `\`${word}\``))

const fenced = (text: string, language: string): string =>
  `\`\`\`${language}\n${text}\n\`\`\`\n`

const samplesMarkdown = (samples: Samples): string =>
  (Object.keys(SAMPLE_LANGUAGES) as SampleLanguage[])
    .map((language) => fenced(samples[language], FENCES[language])).join('\n')

const tableMarkdown = (
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
