/** What k6 writes while it runs, line by line, gathered by second and by name of the call. */
import { Histogram } from './histogram.ts'

export interface Second {
  readonly latency: Histogram
  failed: number
}

export interface Series {
  readonly name: string
  /** By seconds since the first sample; without those in which nothing was. */
  readonly seconds: ReadonlyMap<number, Second>
}

const DURATION = 'http_req_duration,'
const COLUMNS = ['timestamp', 'metric_value', 'expected_response', 'name'] as const
type Column = (typeof COLUMNS)[number]
/** Calls to the runner itself. */
const CONTROL = 'control'

export class Samples {
  private readonly byName = new Map<string, Map<number, Second>>()
  private columns: Readonly<Record<Column, number>> | undefined
  /** Of the first sample, since the epoch; undefined before it. */
  firstSecond: number | undefined

  add(line: string): void {
    if (!this.columns) {
      this.columns = columnsOf(line)
      return
    }
    if (!line.startsWith(DURATION)) return
    // Names have no commas; see the scripts' options.
    const fields = line.split(',')
    const field = (column: Column): string => fields[this.columns?.[column] ?? -1] ?? ''
    const name = field('name')
    if (name === CONTROL) return
    const at = Number(field('timestamp'))
    this.firstSecond ??= at
    const second = this.secondOf(name, at - this.firstSecond)
    second.latency.add(Number(field('metric_value')))
    if (field('expected_response') === 'false') second.failed += 1
  }

  all(): Series[] {
    return [...this.byName].map(([name, seconds]) => ({ name, seconds }))
      .toSorted((a, b) => a.name.localeCompare(b.name))
  }

  private secondOf(name: string, at: number): Second {
    let seconds = this.byName.get(name)
    if (!seconds) this.byName.set(name, seconds = new Map())
    let second = seconds.get(at)
    if (!second) seconds.set(at, second = { latency: new Histogram(), failed: 0 })
    return second
  }
}

function columnsOf(header: string): Record<Column, number> {
  const names = header.split(',')
  return Object.fromEntries(COLUMNS.map((name) => {
    if (!names.includes(name)) throw new Error(`k6 wrote no column ${name}.`)
    return [name, names.indexOf(name)]
  })) as Record<Column, number>
}

/** All of several series as one. */
export function together(all: readonly Series[], name = 'all calls'): Series {
  const seconds = new Map<number, Second>()
  for (const series of all) {
    for (const [at, { latency, failed }] of series.seconds) {
      const sum = seconds.get(at) ?? { latency: new Histogram(), failed: 0 }
      sum.latency.merge(latency)
      sum.failed += failed
      seconds.set(at, sum)
    }
  }
  return { name, seconds }
}

export interface Bin {
  /** Seconds since the beginning, and how many of them. */
  readonly at: number
  readonly rate: number
  readonly failed: number
  /** Null where nothing was. */
  readonly latency: Latency | null
}

/** Milliseconds. */
export interface Latency {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

const latencyOf = (histogram: Histogram): Latency | null => (histogram.count === 0 ? null : {
  p50: histogram.quantile(0.5), p95: histogram.quantile(0.95), p99: histogram.quantile(0.99),
  max: histogram.max,
})

/** A series as the report shows it. */
export interface Calls {
  readonly name: string
  readonly count: number
  readonly failed: number
  readonly latency: Latency | null
  readonly bins: readonly Bin[]
}

export function callsOf(series: Series, bins: number): Calls {
  const latency = new Histogram()
  let failed = 0
  for (const second of series.seconds.values()) {
    latency.merge(second.latency)
    failed += second.failed
  }
  return {
    name: series.name, count: latency.count, failed, latency: latencyOf(latency),
    bins: binsOf(series, bins),
  }
}

/** At most `count` bins of whole seconds, so that any length fits a picture. */
function binsOf({ seconds }: Series, count: number): Bin[] {
  const last = Math.max(0, ...seconds.keys())
  const width = Math.max(1, Math.ceil((last + 1) / count))
  return Array.from({ length: Math.ceil((last + 1) / width) }, (_, index) => {
    const latency = new Histogram()
    let failed = 0
    for (let at = index * width; at < (index + 1) * width; at += 1) {
      const second = seconds.get(at)
      if (!second) continue
      latency.merge(second.latency)
      failed += second.failed
    }
    return {
      at: index * width, rate: latency.count / width, failed, latency: latencyOf(latency),
    }
  })
}
