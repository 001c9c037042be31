/** A node of the service as a process: started, killed, stopped and started again on its port. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheDir } from '../../src/config.ts'
import { withDeadline } from '../../src/contract/time.ts'
import { freePort } from '../../src/dev/redis/server.ts'
import type { RedisUrls } from '../../src/redis/roles.ts'
import { NODE_OPTIONS, type NodeOrders, type NodeReport } from '../../src/start/supervisor.ts'
import { WHOLE_MS_MAX } from './fault.ts'

export interface TestbedNode {
  readonly name: string
  readonly port: number
  start(): Promise<void>
  /** kill -9. */
  kill(): Promise<void>
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  /** The most memory that its present process ever had; 0 where the system does not say. */
  peakMb(): number
  /** Shifts its clock by so many seconds; only where it was started with one that can be. */
  shiftClock(seconds: number): void
}

interface TestbedNodePlan {
  readonly name: string
  readonly urls: RedisUrls
  readonly secret: string
  readonly environment: Readonly<Record<string, string>>
  /** Takes what it prints. */
  readonly outputPath: string
  /** With a library that shifts its clock. */
  readonly clock?: { readonly library: string, readonly file: string } | undefined
}

const CLI = fileURLToPath(new URL('../../src/cli.mjs', import.meta.url))

export async function createTestbedNode(plan: TestbedNodePlan): Promise<TestbedNode> {
  const { name, urls, secret, environment, outputPath, clock } = plan
  const port = await keptPort()
  const output = openSync(outputPath, 'a', 0o600)
  let child: ChildProcess | undefined
  if (clock) writeFileSync(clock.file, '+0\n')

  return {
    name,
    port,
    async start() {
      const started = fork(CLI, ['node'], {
        execArgv: [...NODE_OPTIONS], stdio: ['ignore', output, output, 'ipc'],
        env: {
          XDG_CACHE_HOME: dirname(cacheDir()), PORT: String(port), HOST: '127.0.0.1',
          PUBLIC_URL: `http://127.0.0.1:${port}`, ...environment,
          ...(clock && {
            LD_PRELOAD: clock.library, FAKETIME_TIMESTAMP_FILE: clock.file,
            FAKETIME_DONT_FAKE_MONOTONIC: '1', FAKETIME_CACHE_DURATION: '1',
          }),
        },
      })
      child = started
      const orders: NodeOrders = { urls, secret, malls: {} }
      started.send(orders)
      const ended = once(started, 'exit').then(() => { throw new Error(`${name} ended`) })
      ended.catch(() => undefined)
      const [report] = await withDeadline(
        Promise.race([once(started, 'message'), ended]) as Promise<[NodeReport]>, WHOLE_MS_MAX,
        () => new Error(`${name} is not ready`))
      if ('failed' in report) throw new Error(`${name}: ${report.failed}`)
    },
    async kill() {
      const running = child
      child = undefined
      if (!running || running.exitCode !== null || running.signalCode !== null) return
      const ended = once(running, 'exit')
      running.kill('SIGKILL')
      await ended
    },
    signal(signal) {
      child?.kill(signal)
    },
    peakMb: () => peakMbOf(child?.pid),
    shiftClock(seconds) {
      if (clock) writeFileSync(clock.file, `${seconds < 0 ? '' : '+'}${seconds}\n`)
    },
  }
}

function peakMbOf(pid: number | undefined): number {
  const path = `/proc/${pid}/status`
  if (pid === undefined || !existsSync(path)) return 0
  return Math.round(Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(path, 'utf8'))?.[1] ?? 0) / 1024)
}

const given = new Set<number>()

export async function keptPort(): Promise<number> {
  for (;;) {
    const port = await freePort()
    if (given.has(port)) continue
    given.add(port)
    return port
  }
}
