/** From runs to the tables that people read. */
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import type { RedisClient } from '../../src/redis/connect.ts'
import { residentMb, type Subject } from './processes.ts'
import {
  type Comparison, type Group, median, type Outcome, type Outcomes, type Run,
} from './rounds.ts'
import type { BenchTestbed } from './testbed.ts'

interface Row {
  readonly label: string
  /** CPU time of the answering process for one answer, and the limit's: it counts most. */
  readonly cpu: string
  readonly measured: string
  readonly limit: string
  /** Ratio of the medians, and between which the rounds' own ratios lay. */
  readonly ratio: string
  readonly target: string
  readonly verdict: string
}

/** A limit whose process has time left over was not reached: its rate says too little. */
const BUSY_MIN = 0.9

export function rowsOf({ comparisons, subject }: Group, outcomes: Outcomes): Row[] {
  return comparisons.map((comparison) => rowOf(comparison, subject,
    outcomes.get(comparison.of), outcomes.get(comparison.against)))
}

/** Where both answer HTTP their CPU times can be compared as well. */
function rowOf(
  comparison: Comparison, subject: Subject, ours?: Outcome, limit?: Outcome,
): Row {
  const { label, measure, target, caveat } = comparison
  const isLatency = measure === 'p99Ms'
  const wanted = target === undefined ? '' : `${isLatency ? '≤' : '≥'} ${target}`
  const failure = ours?.failure ?? limit?.failure
  if (failure !== undefined || !ours?.runs.length || !limit?.runs.length) {
    return { label, cpu: cpuText(ours), measured: summary(ours),
      limit: summary(limit), ratio: '–', target: wanted,
      verdict: `failed: ${failure ?? 'no run'}` }
  }
  const pairs = ours.runs.map((run, at) => run[measure] / (limit.runs[at]?.[measure] ?? NaN))
    .filter((value) => !Number.isNaN(value))
  const ratio = median(ours.runs.map((run) => run[measure]))
    / median(limit.runs.map((run) => run[measure]))
  const byCpu = subject === 'server' ? cpuUs(limit) / cpuUs(ours) : NaN
  // A ledger that waits for the disk is at its limit although its core is not.
  const isReached = subject === 'all' || !(busyOf(limit) < BUSY_MIN)
  const judged = isReached || Number.isNaN(byCpu) ? ratio : Math.min(ratio, byCpu)
  const isMet = target !== undefined && (isLatency ? judged <= target : judged >= target)
  return {
    label, cpu: `${cpuText(ours)} (limit ${cpuText(limit)})`,
    measured: summary(ours), limit: summary(limit), target: wanted,
    ratio: `**${digits(ratio)}** (${digits(Math.min(...pairs))}–${digits(Math.max(...pairs))})`
      + (Number.isNaN(byCpu) ? '' : `; by CPU ${digits(byCpu)}`),
    verdict: `${target === undefined ? '' : isMet ? 'met' : caveat ?? 'missed'}${isReached ? ''
      : ` (limit had ${digits(busyOf(limit))} of a core)`}`.trim(),
  }
}

const digits = (ratio: number): string => ratio.toFixed(ratio < 3 ? 2 : 1)

function cpuText(outcome: Outcome | undefined): string {
  const us = outcome && outcome.runs.length > 0 ? cpuUs(outcome) : NaN
  return Number.isNaN(us) ? '–' : `${us.toFixed(us < 10 ? 1 : 0)} µs`
}

/** `84.1k/s, p50 0.7, p99 1.3 ms, 0.02 cmd` */
function summary(outcome: Outcome | undefined): string {
  if (!outcome || outcome.failure !== undefined || outcome.runs.length === 0) return '–'
  const commands = middle(outcome, (run) => run.commands ?? NaN)
  const p50 = middle(outcome, ({ p50Ms }) => p50Ms).toFixed(1)
  const p99 = middle(outcome, ({ p99Ms }) => p99Ms).toFixed(1)
  return `${rateText(middle(outcome, ({ rate }) => rate))}/s, p50 ${p50}, p99 ${p99} ms`
    + (Number.isNaN(commands) ? '' : `, ${commands.toFixed(2)} cmd`)
}

