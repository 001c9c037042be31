/** From the sale price over the mall's promotions to what anybody pays, and what some pay. */
import { Type, type Static } from 'typebox'
import type { Breakdown, Condition } from '../contract.ts'
import { breakdown, fenOfText } from '../price.ts'
import { DAY_MS, parseChinaTime } from '../time.ts'
import { Code, fits, maybe } from '../wire.ts'

/** Yuan, or per cent: documented as text, at times a number. */
export const Decimal = maybe(Code)
/** A day, a time of China, or milliseconds. */
export const Moment = maybe(Code)

export const Presale = Type.Object({
  presale_deposit: Decimal, presale_start_time: Moment, presale_end_time: Moment,
})

/** One step from the sale price to the estimated price. */
const Step = Type.Object({
  promotion_title: maybe(Type.String()),
  promotion_desc: maybe(Type.String()),
  promotion_fee: Decimal,
  promotion_start_time: Moment,
  promotion_end_time: Moment,
})

export type Presale = Static<typeof Presale>
export type Step = Static<typeof Step>

export const isStep = fits(Step)

type Wire = string | number | null | undefined

export const fenOf = (yuan: Wire): number | null => fenOfText(yuan == null ? null : String(yuan))

const DAY = /^\d{4}-\d\d-\d\d$/

/** A day without a time lasts until its end. */
export function momentOf(value: Wire, edge: 'start' | 'end'): number | null {
  const text = String(value ?? '').trim()
  if (/^[1-9]\d{11,13}$/.test(text)) return Number(text)
  if (!DAY.test(text)) return parseChinaTime(text)
  const start = parseChinaTime(`${text} 00:00:00`)
  return start !== null && edge === 'end' ? start + DAY_MS : start
}

export const during = (start: Wire, end: Wire, now: number): boolean =>
  (momentOf(start, 'start') ?? 0) <= now && (momentOf(end, 'end') ?? Infinity) > now

export interface CouponText {
  readonly threshold: number
  /** Null where the text states a rate, or nothing. */
  readonly amount: number | null
  /** How many pieces a buyer has to take. */
  readonly pieces: number
}

const NUMBER = '(\\d{1,9}(?:\\.\\d{1,4})?)'
/** Not a part of a longer number, and not a number of pieces. */
const OVER =
  new RegExp(`满\\s*${NUMBER}(?![\\d.]|\\s*件)\\s*元?(?:[^\\d]*?减\\s*${NUMBER})?`)
const OFF = new RegExp(`(?:减|降|省)\\s*${NUMBER}|${NUMBER}\\s*元?\\s*(?:无门槛|无条件)`)
const PIECES = /(\d{1,4})\s*件/

/** "满99元减30元", "每满300减40", "立减20元", "30元无门槛券", "满99元打9折", "2件8折". */
export function readCoupon(text: string | null | undefined): CouponText {
  const line = (text ?? '').normalize('NFKC').slice(0, 200)
  const over = OVER.exec(line)
  const off = over ? over[2] : OFF.exec(line)?.slice(1).find((part) => part !== undefined)
  return {
    threshold: fenOfText(over?.[1]) ?? 0,
    amount: fenOfText(off),
    pieces: Number(PIECES.exec(line)?.[1] ?? 1),
  }
}

const CONDITIONS: readonly (readonly [RegExp, Condition])[] = [
  [/会员|VIP/i, 'member'], [/首单|首购|新人|新客/, 'first_order'], [/拼团|参团|成团/, 'group'],
  [/定金|预售/, 'deposit'], [/国家补贴|政府补贴|国补|以旧换新/, 'region'],
]

interface Reduction {
  readonly amount: number | null
  readonly threshold: number
  readonly condition: Condition | null
  /** Open at this time, and to one who buys a single piece. */
  readonly reached: boolean
}

function reductionOf(step: Step, list: number, now: number): Reduction {
  const { threshold, amount, pieces } = readCoupon(step.promotion_desc)
  const words = `${step.promotion_title ?? ''} ${step.promotion_desc ?? ''}`
  return {
    amount: fenOf(step.promotion_fee) ?? amount,
    threshold,
    condition: CONDITIONS.find(([pattern]) => pattern.test(words))?.[1] ?? null,
    reached: threshold <= list && pieces <= 1 && !words.includes('直播')
      && during(step.promotion_start_time, step.promotion_end_time, now),
  }
}

export interface PriceFacts {
  /** The sale price. */
  readonly list: number
  /** The price that the mall estimates; null where it does not, or where few can have it. */
  readonly estimate: number | null
  readonly steps: readonly Step[]
  readonly freight: number | null
}

export interface Prices {
  readonly price: Breakdown
  readonly special: Breakdown | null
}

/** The estimate counts as far as its steps are open to all; no price goes below it. */
export function pricesOf({ list, estimate, steps, freight }: PriceFacts, now: number): Prices {
  const floor = estimate !== null && estimate > 0 && estimate <= list ? estimate : null
  if (steps.length === 0) {
    return { price: breakdown({ list: floor ?? list, freight }), special: null }
  }
  const all = steps.map((step) => reductionOf(step, list, now))
  const reached = all.filter((one) => one.reached)
  const open = reached.filter(({ condition }) => condition === null)
  const reduced = (some: readonly Reduction[]): Breakdown => {
    const whole = some.length === all.length && floor !== null
    const sum = some.reduce((total, one) => total + (one.amount ?? 0), 0)
    const most = list - (floor ?? 0)
    return breakdown({
      list, freight,
      coupon: {
        amount: whole ? most : Math.min(sum, most),
        threshold: Math.max(0, ...some.map(({ threshold }) => threshold)),
      },
      conditions: [...new Set(some.flatMap(({ condition }) => condition ?? []))],
    })
  }
  const price = reduced(open)
  const special = open.length < reached.length ? reduced(reached) : null
  return { price, special: special && special.payable < price.payable ? special : null }
}

/** While deposits are taken, the price is for those who leave one. */
export const inPresale = (presale: Presale | null | undefined, now: number): boolean =>
  (fenOf(presale?.presale_deposit) ?? 0) > 0
    && during(presale?.presale_start_time, presale?.presale_end_time, now)
