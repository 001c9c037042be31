/** Where a node spends its time: the functions of a CPU profile by their own share. */
import { readFileSync } from 'node:fs'

interface Frame {
  readonly functionName: string
  readonly url: string
}

export interface CpuProfile {
  readonly nodes: readonly { readonly id: number, readonly callFrame: Frame }[]
  readonly samples: readonly number[]
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[]
}

export interface Spent {
  readonly name: string
  /** Of the time that was not idle. */
  readonly share: number
}

export const readProfile = (path: string): CpuProfile =>
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
export function byFile(spent: readonly Spent[]): Spent[] {
  const files = new Map<string, number>()
  for (const { name, share } of spent) {
    const file = name.slice(name.indexOf(' ') + 1)
    files.set(file, (files.get(file) ?? 0) + share)
  }
  return [...files].map(([name, share]) => ({ name, share })).toSorted((a, b) => b.share - a.share)
}

/** `search src/goods/goods.ts`; code from packages by the package's name. */
function nameOf({ functionName, url }: Frame): string {
  const name = functionName || '(anonymous)'
  const file = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
    ?? /\/((?:src|loadtest)\/[^?]+)/.exec(url)?.[1] ?? url
  return file ? `${name} ${file}` : name
}

export const profileText = (spent: readonly Spent[], count: number): string =>
  spent.slice(0, count).map(({ name, share }) =>
    `${(share * 100).toFixed(1).padStart(5)} %  ${name}`).join('\n')
