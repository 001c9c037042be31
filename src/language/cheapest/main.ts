/**
 * `npm run cheapest -- --url http://127.0.0.1:PORT --key KEY`: asks smart search for the cheapest
 * of thirty kinds in varied words, and holds what the first item costs (coupon and freight counted)
 * against the lowest of the shelf and of each mall, whose own lists are read to their ends. Mall A
 * has no list of its own in the API: it is asked alone, for the goods by name.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

const DEADLINE_MS = 20_000
const ATTEMPTS = 8
const LONGEST_PAUSE_S = 30
const PAGES_MAX = 20
const PAGE_SIZE = { shelf: 50, mall: 30 } as const

/** What is asked, and the name that titles of such goods have. */
const ASKED = [
  ['最便宜的电热水壶', '电热水壶'], ['cheapest power bank', '充电宝'], ['真无线蓝牙耳机越便宜越好', '真无线蓝牙耳机'],
  ['哪款无线鼠标价格最低', '无线鼠标'], ['吹风机 最便宜', '吹风机'], ['求一个最便宜的空气炸锅', '空气炸锅'],
  ['the cheapest yoga mat you have', '瑜伽垫'], ['枕头要最便宜的', '枕头'], ['垃圾袋价格最低的', '垃圾袋'],
  ['行车记录仪，哪个最便宜买哪个', '行车记录仪'], ['lowest priced folding umbrella', '折叠雨伞'],
  ['最低价的数据线', '数据线'], ['洗衣液 越便宜越好', '洗衣液'], ['哪種保鮮盒最便宜', '保鲜盒'],
  ['cheapest cat litter please', '猫砂'], ['最便宜的狗粮', '狗粮'], ['帮我找最便宜的保温杯', '保温杯'],
  ['加湿器价格越低越好', '加湿器'], ['which air purifier is the cheapest', '空气净化器'],
  ['篮球来个最便宜的', '篮球'], ['最便宜的跑步鞋', '跑步鞋'], ['衣架，最便宜那种', '衣架'],
  ['最便宜的机械键盘有哪些', '机械键盘'], ['cheapest wall clock', '挂钟'],
  ['抽纸按最低价来', '抽纸'], ['最便宜的速溶咖啡', '速溶咖啡'], ['大米最便宜多少钱', '大米'],
  ['找最便宜的拼图', '拼图'], ['cheapest baby wipes', '婴儿湿巾'], ['跳绳 最便宜的', '跳绳'],
] as const

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

async function call<T>(path: string, body: object): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(new URL(`/v1/cps${path}`, options.url), {
      method: 'POST', body: JSON.stringify(body), signal: AbortSignal.timeout(DEADLINE_MS),
      headers: { authorization: `Bearer ${options.key}`, 'content-type': 'application/json' },
    })
    const answer = await response.json() as { msg: string, data: T }
    if (response.ok) return answer.data
    const isBusy = response.status === 429 || response.status >= 500
    if (!isBusy || attempt === ATTEMPTS) {
      throw new Error(`${path} answered ${response.status}: ${answer.msg}`)
    }
    const seconds = Number(response.headers.get('retry-after') ?? 1)
    await pause(Math.min(seconds || 1, LONGEST_PAUSE_S) * 1000)
  }
}

/** An answer without one of the malls says nothing of the cheapest. */
async function ask(body: object): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await call<Answer>('/smart-search', body)
    if (!answer.partial || attempt === ATTEMPTS) return answer
    await pause(1000)
  }
}

/** All pages; 20 of them hold more than a mall has of a kind. */
async function all<T>(path: string, q: string, pageSize: number): Promise<T[]> {
  const found: T[] = []
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const { items, total } = await call<List<T>>(path,
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
  const alone = await ask({ query: name, mode: 'cheapest', sources: ['mall_a'], page_size: 30 })
  const malls = [alone.items]
  for (const mall of ['b', 'c']) {
    malls.push(await all<MallItem>(`/mall-${mall}/goods`, name, PAGE_SIZE.mall))
  }
  const { items: [first] } = await ask({ query: say })
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
for (const [say, name] of ASKED) {
  const row = await rowOf(say, name)
  rows.push(row)
  print(`| ${[say, ...[row.first, ...row.others].map(yuan), isCheapest(row) ? 'cheapest' : 'no']
    .join(' | ')} |`)
}
print(`\nThe first was the cheapest for ${rows.filter(isCheapest).length} of ${rows.length}.`)
