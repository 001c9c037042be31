/** Every text is used, and every word that the API may say to the page has one. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { ORDER_STATUSES, SOURCE_NAMES } from '../../../../adapters/names.ts'
import { EVENT_NAMES } from '../../../events/catalogue.ts'
import { ATTEMPT_PROPERTIES, WEBHOOK_PROPERTIES } from '../../../operations/webhook-fields.ts'
import { AFTERSALE_STATUSES, EVENTS, STATUSES } from '../../../orders/states.ts'
import { listAgents } from '../../operations/agents.ts'
import { listWithdrawals } from '../../operations/earnings.ts'
import { operations } from '../../../operations/index.ts'
import { problemsOf } from '../../../validate.ts'
import { consoleOperations } from '../../operations/index.ts'
import { wordsFor } from '../problems.ts'
import { en } from './en.ts'
import { enTerms, zhTerms, zhTools } from './terms.ts'
import { enWebhooks, zhWebhooks } from './webhook-texts.ts'
import { zh } from './zh.ts'

const SRC = fileURLToPath(new URL('../../..', import.meta.url))
/** Of the files in these folders of src/, without tests and texts. */
const sourceOf = (...folders: string[]): string => folders.flatMap((folder) =>
  readdirSync(`${SRC}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts') && !name.includes('i18n'))
    .map((name) => readFileSync(`${SRC}${folder}/${name}`, 'utf8'))).join('\n')
const page = sourceOf('console/page')
const books = sourceOf('earnings', 'accounts')

const outbound = readFileSync(`${SRC}outbound.ts`, 'utf8')

const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, word = '']) => word)
const enumOf = (schema: object) => (schema as { enum: readonly string[] }).enum
const WITHDRAWAL = listWithdrawals.output.properties.withdrawals.items.properties
const KEY = listAgents.output.properties.agents.items.properties.keys.items.properties

/** What may come from the API, by group; groups that are not here are the page's own. */
const API_WORDS: Readonly<Record<string, readonly string[]>> = {
  aftersale: AFTERSALE_STATUSES,
  // Entries that move money: what describeEntry tells an owner of.
  entry: [...found(books, /id: `[^`]*:([a-z]+)`,\s+legs/g), 'merged'],
  error: ['offline', 'sign_in_required', 'csrf_refused', 'invalid_request', 'rate_limited',
    'internal', 'unavailable', ...consoleOperations.flatMap(({ fails }) => fails)],
  family: [...new Set(EVENT_NAMES.map((name) => name.split('.')[0] ?? ''))],
  key_state: enumOf(KEY.state),
  mall: ORDER_STATUSES,
  outcome: enumOf(ATTEMPT_PROPERTIES.outcome),
  order: [...STATUSES, ...EVENTS],
  payee: found(books, /kind: '(payment_app|bank_card)'/g),
  source: ['own', ...SOURCE_NAMES.filter((source) => source !== 'shelf')],
  why: found(books, /'withdrawal_refused', \{\s+why: '([a-z_]+)'/g),
  webhook_reason: enumOf(WEBHOOK_PROPERTIES.reason),
  webhook_state: enumOf(WEBHOOK_PROPERTIES.state),
  withdrawal: enumOf(WITHDRAWAL.status),
}

const ENGLISH: Readonly<Record<string, string>> = { ...en, ...enWebhooks, ...enTerms }
const CHINESE: Readonly<Record<string, string>> = { ...zh, ...zhWebhooks, ...zhTerms }
const named = Object.entries(API_WORDS).flatMap(([group, words]) =>
  words.map((word) => `${group}.${word}`))

const quoted = new Set(found(page, /'([a-z_]+(?:\.[a-z_]+)*)'/g))
const pageWords = new Set(page.match(/[a-z_]+/g))
/** `page.${name}` and its like: what is in the hole is a word of the page, too. */
const templates = found(page, /`([a-z_]+(?:\.[a-z_]+)*\.\$\{[\w.]+\}(?:\.[a-z_]+)*)`/g)
  .map((template) => new RegExp(`^${template.replaceAll('.', '\\.')
    .replaceAll(/\$\{[^}]+\}/g, '([a-z_]+)')}$`))

const isUsed = (name: string): boolean => named.includes(name) || quoted.has(name)
  || templates.some((template) => pageWords.has(template.exec(name)?.[1] ?? ''))

test('what the API may say was found in its sources', () => {
  for (const [group, words] of Object.entries(API_WORDS)) {
    expect([group, words.length]).toEqual([group, expect.toSatisfy((count) => count > 1)])
  }
  expect(templates.length).toBeGreaterThan(5)
})

test('every text of both languages is used', () => {
  expect(isUsed('page.of_nothing')).toBe(false)
  for (const texts of [ENGLISH, CHINESE]) {
    expect(Object.keys(texts).filter((name) => !isUsed(name))).toEqual([])
  }
})

test('every word that the API may say to the page has a text in both languages', () => {
  expect(named.filter((name) => !ENGLISH[name] || !CHINESE[name])).toEqual([])
})

test('every tool has a Chinese title, and nothing else has', () => {
  const tools = operations.filter(({ tool }) => tool !== false).map(({ name }) => name)
  expect(Object.keys(zhTools).toSorted()).toEqual(tools.toSorted())
})

/** What somebody may type into a form that a check of the schema refuses. */
const MISTYPED = [undefined, '', 'x'.repeat(2000), 'a\u0007b', '?', -1, 1e15]

/** Only programs get these wrong. */
const FOR_PROGRAMS =
  /^(must be an? \w+|must (be|have exactly) one of .*|must be from nothing .*|is not valid)$/

test('what is said of a field is said in words of the page', () => {
  const written = [
    ...found(books, /problem: ['`](.+?)['`]/g), ...found(books, /wrong\('\w+', ['`](.+?)['`]\)/g),
    ...found(outbound, /(?:return|:) '(must [^']+)'/g),
    ...found(outbound, /return [`'](no (?:answer|connection)[^`']+)/g),
    ...found(sourceOf('accounts'), /'(must (?:have|not) [^']+)'/g),
    ...found(sourceOf('accounts'), /WEAK = '([^']+)'/g),
    ...found(sourceOf('console/operations'), /problem: '([^']+)'/g),
  ].map((sentence) => sentence.replaceAll(/\$\{[^}]+\}/g, '7'))
  expect(written.length).toBeGreaterThan(8)
  const checked = consoleOperations.filter(({ route }) => !route.startsWith('GET '))
    .flatMap(({ input }) => Object.entries(input.properties as Record<string, TSchema>)
      .flatMap(([name, schema]) => MISTYPED.flatMap((value) => problemsOf(
        { type: 'object', properties: { [name]: schema }, required: [name] } as never,
        value === undefined ? {} : { [name]: value }))))
    .map(({ problem }) => problem)
  expect(checked.length).toBeGreaterThan(8)
  const unsaid = [...new Set([...written, ...checked])]
    .filter((sentence) => !FOR_PROGRAMS.test(sentence)
      && wordsFor(sentence).name === 'problem.other')
  expect(unsaid).toEqual([])
})