const middle = ({ runs }: Outcome, pick: (run: Run) => number): number => median(runs.map(pick))

const busyOf = (outcome: Outcome): number => middle(outcome, ({ busy = NaN }) => busy)

/** CPU time of the answering process for one answer. */
const cpuUs = (outcome: Outcome): number =>
  middle(outcome, ({ busy = NaN, rate }) => busy / rate * 1e6)

const rateText = (rate: number): string => rate < 1000 ? String(Math.round(rate))
  : `${(rate / 1000).toFixed(rate < 10_000 ? 2 : 1)}k`

export function tableText(title: string, rows: readonly Row[]): string {
  return [
    `**${title}**`,
    '',
    '| what | CPU an answer | measured | limit | ratio | target | |',
    '|---|---|---|---|---|---|---|',
    ...rows.map(({ label, cpu, measured, limit, ratio, target, verdict }) =>
      `| ${label} | ${cpu} | ${measured} | ${limit} | ${ratio} | ${target} | ${verdict} |`),
  ].join('\n')
}

const BEGIN = '<!-- bench: written by `npm run bench -- --write` -->'
const END = '<!-- bench end -->'

/** Puts the text between the markers, or at the end where a document has none yet. */
export function between(document: string, text: string): string {
  const block = `${BEGIN}\n${text}\n${END}`
  const [from, to] = [document.indexOf(BEGIN), document.indexOf(END)]
  if (from < 0 && to < 0) return `${document.trimEnd()}\n\n${block}\n`
  if (from < 0 || to < from) throw new Error('The markers of the bench are not in pairs.')
  return `${document.slice(0, from)}${block}${document.slice(to + END.length)}`
}

export function writeBetween(path: string, text: string): void {
  writeFileSync(path, between(readFileSync(path, 'utf8'), text))
}

const REDIS_MB_MAX = 350
const NODE_MB_MAX = 200

/** Taken before the load, when Redis holds the catalogue and nothing else. */
export async function redisMb({ redis }: BenchTestbed): Promise<number> {
  return await usedMb(redis.shelf) + await usedMb(redis.ledger)
}

async function usedMb(redis: RedisClient): Promise<number> {
  const info = await redis.info('memory') as string
  return Number(/^used_memory:(\d+)/m.exec(info)?.[1]) / 2 ** 20
}

export function memoryRows(testbed: BenchTestbed, catalogueMb: number, items: number): Row[] {
  const before = testbed.residentMbAtStart ?? NaN
  const after = residentMb(testbed.node.pid) ?? NaN
  return [
    row(`Redis, shelf and ledger, ${items} items`, catalogueMb, REDIS_MB_MAX),
    row(`node under load (${before.toFixed(0)} MB before its first request)`, after, NODE_MB_MAX),
  ]
}

const row = (label: string, mb: number, max: number): Row => ({
  label, cpu: '', measured: `${mb.toFixed(0)} MB`, limit: '', ratio: '', target: `≤ ${max} MB`,
  verdict: mb <= max ? 'met' : 'missed',
})

export async function machineFacts(shelf: RedisClient): Promise<string> {
  // A node's user may not list modules.
  const search = /^module:name=(?:search|searchlight|ft),ver=(\d+)/m
    .exec(await shelf.info('modules') as string)?.[1]
  const redis = /^redis_version:(\S+)/m.exec(await shelf.info('server') as string)?.[1]
  return [
    `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`,
    `Node ${process.versions.node}`,
    `Redis ${redis ?? 'unknown'}`,
    ...(search ? [`RediSearch ${moduleVersion(Number(search))}`] : []),
  ].join(', ')
}

/** 21005 is 2.10.5. */
export const moduleVersion = (number: number): string =>
  [Math.floor(number / 10_000), Math.floor(number / 100) % 100, number % 100].join('.')
