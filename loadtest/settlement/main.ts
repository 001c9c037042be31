/**
 * `npm run settlement -- [--accounts 1000] [--each 1000] [--kill]`: how long `agentmall settle`
 * takes for all of them, its memory, and that the books are right; with --kill it is killed again
 * and again until it is through.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { monotonicMs } from '../../src/contract/time.ts'
import { auditAccount } from '../../src/earnings/audit.ts'
import { readBalances } from '../../src/earnings/books.ts'
import { monthBounds } from '../../src/earnings/month.ts'
import { createLogger } from '../../src/log.ts'
import { openRedis, untilReady, type RedisClient } from '../../src/redis/connect.ts'
import { startLedger } from '../../src/testing/ledger.ts'
import { writeCommissions } from './write-commissions.ts'

const CLI = fileURLToPath(new URL('../../src/cli.mjs', import.meta.url))
const MONTH = '2026-10'
const SECRET = 'a-secret-of-a-ledger-that-is-only-measured'
const KILL_MS = 4000
const LOOK_MS = 100
const say = (facts: object): void => { process.stdout.write(`${JSON.stringify(facts)}\n`) }
const seconds = (since: number): number => Math.round((monotonicMs() - since) / 100) / 10

interface Run { readonly seconds: number, readonly rssMb: number, readonly last: string }

/** The command as the operator runs it. */
async function settle(url: string, killMs?: number): Promise<Run> {
  const began = monotonicMs()
  const child = spawn(process.execPath, [CLI, 'settle', '--month', MONTH], {
    env: { REDIS_URL: url, SECRET, LOG_LEVEL: 'warn' }, stdio: ['ignore', 'pipe', 'inherit'],
  })
  let last = ''
  child.stdout.on('data', (text: Buffer) => {
    last = text.toString().trim().split('\n').at(-1) ?? ''
  })
  let peak = 0
  const look = setInterval(() => { peak = Math.max(peak, rssOf(child.pid)) }, LOOK_MS)
  const killing = killMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killMs)
  const [code] = await once(child, 'exit') as [number | null]
  clearInterval(look)
  clearTimeout(killing)
  if (code !== 0 && killMs === undefined) throw new Error('The settlement failed.')
  return { seconds: seconds(began), rssMb: peak, last: code === 0 ? last : 'killed' }
}

/** Megabytes; 0 where the system does not say. */
function rssOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const [, kilobytes = 0] = /^VmRSS:\s+(\d+)/m.exec(status) ?? []
    return Math.round(Number(kilobytes) / 1024)
  } catch {
    return 0
  }
}

async function balancesOf(ledger: RedisClient, accounts: readonly string[]) {
  const sums = { confirmed: 0, withdrawable: 0, violations: 0 }
  for (const account of accounts) {
    const { confirmed, withdrawable } = await readBalances({ ledger, mode: 'sandbox' }, account)
    sums.confirmed += confirmed
    sums.withdrawable += withdrawable
  }
  for (const account of accounts) {
    const { violations } = await auditAccount({ ledger, mode: 'sandbox' }, account)
    sums.violations += violations.length
  }
  return sums
}

const { values } = parseArgs({ options: {
  accounts: { type: 'string', default: '1000' }, each: { type: 'string', default: '1000' },
  kill: { type: 'boolean', default: false },
} })
const accounts = Array.from({ length: Number(values.accounts) }, (_, index) => `ac_${index}`)
const own = await startLedger({ settings: 'appendfsync no' })
const ledger = openRedis(own.url, createLogger('silent'), 'bulk')
try {
  await untilReady(ledger, 'ledger')
  const began = monotonicMs()
  const fen = await writeCommissions(
    ledger, accounts, Number(values.each), (monthBounds(MONTH)?.end ?? 0) - 1)
  await ledger.config('SET', 'appendfsync', 'always')
  const used = /used_memory_human:(\S+)/.exec(await ledger.info('memory'))?.[1]
  say({ accounts: accounts.length, each: Number(values.each), fen, filledIn: seconds(began), used })
  for (let isOver = false, turn = 1; !isOver; turn += 1) {
    // Later each time, so that it gets through on any machine.
    const run = await settle(own.url, values.kill ? KILL_MS * turn : undefined)
    isOver = run.last !== 'killed'
    say({ ...run, ...isOver || accounts.length > 100 ? {} : await balancesOf(ledger, accounts) })
  }
  say({ ...await balancesOf(ledger, accounts), fen })
  say({ again: await settle(own.url) })
} finally {
  ledger.disconnect()
  await own.stop()
}
