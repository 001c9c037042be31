/** A node of the demo's own, for when none is running: a small catalogue, a quick sandbox. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sleep, withDeadline } from '../../contract/time.ts'
import { readConfig, setEnvironment, type Config } from '../../config.ts'
import { freePort } from '../../dev/redis/server.ts'

interface OwnNode {
  /** As the node has it. */
  readonly config: Config
  stop(): Promise<void>
}

const CLI = fileURLToPath(new URL('../../cli.mjs', import.meta.url))
const READY_MS_MAX = 300_000
const ENDING_MS_MAX = 30_000
const ASKED_MS_MAX = 10_000
const ITEMS = 2400

/** Whether a node that is ready answers at this address. */
export const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ASKED_MS_MAX) })
    .then(({ ok }) => ok, () => false)

/**
 * `stepMs` is the pace of its sandbox. Its data stays in `dataDir`/demo for the next time. `more`
 * are variables that count before its own.
 */
export async function startOwnNode(
  { dataDir }: Pick<Config, 'dataDir'>, stepMs: number,
  more: Readonly<Record<string, string>> = {},
): Promise<OwnNode> {
  setEnvironment({
    PORT: String(await freePort()), HOST: '127.0.0.1', PUBLIC_URL: '', NODES: '1',
    DATA_DIR: join(dataDir, 'demo'), CATALOG_ITEMS: String(ITEMS), LOG_LEVEL: 'warn',
    SANDBOX: 'on', SANDBOX_STEP_MS: String(stepMs), SANDBOX_COMPLETE_MS: '600000',
    // Patient with the platforms: a machine that has just started a node is busy.
    TRIAL_KEYS_PER_DAY: '1000', FAN_OUT_MS: '5000',
    // Nothing of an external Redis: the demo keeps to itself.
    REDIS_URL: '', SHELF_URL: '', LEDGER_URL: '', COUNTERS_URL: '', SECRET: '',
    LEDGER_REPLICAS: '0', ...more,
  })
  const config = readConfig()
  const child = spawn(process.execPath, [CLI, 'start'], { stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => { complaint = `${complaint}${chunk}`.slice(-2000) })
  const ended = once(child, 'exit')
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await withDeadline(ended, ENDING_MS_MAX, () => new Error('The node does not end.'))
  }
  const early = ended.then(() => { throw new Error(`The node did not start. ${complaint.trim()}`) })
  early.catch(() => undefined)
  try {
    await withDeadline(Promise.race([early, untilReady(config.publicUrl, child)]), READY_MS_MAX,
      () => new Error(`The node is not ready after ${READY_MS_MAX / 1000} s.`))
  } catch (error) {
    await stop()
    throw error
  }
  return { config, stop }
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && !await isReady(url)) await sleep(200)
}
