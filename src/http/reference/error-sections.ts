/** The errors, each with an address of its own: as part of the page, and as docs/errors.md. */
import { ERRORS, type ErrorName } from '../../errors.ts'
import { ERROR_NOTES } from './error-notes.ts'
import { ERROR_NAMES, errorBody } from './examples.ts'
import { heading, json, prose } from './markup.ts'

const byCode = (): ErrorName[] =>
  ERROR_NAMES.toSorted((a, b) => ERRORS[a].code - ERRORS[b].code)

export const errorsHtml = (names: ReadonlySet<string>): string => byCode().map((name) => {
  const { status, code } = ERRORS[name]
  const { happened, fix } = ERROR_NOTES[name]
  return `<section class="error" data-find="${name} ${code} ${status}">`
    + heading(3, `error-${name}`,
      `<code>${name}</code> <span class="status">${status} · ${code}</span>`)
    + `<p>${prose(happened, names)}</p><p><strong>What to do.</strong> ${prose(fix, names)}</p>`
    + `<details><summary>Example body</summary>${json(errorBody(name), `${name}, ${code}`)}`
    + '</details></section>'
}).join('')

export function errorsMarkdown(): string {
  const sections = byCode().map((name) => {
    const { status, code, msg, hint } = ERRORS[name]
    const { happened, fix } = ERROR_NOTES[name]
    return [
      `## ${name}`, '', `HTTP ${status}, code ${code}. ${msg}`, '',
      `**What happened.** ${happened}`, '', `**How to fix it.** ${fix}`, '',
      `**Hint in the answer.** ${hint}`, '',
      '```json', JSON.stringify(errorBody(name), null, 2), '```', '',
    ].join('\n')
  })
  return `# Errors

<!-- Written by \`npm run docs\` from src/errors.ts: do not edit. -->

An error answer is the envelope with a \`code\` other than 0. Its \`data\` names the \`error\`,
gives a \`hint\` on what to do next, and repeats the \`request_id\` of the header X-Request-Id.
Over MCP the same data stands in \`structuredContent.error\` of a result with \`isError\`. A code
never changes its meaning. A node serves the same text at \`/docs#error-<name>\`.

| HTTP | code | error | |
|---|---|---|---|
${byCode().map((name) => `| ${ERRORS[name].status} | ${ERRORS[name].code} `
    + `| [${name}](#${name}) | ${ERRORS[name].msg} |`).join('\n')}

${sections.join('\n')}`
}
