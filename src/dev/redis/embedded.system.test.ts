import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cacheDir } from '../../config.ts'
import { createLogger } from '../../log.ts'
import { PATIENCE_MS } from '../../testing/patience.ts'
import { attachEmbeddedRedis, startEmbeddedRedis, type EmbeddedRedis } from './embedded.ts'
import { hasEnded, identifyProcess, isAlive, type ProcessId } from './process.ts'

const log = createLogger('silent')
let dataDir: string
let running: EmbeddedRedis[]

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'agentmall-embedded-'))
  running = []
})

afterEach(async () => {
  for (const redis of running) await redis.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function start(): Promise<EmbeddedRedis> {
  const redis = await startEmbeddedRedis({ dataDir, cacheDir: cacheDir(), log })
  running.push(redis)
  return redis
}

async function call(url: string, ...words: string[]): Promise<unknown> {
  const redis = new Redis(url, {
    protocol: 2, retryStrategy: () => null, commandTimeout: PATIENCE_MS,
  })
  redis.on('error', () => {})
  try {
    return await redis.call(words[0] ?? '', ...words.slice(1))
  } finally {
    redis.disconnect()
  }
}

function processes(): ProcessId[] {
  const state = JSON.parse(readFileSync(join(dataDir, 'redis.json'), 'utf8')) as object
  return Object.values(state) as ProcessId[]
}

async function killAll(): Promise<void> {
  for (const found of processes()) {
    process.kill(found.pid, 'SIGKILL')
    expect(await hasEnded(found, PATIENCE_MS)).toBe(true)
  }
}

/** A node of its own that starts the pair, says so, and waits to be killed. */
async function startInAnotherProcess(): Promise<ProcessId> {
  const script = `
    import { startEmbeddedRedis } from ${JSON.stringify(new URL('embedded.ts', import.meta.url))}
    import { createLogger } from ${JSON.stringify(new URL('../../log.ts', import.meta.url))}
    const [dataDir, cacheDir] = ${JSON.stringify([dataDir, cacheDir()])}
    await startEmbeddedRedis({ dataDir, cacheDir, log: createLogger('silent') })
    console.log('ready')
    setInterval(() => {}, 1000)
  `
  const path = join(dataDir, 'node.mts')
  writeFileSync(path, script)
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return identifyProcess(child.pid ?? 0) ?? { pid: 0, born: '' }
}

describe('data', () => {
  test('survives a stop, in the ledger and in the searchable shelf', async () => {
    const first = await start()
    expect(first.reused).toBe(false)
    expect(first.countersUrl).toBe(first.shelfUrl)
    await call(first.ledgerUrl, 'SET', 'order', 'paid')
    await call(first.shelfUrl, 'FT.CREATE', 'goods', 'ON', 'HASH', 'SCHEMA', 'title', 'TEXT')
    await call(first.shelfUrl, 'HSET', 'item:1', 'title', 'red shoes')
    await call(first.shelfUrl, 'JSON.SET', 'agent', '$', '{"name":"a"}')
    await first.stop()

    const second = await start()
    expect(second.reused).toBe(false)
    expect(await call(second.ledgerUrl, 'GET', 'order')).toBe('paid')
    expect(await call(second.shelfUrl, 'JSON.GET', 'agent')).toBe('{"name":"a"}')
    expect(await call(second.shelfUrl, 'FT.SEARCH', 'goods', 'shoes', 'NOCONTENT'))
      .toEqual([1, 'item:1'])
  })

  test('that the ledger acknowledged survives a kill -9 of both', async () => {
    const first = await start()
    await call(first.ledgerUrl, 'SET', 'order', 'paid')
    await killAll()
    await first.stop()
    const second = await start()
    expect(await call(second.ledgerUrl, 'GET', 'order')).toBe('paid')
  })
})

describe('settings', () => {
  test('the ledger syncs every write, and a slow search fails instead of lying', async () => {
    const { ledgerUrl, shelfUrl } = await start()
    expect(await call(ledgerUrl, 'CONFIG', 'GET', 'appendfsync')).toEqual(['appendfsync', 'always'])
    expect(await call(ledgerUrl, 'CONFIG', 'GET', 'save')).toEqual(['save', ''])
    expect(await call(shelfUrl, 'CONFIG', 'GET', 'appendonly')).toEqual(['appendonly', 'no'])
    expect(await call(shelfUrl, 'FT.CONFIG', 'GET', 'TIMEOUT')).toEqual([['TIMEOUT', '500']])
    expect(await call(shelfUrl, 'FT.CONFIG', 'GET', 'ON_TIMEOUT')).toEqual([['ON_TIMEOUT', 'fail']])
  })

  test('nobody gets in without the password, and only the owner can read it', async () => {
    const { ledgerUrl, shelfUrl } = await start()
    for (const url of [ledgerUrl, shelfUrl]) {
      const { port, password } = new URL(url)
      await expect(call(`redis://127.0.0.1:${port}`, 'PING')).rejects.toThrow('NOAUTH')
      expect(password.length).toBeGreaterThan(32)
    }
    for (const file of ['redis.json', 'ledger/redis.conf', 'shelf/redis.conf']) {
      expect(statSync(join(dataDir, file)).mode & 0o777).toBe(0o600)
    }
    const names = processes().map(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
    expect(names.join(' ')).not.toContain(new URL(ledgerUrl).password)
  })
})

describe('owner', () => {
  test('a second start on the directory is refused and disturbs nothing', async () => {
    const first = await start()
    await expect(start()).rejects.toThrow(/in use by another agentmall \(process \d+\)/)
    expect(await call(first.ledgerUrl, 'PING')).toBe('PONG')
  })

  test('of several starts on a dead owner\'s directory one wins', async () => {
    writeFileSync(join(dataDir, 'lock'), JSON.stringify({ pid: process.pid, born: 'long ago' }))
    const starts = await Promise.allSettled([start(), start(), start()])
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('a killed node\'s Redis is found again and reused', async () => {
    const node = await startInAnotherProcess()
    const before = await attachEmbeddedRedis({ dataDir })
    await call(before?.ledgerUrl ?? '', 'SET', 'order', 'paid')
    process.kill(node.pid, 'SIGKILL')
    expect(await hasEnded(node, PATIENCE_MS)).toBe(true)

    const again = await start()
    expect(again.reused).toBe(true)
    expect(await call(again.ledgerUrl, 'GET', 'order')).toBe('paid')
  })

  test('when only one of the two is left, the other is started beside it', async () => {
    const first = await start()
    const { pid } = processes()[1] ?? { pid: 0 }
    process.kill(pid, 'SIGKILL')
    writeFileSync(join(dataDir, 'lock'), '')
    const second = await start()
    expect(second.reused).toBe(false)
    expect(second.ledgerUrl).toBe(first.ledgerUrl)
    expect(processes().every(isAlive)).toBe(true)
  })
})

describe('stop and attach', () => {
  test('stop leaves no process, and may be called twice', async () => {
    const redis = await start()
    const both = processes()
    expect(both.filter(isAlive)).toHaveLength(2)
    await Promise.all([redis.stop(), redis.stop()])
    expect(both.some(isAlive)).toBe(false)
  })

  test('attach uses what runs, and its stop ends nothing', async () => {
    expect(await attachEmbeddedRedis({ dataDir })).toBeNull()
    const redis = await start()
    const attached = await attachEmbeddedRedis({ dataDir })
    expect(attached).toMatchObject({ reused: true, ledgerUrl: redis.ledgerUrl })
    await attached?.stop()
    expect(await call(redis.shelfUrl, 'PING')).toBe('PONG')
    await redis.stop()
    expect(await attachEmbeddedRedis({ dataDir })).toBeNull()
  })
})
