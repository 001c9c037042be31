/** What can happen to an account's earnings, as data: fast-check makes histories of it. */
import fc from 'fast-check'

export type Step =
  /**
   * The order takes on another state, as far as its kind can; nothing is posted by that. The clock
   * that says when it was paid may be ahead of the account's: on a cluster it is another master's.
   */
  | { readonly kind: 'order', readonly order: number, readonly to: State, readonly fen: number,
      readonly aheadMs?: number }
  /** An order of ours is where it was before: a failover lost its payment, or what followed. */
  | { readonly kind: 'lost', readonly order: number, readonly to: 'none' | 'pending' }
  /**
   * Its event reaches the consumer: at once, late, again, or never before the end. What the
   * consumer read of the order may be old by the time at which it acts.
   */
  | { readonly kind: 'deliver', readonly order: number, readonly readLag?: number }
  | { readonly kind: 'terms', readonly owner: Owner, readonly bps: number }
  | { readonly kind: 'merge' }
  | { readonly kind: 'settle', readonly month: number }
  /** `all` is what is withdrawable at that moment. */
  | { readonly kind: 'withdraw', readonly owner: Owner, readonly fen: number | 'all',
      readonly key: number }
  | { readonly kind: 'export' }
  | { readonly kind: 'mark', readonly key: number, readonly outcome: 'paid' | 'failed' }

export type State = 'pending' | 'confirmed' | 'reversed'
export type Owner = 'account' | 'trial'

/** A step with its fate: cut off before or after its n-th write, or together with the next. */
export interface Planned {
  readonly step: Step
  readonly crash?: { readonly call: number, readonly isBefore: boolean } | undefined
  /** Round trips that pass before each of its writes: others get in between. */
  readonly writeLag: number
  readonly times: number
  /** Since the step before: none is a tie. */
  readonly pauseMs: number
  readonly isTogether: boolean
}

export const ORDERS = 6
/** Of the orders: platforms' lines, and those of the trial. */
export const LINES = [2, 5]
const TRIALS = [1, 3, 5]
const MONTHS = 3
export const KEYS = 3

const order = fc.nat({ max: ORDERS - 1 })
const owner = fc.constantFrom<Owner>('account', 'trial')
/** 5 % of these is around what a withdrawal must be at least. */
const fen = fc.oneof(fc.nat({ max: 100_000 }), fc.constantFrom(0, 1, 19, 20, 20_000, 39_999))
const key = fc.nat({ max: KEYS - 1 })

const moved = fc.record({
  kind: fc.constant('order' as const), order, fen,
  to: fc.constantFrom<State>('pending', 'confirmed', 'confirmed', 'confirmed', 'reversed'),
  aheadMs: fc.constantFrom(0, 0, 0, -3, 3, 500),
})
const lag = fc.constantFrom(0, 0, 0, 2, 5, 10)
const delivered = fc.record({ kind: fc.constant('deliver' as const), order, readLag: lag })

const lost = fc.record({
  kind: fc.constant('lost' as const), order,
  to: fc.constantFrom('none' as const, 'pending' as const),
})

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: lost },
  { weight: 8, arbitrary: moved },
  { weight: 8, arbitrary: delivered },
  { weight: 1, arbitrary: fc.record({
    kind: fc.constant('terms' as const), owner, bps: fc.constantFrom(0, 500, 700, 10_000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const) }) },
  { weight: 4, arbitrary: fc.record({
    kind: fc.constant('settle' as const), month: fc.nat({ max: MONTHS - 1 }) }) },
  { weight: 4, arbitrary: fc.record({
    kind: fc.constant('withdraw' as const), owner, key,
    fen: fc.oneof(fc.integer({ min: 1000, max: 6000 }),
      fc.constantFrom<number | 'all'>(999, 1000, 'all')) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('export' as const) }) },
  { weight: 3, arbitrary: fc.record({
    kind: fc.constant('mark' as const), key,
    outcome: fc.constantFrom('paid' as const, 'failed' as const) }) },
)

const fate = {
  crash: fc.option(fc.record({ call: fc.nat({ max: 4 }), isBefore: fc.boolean() }),
    { nil: undefined, freq: 2 }),
  writeLag: lag,
  times: fc.constantFrom(1, 1, 1, 2),
  pauseMs: fc.constantFrom(0, 0, 1, 1000),
  isTogether: fc.constantFrom(false, false, true),
}
const planned: fc.Arbitrary<Planned> = fc.record({ step, ...fate })
const fated = (one: Step): fc.Arbitrary<Planned> => fc.record({ step: fc.constant(one), ...fate })

/** The way to a payout, or a part of it: left to random steps it hardly ever comes about. */
const payday: fc.Arbitrary<Planned[]> = fc.record({
  key, length: fc.integer({ min: 2, max: 4 }),
  fen: fc.constantFrom(1000, 1500, 'all' as const, 'all' as const),
  outcome: fc.constantFrom('paid' as const, 'paid' as const, 'failed' as const),
}).chain(({ key, length, fen, outcome }) => fc.tuple(...([
  { kind: 'settle', month: MONTHS - 1 },
  { kind: 'withdraw', owner: 'account', fen, key },
  { kind: 'export' },
  { kind: 'mark', key, outcome },
] satisfies Step[]).slice(0, length).map(fated)))

