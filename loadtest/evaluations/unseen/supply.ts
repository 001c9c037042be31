/** What the sandbox catalogue has of the goods that a line demands. */
import { readConfig } from '../../../src/config.ts'
import { catalogueLine } from '../../../src/goods/generate.ts'
import { generatedProduct } from '../../../src/goods/generated-product.ts'
import {
  type Answer, type Expectation, FIRST, type Item, itemProblem, problemOf,
} from './check.ts'

/** Searches look at goods of our own, sentences at those of malls as well. */
export type Supply = 'own' | 'any'

/**
 * Whether an answer has first what exists of the goods that a line demands, where there are fewer
 * than it demands; where none exists, whether it says what it gave up. False where there are
 * enough.
 */
export function isMetAsSupplied(
  expect: Expectation, answer: Answer, supply: Supply,
): boolean {
  const { kinds, first = FIRST, none, goods, has, price } = expect
  if (!kinds || none || goods || !(has || price)) return false
  const exist = countOf(expect, first, supply)
  if (exist >= first) return false
  if (exist > 0) return problemOf({ ...expect, first: exist }, answer) === undefined
  return answer.relaxed.length > 0 && problemOf({ kinds, first }, answer) === undefined
}

function countOf(expect: Expectation, enough: number, from: Supply): number {
  let count = 0
  for (const kind of expect.kinds ?? []) {
    for (const item of itemsOf(kind, from)) {
      if (itemProblem(expect, item) === undefined) count += 1
      if (count === enough) return count
    }
  }
  return count
}

const { catalogItems, catalogSeed } = readConfig({})
let indexes: Map<string, number[]> | undefined

function* itemsOf(kind: string, from: Supply): Generator<Item> {
  indexes ??= indexesByKind()
  for (const index of indexes.get(kind) ?? []) {
    const { title, retail_price, specs, agent_desc, stock, supply } =
      catalogueLine(catalogSeed, index)
    if (stock === 0 || (from === 'own' && supply !== 'own')) continue
    yield { title, price: retail_price, specs, description: agent_desc, reasons: [] }
  }
}

function indexesByKind(): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (let index = 0; index < catalogItems; index += 1) {
    const { kind } = generatedProduct(catalogSeed, index).kind
    found.set(kind, [...found.get(kind) ?? [], index])
  }
  return found
}
