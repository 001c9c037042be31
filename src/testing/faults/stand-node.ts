/** A node of the service as a process: started, killed, stopped and started again on its port. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { withDeadline } from '../../contract/time.ts'
import type { RedisUrls } from '../../redis/roles.ts'
import { NODE_OPTIONS, type NodeOrders, type NodeReport } from '../../start/supervisor.ts'
import { WHOLE_MS_MAX } from './fault.ts'
import { keptPort } from './ports.ts'

export interface StandNode {
  readonly name: string
  readonly port: number
  start(): Promise<void>
  /** kill -9. */
  kill(): Promise<void>
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  /** Shifts its clock by so many seconds; only where it was started with one that can be. */
  shiftClock(seconds: number): void
}

export interface StandNodePlan {
  readonly name: string
  readonly urls: RedisUrls
  readonly secret: string
  readonly environment: Readonly<Record<string, string>>
  /** Takes what it prints. */
  readonly outputPath: string
  /** With a library that shifts its clock. */
  readonly clock?: { readonly library: string, readonly file: string } | undefined
}

const CLI = fileURLToPath(new URL('../../cli.mjs', import.meta.url))

export async function createStandNode(plan: StandNodePlan): Promise<StandNode> {
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
          ...process.env, PORT: String(port), HOST: '127.0.0.1',
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
    shiftClock(seconds) {
      if (clock) writeFileSync(clock.file, `${seconds < 0 ? '' : '+'}${seconds}\n`)
    },
  }
}
