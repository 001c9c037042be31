/**
 * What is stored of a catalogue line to find it on the shelf, and to sell it from the ledger. Text
 * becomes tokens here: Redis's own tokenizer is not asked, so that every token is letters and
 * digits only, one word to the index and nothing but a word to the query language.
 */
import { skuIdOf } from '../contract/ids.ts'
import { atomsOf, runsOf } from '../language/atoms.ts'
import { fold } from '../language/fold.ts'
import { kindOf, kindToken, namesOf, NO_KIND, priceBuckets } from './index-terms.ts'
import type { CatalogueLine } from './line.ts'

/** The fields of the index; what is sent is stored apart, so that the index need not carry it. */
type ShelfDocument = Record<'title' | 'text' | 'supply' | 'category' | 'bucket' | 'group'
  | 'price' | 'weight', string | number>

export function shelfDocument(line: CatalogueLine): ShelfDocument {
  const { title, text } = lineTokens(line)
  const price = finalPrice(line)
  return {
    title: title.join(' '),
    text: text.join(' '),
    supply: line.supply,
    category: line.category_id,
    bucket: priceBuckets(price).join(','),
    price,
    weight: weightOf(line),
    // Always written: a field that an update leaves out would keep its value.
    group: line.group_id ?? '',
  }
}

/** Raised when the tokens below change: the shelf is then made anew from the ledger. */
export const TOKENS_VERSION = 4

/** What a line is found by; what its title has is not repeated as text. */
function lineTokens(line: CatalogueLine): { title: string[], text: string[] } {
  const kind = kindOf(line)
  const title = [
    kindToken(kind ?? NO_KIND),
    // Where the kind is known, single characters need not stand for it.
    ...indexTokens([line.title, line.brand], { ends: kind === undefined }),
  ]
  const colours = line.specs.filter(({ name }) => COLOUR_NAME.test(name))
    .flatMap(({ value }) => fold(value).match(COLOURS) ?? [])
  const inTitle = new Set(title)
  const text = indexTokens([proseOf(line, kind), ...line.specs.map((spec) => spec.value)],
    { ends: false })
  return { title, text: [...new Set([...text, ...colours])].filter((one) => !inTitle.has(one)) }
}

/** 黑色 finds 曜石黑 by its 黑. */
const COLOUR_NAME = /色|外观|花型|盘面/
const COLOURS = /[黑白灰红粉橙黄绿青蓝紫棕金银]/g

/** 、，。； and a new line. */
const isPhraseEnd = (code: number): boolean =>
  code === 0x3001 || code === 0xff0c || code === 0x3002 || code === 0xff1b || code === 0x0a

/**
 * The description without the labels of its facts, which nobody searches for and all have, and
 * without other names of the kind, which its token stands for.
 */
export function proseOf(
  { agent_desc, specs }: {
    readonly agent_desc: string, readonly specs: readonly { readonly name: string }[],
  }, kind: string | undefined,
): string {
  const prose = withoutLabels(agent_desc, specs)
  return kind === undefined ? prose : withoutPhrases(prose, namesOf(kind))
}

/** A phrase goes together with the character that ends it, or the whole text. */
function withoutPhrases(text: string, phrases: readonly string[]): string {
  let [kept, start, from] = ['', 0, 0]
  for (let at = 0; at < text.length; at += 1) {
    if (!isPhraseEnd(text.charCodeAt(at)) && at + 1 < text.length) continue
    for (const phrase of phrases) {
      if (phrase.length !== at - start || !text.startsWith(phrase, start)) continue
      kept += text.slice(from, start)
      from = at + 1
      break
    }
    start = at + 1
  }
  return kept + text.slice(from)
}

const LABEL_END = '：'

function withoutLabels(text: string, labels: readonly { readonly name: string }[]): string {
  let [kept, from] = ['', 0]
  for (let at = text.indexOf(LABEL_END); at >= 0; at = text.indexOf(LABEL_END, at + 1)) {
    const label = labels.find(({ name }) =>
      at - name.length >= from && text.startsWith(name, at - name.length))
    if (!label) continue
    kept += `${text.slice(from, at - label.name.length)} `
    from = at + 1
  }
  return kept + text.slice(from)
}

/** What is paid for one: a coupon counts where its condition is met by one piece. */
export function finalPrice(
  { retail_price, coupon }: Pick<CatalogueLine, 'retail_price' | 'coupon'>,
): number {
  return coupon && retail_price >= coupon.threshold ? retail_price - coupon.amount : retail_price
}

/** From 0.5 to 1 by sales and rating: orders what is equal otherwise. */
export function weightOf(
  { sales, rating }: Pick<CatalogueLine, 'sales' | 'rating'>,
): number {
  const popularity = Math.min(Math.log10(1 + sales) / 6, 1)
  return Math.round((0.5 + 0.35 * popularity + 0.15 * rating / 5) * 1000) / 1000
}

/** What orders read; an affiliate item is never ordered here. */
export function skuFields(line: CatalogueLine): Record<string, string | number> {
  const fields = { sku_id: skuIdOf(line.product_id), supply: line.supply,
    delisted: line.delisted ? 1 : 0 }
  if (line.supply !== 'own') return fields
  return {
    ...fields,
    title: line.title,
    retail_price: line.retail_price,
    qty_cap: line.qty_cap,
    merchant_id: line.merchant_id,
    shop: line.shop,
    freight: line.freight,
    free_ship_threshold: line.free_ship_threshold,
    ship_within_hours: line.ship_within_hours,
    category_id: line.category_id,
  }
}

const DIGIT = /\p{N}/u

/**
 * The tokens under which a text is found, each once. Han text becomes pairs of neighbours, so that
 * any part of it is found. Model names are cut where letters, digits and hyphens meet, and become
 * their parts and pairs of neighbouring parts: `SY-1507B` is found by sy1507b, sy-1507b, SY 1507,
 * 1507b and 1507. Of single characters, those that end a run
 * are worth their place where the noun is not known otherwise: it ends there (红酒 is found by 酒).
 * Others are found with a neighbour.
 */
export function indexTokens(
  texts: readonly string[], { ends }: { ends: boolean },
): string[] {
  const tokens = new Set<string>()
  for (const text of texts) {
    const atoms = atomsOf(fold(text))
    /** The last part of the name before, if only a space stands between. */
    let before: string | undefined
    for (const { start, end, isHan } of runsOf(atoms)) {
      const run = atoms.slice(start, end)
      const [first] = run
      const last = run.at(-1)
      if (!first || !last) continue
      const isCounted = isHan && first.gap === '' && atoms[start - 1]?.type === 'number'
      if (isHan) {
        // 瓶 of "2瓶" is no word of its own.
        if (ends || (run.length === 1 && !isCounted)) tokens.add(last.text)
      } else {
        if (before !== undefined && first.gap === ' ' && differ(before, first.text)) {
          // "iPhone 15" is also written without the space.
          tokens.add(before + first.text)
        }
        if (first.number !== undefined) tokens.add(first.number)
        for (const { text } of run) tokens.add(text)
      }
      for (const pair of pairsOf(run.map((atom) => atom.text))) tokens.add(pair)
      before = isHan || last.type === 'measure' ? undefined : last.text
    }
  }
  return [...tokens]
}

const pairsOf = (pieces: readonly string[]): string[] =>
  pieces.slice(1).map((piece, index) => `${pieces[index]}${piece}`)

const differ = (left: string, right: string): boolean =>
  DIGIT.test(left.slice(-1)) !== DIGIT.test(right.slice(0, 1))
