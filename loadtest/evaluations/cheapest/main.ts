/**
 * `npm run cheapest -- --url http://127.0.0.1:PORT --key KEY`: asks smart search for the cheapest
 * of thirty kinds in varied words, and holds what the first item costs (coupon and freight counted)
 * against the lowest of the shelf and of each mall, whose own lists are read to their ends. Mall A
 * has no list of its own in the API: it is asked alone, for the goods by name.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createCall } from '../call.ts'
import { readJsonl } from '../jsonl.ts'

const ATTEMPTS = 8
const PAGES_MAX = 20
const PAGE_SIZE = { shelf: 50, mall: 30 } as const

/** A question, and the name that titles of such goods have. */
interface Question { readonly say: string, readonly name: string }
const QUESTIONS = readJsonl<Question>('cheapest/questions.jsonl')

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    key: { type: 'string', default: '' },
  },
})

interface Price { readonly payable: number }
interface MallItem { readonly title: string, readonly price: Price }
interface ShelfItem {
  readonly title: string
  readonly final_price: number
  readonly freight: number
  readonly free_ship_threshold: number
}
interface List<T> { readonly items: readonly T[], readonly total?: number | null }
interface Answer extends List<MallItem> { readonly partial: boolean }
interface Row { readonly say: string, readonly first: number, readonly others: readonly number[] }

const call = createCall({ ...options, attempts: ATTEMPTS, repeatsFailures: true })

/** An answer without one of the malls says nothing of the cheapest. */
async function search(body: object): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await call<Answer>('/cps/smart-search', body)
    if (!answer.partial || attempt === ATTEMPTS) return answer
    await pause(1000)
  }
}

/** All pages; 20 of them hold more than a mall has of a kind. */
async function all<T>(path: string, q: string, pageSize: number): Promise<T[]> {
  const found: T[] = []
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const { items, total } = await call<List<T>>(`/cps${path}`,
      { q, sort: 'price_asc', page, page_size: pageSize })
    found.push(...items)
    if (items.length === 0 || (total ?? Infinity) <= page * pageSize) break
  }
  return found
}

/** Titles begin with a brand, with a model of some goods, and then the name. */
const isNamed = (name: string) => ({ title }: { readonly title: string }): boolean => {
  const [, second = '', third = ''] = title.split(' ')
  return second === name || (third === name && /^[A-Z]+-?[A-Z0-9]+$/.test(second))
}

const lowest = (prices: readonly number[]): number => Math.min(...prices)

async function rowOf(say: string, name: string): Promise<Row> {
  const shelf = await all<ShelfItem>('/local/goods', name, PAGE_SIZE.shelf)
  const alone = await search({ query: name, mode: 'cheapest', sources: ['mall_a'], page_size: 30 })
  const malls = [alone.items]
  for (const mall of ['b', 'c']) {
    malls.push(await all<MallItem>(`/mall-${mall}/goods`, name, PAGE_SIZE.mall))
  }
  const { items: [first] } = await search({ query: say })
  return {
    say, first: first && isNamed(name)(first) ? first.price.payable : NaN,
    others: [
      lowest(shelf.filter(isNamed(name)).map((one) => one.final_price
        + (one.final_price >= one.free_ship_threshold ? 0 : one.freight))),
      ...malls.map((items) =>
        lowest(items.filter(isNamed(name)).map(({ price }) => price.payable))),
    ],
  }
}

const isCheapest = ({ first, others }: Row): boolean => first <= lowest(others)
const yuan = (fen: number): string => Number.isFinite(fen) ? (fen / 100).toFixed(2) : '–'
const print = (text: string): void => { process.stdout.write(`${text}\n`) }

print('| asked | first | shelf | mall A | mall B | mall C | |\n|---|---|---|---|---|---|---|')
const rows: Row[] = []
for (const { say, name } of QUESTIONS) {
  const row = await rowOf(say, name)
  rows.push(row)
  print(`| ${[say, ...[row.first, ...row.others].map(yuan), isCheapest(row) ? 'cheapest' : 'no']
    .join(' | ')} |`)
}
print(`\nThe first was the cheapest for ${rows.filter(isCheapest).length} of ${rows.length}.`)
