/** `--profile`: one contender under load, and the functions that took the node's time. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monotonicMs } from '../../src/contract/time.ts'
import { GROUPS, type GroupName } from './cases/index.ts'
import { BenchFailure } from './contender.ts'
import { byFile, profileText, readProfile, selfTimes } from './profile.ts'
import { openStand, type Stand } from './stand.ts'

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
}

export async function profileCase(name: string, options: ProfileOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'agentmall-profile-'))
  try {
    const stand = await openStand({
      ...options, dataDir: options.data, isPinned: options.pin,
      nodeArgs: ['--cpu-prof', `--cpu-prof-dir=${folder}`],
    })
    try {
      const { rate, since } = await load(stand, name, options)
      await stand.node.stop()
      const [file = ''] = readdirSync(folder)
      const spent = selfTimes(readProfile(join(folder, file)), (monotonicMs() - since) / 1000)
      process.stdout.write(`${name}: ${Math.round(rate)}/s while profiled\n`
        + `${profileText(spent, FUNCTIONS)}\nby file\n${profileText(byFile(spent), FILES)}\n`)
    } finally {
      await stand.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function load(stand: Stand, name: string, { seconds, only }: ProfileOptions) {
  const seen: string[] = []
  for (const groupName of only) {
    const group = await GROUPS[groupName](stand)
    try {
      const contender = group.contenders.find((one) => one.name === name)
      seen.push(...group.contenders.filter(({ pid }) => pid === stand.node.pid)
        .map((one) => one.name))
      if (!contender) continue
      stand.place(group.subject)
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