/** An order that is earned, and whose event the consumer has handled. */
const life = (order: number): fc.Arbitrary<Planned[]> => fen.chain((fen) => fc.tuple(
  fated({ kind: 'order', order, to: 'confirmed', fen }), fated({ kind: 'deliver', order })))

const exactly = (step: Step, more: Partial<Planned> = {}): Planned =>
  ({ step, writeLag: 0, times: 1, pauseMs: 0, isTogether: false, ...more })

/** A request for money that is cut off when it has set it aside, and a lot of it is taken back. */
const clawback: fc.Arbitrary<Planned[]> = fc.tuple(order, key).map(([order, key]) => [
  exactly({ kind: 'settle', month: MONTHS - 1 }),
  exactly({ kind: 'withdraw', owner: 'account', fen: 'all', key },
    { crash: { call: 1, isBefore: false } }),
  exactly({ kind: 'order', order, to: 'reversed', fen: 0 }),
  exactly({ kind: 'deliver', order }),
  exactly({ kind: 'export' }),
])

/** The same, and then it fails: it gives back what it never took. */
const abandoned: fc.Arbitrary<Planned[]> = key.map((key) => [
  exactly({ kind: 'settle', month: MONTHS - 1 }),
  exactly({ kind: 'withdraw', owner: 'account', fen: 'all', key },
    { crash: { call: 1, isBefore: false } }),
  exactly({ kind: 'mark', key, outcome: 'failed' }),
])

/** A request for money is cut off while a consumer is about to take a lot of it back. */
const met: fc.Arbitrary<Planned[]> = fc.tuple(order, key).map(([order, key]) => [
  exactly({ kind: 'settle', month: MONTHS - 1 }),
  exactly({ kind: 'order', order, to: 'reversed', fen: 0 }),
  exactly({ kind: 'deliver', order }, { writeLag: 20, isTogether: true }),
  exactly({ kind: 'withdraw', owner: 'account', fen: 'all', key },
    { crash: { call: 1, isBefore: false } }),
  exactly({ kind: 'export' }),
])

/** A platform's line that changes while one consumer still acts on what it was before. */
const overtaken: fc.Arbitrary<Planned[]> = fc.record({
  order: fc.constantFrom(...LINES), fen, to: fc.constantFrom<State>('confirmed', 'reversed'),
}).map(({ order, fen, to }) => [
  exactly({ kind: 'order', order, to: 'pending', fen }),
  exactly({ kind: 'deliver', order, readLag: 20 }, { isTogether: true }),
  exactly({ kind: 'order', order, to, fen: fen + 20 }, { isTogether: true }),
  exactly({ kind: 'deliver', order }),
])

/** A trial is merged while a consumer is about to post one of its orders. */
const bound: fc.Arbitrary<Planned[]> = fc.record({ order: fc.constantFrom(...TRIALS), fen })
  .map(({ order, fen }) => [
    exactly({ kind: 'order', order, to: 'pending', fen }),
    exactly({ kind: 'deliver', order }, { writeLag: 40, isTogether: true }),
    exactly({ kind: 'merge' }),
  ])

/** The terms change in the moment of a payment, or before its clock's, its event handled or not. */
const repriced: fc.Arbitrary<Planned[]> = fc.record({
  order, fen, aheadMs: fc.constantFrom(0, 0, 3), pauseMs: fc.constantFrom(0, 1),
  bps: fc.constantFrom(0, 700), isTogether: fc.boolean(), readLag: lag,
}).map(({ order, fen, aheadMs, pauseMs, bps, isTogether, readLag }) => [
  exactly({ kind: 'order', order, to: 'confirmed', fen, aheadMs }),
  exactly({ kind: 'deliver', order, readLag }, { isTogether }),
  exactly({ kind: 'terms', owner: TRIALS.includes(order) ? 'trial' : 'account', bps }, { pauseMs }),
  exactly({ kind: 'deliver', order }),
])

/** A commission is settled and asked for, and then its order was never paid, or is paid anew. */
const unpaid: fc.Arbitrary<Planned[]> = fc.record({
  order: fc.constantFrom(0, 1, 3, 4), key, fen, again: fc.boolean(),
}).map(({ order, key, fen, again }) => [
  exactly({ kind: 'settle', month: MONTHS - 1 }),
  exactly({ kind: 'withdraw', owner: 'account', fen: 'all', key }),
  exactly({ kind: 'lost', order, to: 'none' }),
  exactly({ kind: 'deliver', order }),
  ...again ? [exactly({ kind: 'order', order, to: 'confirmed', fen }),
    exactly({ kind: 'deliver', order })] : [],
])

/** Courses of events that random steps hardly ever bring about. */
const course: fc.Arbitrary<Planned[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Planned[]>([]) }, { weight: 4, arbitrary: payday },
  { weight: 1, arbitrary: clawback }, { weight: 1, arbitrary: abandoned },
  { weight: 1, arbitrary: met }, { weight: 1, arbitrary: overtaken },
  { weight: 1, arbitrary: bound },
  { weight: 2, arbitrary: unpaid }, { weight: 1, arbitrary: repriced })

const some = (maxLength: number): fc.Arbitrary<Planned[]> =>
  fc.array(planned, { maxLength, size: 'max' })

export const history: fc.Arbitrary<Planned[]> = fc.tuple(
  fc.subarray([0, 1, 2, 3, 4, 5]).chain((orders) => fc.tuple(...orders.map(life))),
  some(5), course, some(8), course, some(8),
).map(([lives, ...rest]) => [...lives.flat(), ...rest.flat()])
