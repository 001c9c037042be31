/**
 * Goods as a search judges them. The shelf keeps what is judged as two lines behind the detail of
 * an item, so that no JSON is parsed and nothing folded for it; a line that sources of another
 * state have written is read from its texts.
 */
import { type Facts, factsOf, notedFacts, readFacts, saidTextOf } from '../language/facts.ts'
import { noteOf, readNote } from '../language/facts/noted.ts'
import { finalPrice, proseOf, weightOf } from './document.ts'
import { kindOf } from './index-terms.ts'
import type { CatalogueLine, Supply } from './line.ts'

export interface Candidate {
  readonly productId: number
  readonly kind: string | undefined
  readonly supply: Supply
  /** What it is a variant of. */
  readonly group: string | undefined
  readonly category: number
  /** Fen: what is paid for one. */
  readonly price: number
  readonly weight: number
  readonly facts: Facts
}

const LINE_END = '\n'
const LINE_END_BYTE = 0x0a
const BETWEEN = '\t'
/** Stands behind what is noted of its title. */
const OF_KIND = 'kind'

type Line = Pick<CatalogueLine, 'product_id' | 'title' | 'brand' | 'category_id' | 'retail_price'
  | 'group_id' | 'sales' | 'rating' | 'agent_desc' | 'specs' | 'supply' | 'coupon'>

const saidOf = ({ title, brand, specs }: Line) => ({
  title, brand, category: null, specs: specs.map(({ value }) => value).join(' '),
})

export const factsOfLine = (line: Line): Facts => factsOf(saidOf(line))

/** What is noted of it, and what it says; the second is empty where it would not be one line. */
export function candidateLines(line: CatalogueLine): string {
  const kind = kindOf(line)
  const { said, textEnd, bothEnd, statedEnd } =
    saidTextOf({ ...saidOf(line), prose: proseOf(line, kind) })
  const note = noteOf(factsOfLine(line))
  const isWhole = note !== '' && !said.includes(LINE_END)
  return [[note, kind === undefined ? '' : OF_KIND, line.supply, line.group_id ?? '',
    line.category_id, finalPrice(line), weightOf(line), textEnd, bothEnd, statedEnd].join(BETWEEN),
  isWhole ? said : ''].join(LINE_END)
}

/** By its two lines; undefined where they are not of these sources, or of another kind. */
export function notedCandidate(
  productId: number, detail: Buffer, kind: string | undefined,
): Candidate | undefined {
  const end = detail.lastIndexOf(LINE_END_BYTE)
  const start = detail.lastIndexOf(LINE_END_BYTE, end - 1)
  const note = detail.toString('utf8', start + 1, end)
  const noted = end + 1 < detail.length ? readNote(note) : undefined
  const [ofKind, supply, group, ...numbers] = note.split(BETWEEN).slice(-FIELDS)
  if (!noted || (ofKind === OF_KIND) !== (kind !== undefined)) return undefined
  const [category = 0, price = 0, weight = 0, textEnd = 0, bothEnd = 0, statedEnd = 0] =
    numbers.map(Number)
  const said = detail.toString('utf8', end + 1)
  return {
    productId, kind, supply: supply as Supply, group: group === '' ? undefined : group, category,
    price, weight, facts: notedFacts({ said, textEnd, bothEnd, statedEnd }, noted),
  }
}

/** How many stand behind the note of the title. */
const FIELDS = 9

/** By all that is stored of it, as JSON, and what is noted of its title. */
export function readCandidate(json: string, note: string, kind: string | undefined): Candidate {
  const { coupon, ...line } = JSON.parse(json) as
    Omit<Line, 'coupon'> & { coupon: Line['coupon'] | null }
  const priced = { ...line, ...(coupon && { coupon }) }
  return {
    productId: line.product_id, kind, supply: line.supply, group: line.group_id,
    category: line.category_id, price: finalPrice(priced), weight: weightOf(line),
    facts: readFacts({ ...saidOf(line), prose: proseOf(line, kind) }, note),
  }
}
