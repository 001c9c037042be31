/** The errors, each with an address of its own: as part of the page, and as docs/errors.md. */
import { ERRORS, type ErrorName } from '../../contract/errors.ts'
import { ERROR_NOTES } from './error-notes.ts'
import { ERROR_NAMES, errorBody } from './examples.ts'
import { fenced, type Prose } from './blocks.ts'
import { heading, json, prose } from './markup.ts'
import { WORDS } from './words.ts'

const byCode = (): ErrorName[] =>
  ERROR_NAMES.toSorted((a, b) => ERRORS[a].code - ERRORS[b].code)

export function errorsHtml({ names, locale }: Prose): string {
  const words = WORDS[locale]
  const lang = locale === 'en' ? '' : ' lang="en"'
  return byCode().map((name) => {
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

/** A section for each error, under headings of `level`. */
export const errorSections = (level: number): string => byCode().map((name) => {
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
${byCode().map((name) => `| ${ERRORS[name].status} | ${ERRORS[name].code} `
    + `| [${name}](#${name}) | ${ERRORS[name].msg} |`).join('\n')}

${errorSections(2)}`
