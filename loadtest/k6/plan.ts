/** What the runner planned for this run: one JSON file, made anew for each, and choices from it. */
export const plan = JSON.parse(open(__ENV['PLAN'] as string)) as Plan

export function mixEntry(operation: string): MixEntry {
  const entry = plan.mix[operation]
  if (!entry) throw new Error(`The mix has no operation ${operation}.`)
  return entry
}

/** What stands in the plan only for runs that need it. */
export function planned<T>(value: T | null, what: string): T {
  if (value === null) throw new Error(`The plan has no ${what}.`)
  return value
}

/** One operation of the table, as a load is made of it. */
export interface MixEntry {
  readonly operation: string
  /** `GET /goods/:sku_id`; the rest of `input` goes into the query or the body. */
  readonly route: string
  readonly isTool: boolean
  /** The table's example, pointed at goods that exist. */
  readonly input: Readonly<Record<string, unknown>>
  /** Names of the errors below 500 that the operation may answer by its declaration. */
  readonly refusals: readonly string[]
  /** What its 99th percentile may be, in milliseconds. */
  readonly p99Ms: number
}

export interface PlannedItem {
  readonly sku_id: number
  readonly product_id: number
  readonly merchant_id: number
  readonly available_qty: number
}

export interface Plan {
  readonly profile: string
  /** Without a slash at the end; calls go to them in turn. */
  readonly baseUrls: readonly string[]
  /** Iterations a second: what one is, the profile says. */
  readonly rate: number
  readonly seconds: number
  /** Virtual users at most: what a slow answer holds up. */
  readonly vus: number
  /** Factor on limits of latency; those of the mix have it already. */
  readonly slack: number
  /** Keys the load is made with, and those of other agents beside it. */
  readonly keys: readonly string[]
  readonly otherKeys: readonly string[]
  /** What the tier of `keys` may do: calls a second, and as many at once. */
  readonly tier: { readonly rate_per_s: number, readonly burst: number }
  readonly mix: Readonly<Record<string, MixEntry>>
  readonly mcp: {
    readonly handshakeVersion: string
    readonly modernVersion: string
    /** What each request of the later revision carries. */
    readonly modernMeta: Readonly<Record<string, unknown>>
  }
  /** Goods in stock, the fullest shelves first. */
  readonly items: readonly PlannedItem[]
  /** One with few units: what a flash sale sells. */
  readonly scarce: PlannedItem | null
  readonly words: readonly string[]
  /** Units of the daily quota that `keys` have left; null where only the service knows. */
  readonly quotaLeft: number | null
  /** Address of the runner that disturbs the nodes on demand; null where none can. */
  readonly control: string | null
  readonly summaryFile: string
}

/** A statistic of one metric held against the same of another. */
export interface Relation {
  readonly what: string
  readonly metric: string
  readonly against: string
  readonly stat: 'p(99)' | 'p(95)' | 'med'
  readonly atMost: number
}

/** What a script leaves behind for the runner. */
export interface ScriptSummary {
  readonly metrics: Readonly<Record<string, {
    readonly type: 'trend' | 'counter' | 'rate' | 'gauge'
    readonly values: Readonly<Record<string, number>>
    readonly thresholds?: Readonly<Record<string, { readonly ok: boolean }>>
  }>>
  readonly state: { readonly testRunDurationMs: number }
  readonly relations: readonly Relation[]
}

export const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

export const pickItem = (): PlannedItem => pick(plan.items)

/** One of the choices, each as likely as its weight. */
export function pickWeighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
  let left = Math.random() * choices.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, choice] of choices) {
    left -= weight
    if (left < 0) return choice
  }
  return choices[0]?.[1] as T
}
