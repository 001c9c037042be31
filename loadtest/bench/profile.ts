/**
 * `--profile`: one contender under load, and the functions that took most of the time of the node.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WorkersSetting } from '../../src/config.ts'
import { monotonicMs } from '../../src/contract/time.ts'
import { type GroupName, GROUPS } from './cases.ts'
import { BenchFailure } from './rounds.ts'
import { openBenchTestbed, type BenchTestbed } from './testbed.ts'

interface Frame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber?: number
  readonly columnNumber?: number
}

interface CpuProfile {
  readonly nodes: readonly { readonly id: number, readonly callFrame: Frame }[]
  readonly samples: readonly number[]
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[]
}

interface Spent {
  readonly name: string
  /** Of the time that was not idle. */
  readonly share: number
}

const readProfile = (path: string): CpuProfile =>
  JSON.parse(readFileSync(path, 'utf8')) as CpuProfile

/** Counts only the end of the profile: a node's start is no part of its work. */
export function selfTimes(profile: CpuProfile, lastSeconds: number): Spent[] {
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const spent = new Map<string, number>()
  let [left, total] = [lastSeconds * 1e6, 0]
  for (let at = profile.samples.length - 1; at >= 0 && left > 0; at -= 1) {
    const us = profile.timeDeltas[at] ?? 0
    left -= us
    const name = names.get(profile.samples[at] as number) ?? '(unknown)'
    if (name === '(idle)') continue
    spent.set(name, (spent.get(name) ?? 0) + us)
    total += us
  }
  return [...spent].map(([name, us]) => ({ name, share: us / total }))
    .toSorted((a, b) => b.share - a.share)
}

/** The same by file or package. */
function byFile(spent: readonly Spent[]): Spent[] {
  const files = new Map<string, number>()
  for (const { name, share } of spent) {
    const file = name.slice(name.indexOf(' ') + 1)
    files.set(file, (files.get(file) ?? 0) + share)
  }
  return [...files].map(([name, share]) => ({ name, share })).toSorted((a, b) => b.share - a.share)
}

/** `search src/goods/goods.ts`; code from packages by the package's name. */
function nameOf(frame: Frame): string {
  const name = frame.functionName || '(anonymous)'
  const url = sourceOf(frame)
  const file = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
    ?? /\/((?:src|loadtest)\/[^?]+)/.exec(url)?.[1] ?? url
  return file ? `${name} ${file}` : name
}

const maps = new Map<string, SourceMap | undefined>()

/** Of compiled code the source, by the map beside it. */
function sourceOf({ url, lineNumber = 0, columnNumber = 0 }: Frame): string {
  if (!url.startsWith('file:')) return url
  if (!maps.has(url)) maps.set(url, readMap(`${fileURLToPath(url)}.map`))
  const found = maps.get(url)?.findEntry(lineNumber, columnNumber)
  return found && 'originalSource' in found ? new URL(found.originalSource, url).href : url
}

const readMap = (path: string): SourceMap | undefined =>
  existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined

const profileText = (spent: readonly Spent[], count: number): string =>
  spent.slice(0, count).map(({ name, share }) =>
    `${(share * 100).toFixed(1).padStart(5)} %  ${name}`).join('\n')

const FUNCTIONS = 25
const FILES = 15

interface ProfileOptions {
  readonly seconds: number
  readonly connections: number
  readonly items: number
  readonly data: string
  readonly only: readonly GroupName[]
  readonly logLevel: string
  readonly pin: boolean
  readonly workers: WorkersSetting
}

export async function profileCase(name: string, options: ProfileOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'agentmall-profile-'))
  try {
    const testbed = await openBenchTestbed({
      ...options, dataDir: options.data, isPinned: options.pin,
      nodeArgs: ['--cpu-prof', `--cpu-prof-dir=${folder}`],
    })
    try {
      const { rate, since } = await load(testbed, name, options)
      await testbed.node.stop()
      const [file = ''] = readdirSync(folder)
      const spent = selfTimes(readProfile(join(folder, file)), (monotonicMs() - since) / 1000)
      process.stdout.write(`${name}: ${Math.round(rate)}/s while profiled\n`
        + `${profileText(spent, FUNCTIONS)}\nby file\n${profileText(byFile(spent), FILES)}\n`)
    } finally {
      await testbed.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function load(testbed: BenchTestbed, name: string, { seconds, only }: ProfileOptions) {
  const seen: string[] = []
  for (const groupName of only) {
    const group = await GROUPS[groupName](testbed)
    try {
      const contender = group.contenders.find((one) => one.name === name)
      seen.push(...group.contenders.filter(({ pid }) => pid === testbed.node.pid)
        .map((one) => one.name))
      if (!contender) continue
      testbed.assignCores(group.subject)
      await contender.check?.()
      await contender.prepare?.(1, 0)
      await contender.run(1)
      await contender.prepare?.(seconds, 1)
      const since = monotonicMs()
      return { since, rate: (await contender.run(seconds)).rate }
    } finally {
      await group.close?.()
    }
  }
  throw new BenchFailure(`--profile takes one of: ${seen.join(', ')}.`)
}
