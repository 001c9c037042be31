/**
 * `npm run unseen -- --url http://127.0.0.1:PORT --key KEY`: sends sentences and searches that were
 * written without sight of the rules to a running node, and prints how many answers meet the
 * demands, by class. Each round of sets was scored before anything was mended by it, and is no
 * measure of the unseen afterwards; `--round` takes an earlier one, `--set` one of both, `--file`
 * another file of lines, and `--failed` prints each wrong answer with its reason and titles.
 * Who wrote them knew kinds and values, not which exist together: behind the figure stands how
 * many more are right where a line demands no more goods than the catalogue has.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { createCall } from '../call.ts'
import { readJsonl } from '../jsonl.ts'
import { problemOf, type Answer, type Item, type Line } from './check.ts'
import { isMetAsSupplied } from './supply.ts'

const SETS = ['sentences', 'searches'] as const
type SetName = (typeof SETS)[number]
const PAGE_SIZE = 8
const ATTEMPTS = 6

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    key: { type: 'string' },
    set: { type: 'string' },
    round: { type: 'string', default: '9' },
    file: { type: 'string' },
    failed: { type: 'boolean', default: false },
  },
})

interface FoundItem {
  readonly item_id?: string
  readonly sku_id?: number
  readonly title: string
  readonly final_price?: number
  readonly retail_price?: number
  readonly reasons?: readonly string[]
}
type Found = Readonly<Record<string, unknown>> & { readonly items: readonly FoundItem[] }
interface Details { readonly specs: Item['specs'], readonly agent_desc: string }
interface Result {
  readonly line: Line
  readonly problem?: string
  /** Whether it is right but for goods that do not exist. */
  readonly isShort?: boolean
  readonly titles: readonly string[]
}

const print = (text: string): void => { process.stdout.write(`${text}\n`) }

const call = createCall({ url: options.url, key: options.key, attempts: ATTEMPTS })

const find = (set: SetName, say: string): Promise<Found> => set === 'sentences'
  ? call('/cps/smart-search', { query: say, page_size: PAGE_SIZE })
  : call(`/goods?${new URLSearchParams({ q: say, page_size: String(PAGE_SIZE) })}`)

/** Items of the shelf in full; of a mall's item only the title is known. */
const details = new Map<string, Promise<Details>>()

async function itemOf(found: FoundItem): Promise<Item> {
  const id = found.item_id ?? `shelf:${found.sku_id}`
  const full = id.startsWith('shelf:') ? await detailsOf(id) : undefined
  return {
    title: found.title, price: found.final_price ?? found.retail_price ?? 0,
    reasons: found.reasons ?? [], specs: full?.specs ?? [], description: full?.agent_desc ?? '',
  }
}

function detailsOf(id: string): Promise<Details> {
  const known = details.get(id)
  if (known) return known
  const read = call<Details>(`/cps/local/goods/${id}`)
  details.set(id, read)
  return read
}

const NOT_SPOKEN = new Set(
  ['items', 'near_misses', 'understood', 'ranking_policy', 'sources', 'clarify'])

/** Every sentence of an answer: questions stand in clarify, notes wherever else there are texts. */
async function answerOf(found: Found): Promise<Answer> {
  const items: Item[] = []
  for (const item of found.items) items.push(await itemOf(item))
  const notes = Object.entries(found).filter(([name]) => !NOT_SPOKEN.has(name))
    .flatMap(([, value]) => textsIn(value))
  return { items, notes, questions: textsIn(found.clarify), relaxed: textsIn(found.relaxed) }
}

const textsIn = (value: unknown): string[] => typeof value === 'string' ? [value]
  : typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []

async function resultOf(set: SetName, line: Line): Promise<Result> {
  try {
    const answer = await answerOf(await find(set, line.say))
    const problem = problemOf(line.expect, answer) ?? silenceProblem(set, line, answer)
    const supply = set === 'searches' ? 'own' : 'any'
    const isShort = problem !== undefined && isMetAsSupplied(line.expect, answer, supply)
    return {
      line, isShort, ...problem !== undefined && { problem },
      titles: answer.items.map(({ title, price }) => `${(price / 100).toFixed(2)} ${title}`),
    }
  } catch (error) {
    return { line, problem: error instanceof Error ? error.message : String(error), titles: [] }
  }
}

/** A sentence for which nothing came must be answered in words; a search may be empty. */
const silenceProblem = (set: SetName, { expect }: Line, answer: Answer): string | undefined =>
  set === 'sentences' && expect.none
    && ![...answer.items, ...answer.notes, ...answer.questions].length
    ? 'nothing came, and nothing was said' : undefined

function table(set: string, results: readonly Result[]): string {
  const row = (name: string, part: readonly Result[]): string => {
    const right = part.filter(({ problem }) => problem === undefined).length
    const short = part.filter(({ isShort }) => isShort).length
    return `${name.padEnd(18)}${String(right).padStart(4)} / ${part.length}`
      + (short ? `   and ${short} as far as goods exist` : '')
  }
  const classes = [...new Set(results.map(({ line }) => line.class))]
  return [
    set, ...classes.map((name) => row(name, results.filter(({ line }) => line.class === name))),
    row('all', results), '',
  ].join('\n')
}

async function measure(set: SetName, file: string | URL): Promise<void> {
  const results: Result[] = []
  for (const line of readJsonl<Line>(file)) {
    const result = await resultOf(set, line)
    results.push(result)
    if (!options.failed || result.problem === undefined) continue
    print([`${line.class}: ${line.say}`,
      `  ${result.problem}${result.isShort ? ' (no more exist)' : ''}`,
      ...result.titles.map((title) => `    ${title}`)].join('\n'))
  }
  print(table(options.file ?? set, results))
}

const chosen = SETS.filter((set) => options.set === undefined || options.set === set)
if (!chosen.length) throw new Error(`--set is one of ${SETS.join(', ')}.`)
for (const set of options.file ? chosen.slice(0, 1) : chosen) {
  await measure(set, options.file ? pathToFileURL(resolve(options.file))
    : `unseen/${options.round}/${set}.jsonl`)
}
