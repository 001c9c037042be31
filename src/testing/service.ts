/** `agentmall start` as people have it: a process with data of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { freePort } from '../dev/redis/server.ts'
import { inTime } from './eventually.ts'

const CLI = fileURLToPath(new URL('../cli.mjs', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ITEMS = 240

export interface Run {
  readonly child: ChildProcess
  /** All that it wrote so far. */
  out(): string
  err(): string
  /** Waits until it wrote that, to either. */
  says(pattern: RegExp): Promise<void>
  /** Its exit code. */
  ended(): Promise<number | null>
  /** As Ctrl-C does, to it and its nodes. */
  interrupt(): void
}

export interface Installation {
  readonly dataDir: string
  readonly url: string
  /** `start` without arguments. */
  run(settings?: Readonly<Record<string, string>>, ...args: string[]): Run
  /** `npm start`: the child is npm. */
  npmStart(): Run
  /** Ends what runs, and removes the data. */
  remove(): Promise<void>
}

export async function install(): Promise<Installation> {
  const dataDir = await mkdtemp(join(tmpdir(), 'agentmall-service-'))
  const port = await freePort()
  const runs: Run[] = []
  const defaults = {
    PORT: String(port), HOST: '127.0.0.1', PUBLIC_URL: '', DATA_DIR: dataDir, NODES: '1',
    CATALOG_ITEMS: String(ITEMS), REDIS_URL: '', SHELF_URL: '', LEDGER_URL: '', COUNTERS_URL: '',
    SECRET: '', LOG_LEVEL: 'info',
  }
  const launch = (program: string, args: string[], settings: object = {}): Run => {
    const run = follow(spawn(program, args, {
      // A group of its own, as a shell gives it.
      detached: true, stdio: ['ignore', 'pipe', 'pipe'], cwd: ROOT,
      env: { ...process.env, ...defaults, ...settings },
    }))
    runs.push(run)
    return run
  }
  return {
    dataDir,
    url: `http://127.0.0.1:${port}`,
    run: (settings, ...args) =>
      launch(process.execPath, [CLI, ...(args.length > 0 ? args : ['start'])], settings),
    npmStart: () => launch('npm', ['start']),
    async remove() {
      for (const run of runs.filter(({ child }) => isRunning(child))) {
        run.interrupt()
        await run.ended()
      }
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null

function follow(child: ChildProcess): Run {
  let [out, err] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text: string) => { out += text })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => { err += text })
  const closed = once(child, 'close')
  return {
    child,
    out: () => out,
    err: () => err,
    async says(pattern) {
      await expect.poll(() => pattern.test(out + err) || !isRunning(child)).toBe(true)
      expect(out + err).toMatch(pattern)
    },
    async ended() {
      await inTime('the end of the process', closed)
      return child.exitCode
    },
    interrupt() {
      if (isRunning(child)) process.kill(-(child.pid ?? 0), 'SIGINT')
    },
  }
}
