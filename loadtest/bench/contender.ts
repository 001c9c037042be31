/** What is measured: things that answer requests, and how they are held against each other. */
import type { Subject } from './cores.ts'

/** One timed run. */
export interface Run {
  /** Answers a second. */
  readonly rate: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Share of one core that the answering process used; undefined where nobody looked. */
  readonly busy?: number
  /** Commands that all Redis servers ran meanwhile, for each answer. */
  readonly commands?: number
}

export interface Contender {
  readonly name: string
  /** The process that answers. */
  readonly pid: number
  /** Looks at answers before any is timed; throws where one is not what it should be. */
  check?(): Promise<void>
  /** What a run needs and what is not timed. */
  prepare?(seconds: number, round: number): Promise<void>
  /** Throws a BenchFailure where an answer was an error: such a run has no number. */
  run(seconds: number): Promise<Run>
}

export interface Comparison {
  readonly label: string
  readonly of: string
  readonly against: string
  readonly measure: 'rate' | 'p99Ms'
  /** At least this ratio of rates, at most this one of latencies; without it, for information. */
  readonly target?: number
  /** Why a ratio that misses its target says nothing on this machine. */
  readonly caveat?: string
}

export interface Group {
  readonly name: string
  readonly title: string
  /** Whose speed is asked for: with few cores it has one to itself. */
  readonly subject: Subject
  readonly contenders: readonly Contender[]
  readonly comparisons: readonly Comparison[]
  close?(): Promise<void>
}

/** A run that went wrong and has no number; the words stand in the table. */
export class BenchFailure extends Error {}
