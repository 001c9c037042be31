/** What the doctor says of a machine that is well, and of each thing that may be wrong. */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { createServer, type AddressInfo } from 'node:net'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { checkMalls, doctorCommand } from './index.ts'
import { readConfig, type Config } from '../../config.ts'
import { createLogger } from '../../log.ts'
import { freePort } from '../../dev/redis/server.ts'
import { startTestMalls } from '../../testing/malls.ts'
import { startTestNode, TEST_SECRET } from '../../testing/node.ts'
import { startS3 } from '../../testing/s3.ts'
import { checkArchive, checkDataDir, checkNode, checkPort, checkPublicUrl } from './machine.ts'
import { checkRedis } from './redis.ts'

const log = createLogger('silent')
const malls = await startTestMalls()
const node = await startTestNode()
afterAll(async () => {
  await node.stop()
  await malls.close()
})
const { shelfUrl, ledgerUrl, countersUrl } = inject('redis')
const urls = { shelf: shelfUrl, ledger: ledgerUrl, counters: countersUrl }

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'agentmall-doctor-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

const config = (given: Partial<Config> = {}): Config =>
  ({ ...readConfig({}), redis: urls, secret: TEST_SECRET, ...given })

test('a Node without a build of the HTTP server is named with those that have one', () => {
  expect(checkNode()).toMatchObject({ level: 'ok' })
  for (const version of ['20.19.0', '22.12.0', '24.1.3', '25.0.0']) {
    expect(checkNode(version)).toMatchObject({ level: 'ok' })
  }
  for (const version of ['20.9.1', '18.20.4', '9.99.0', '21.7.3', '23.1.0', '26.10.0']) {
    expect(checkNode(version)).toMatchObject({
      level: 'fail', todo: 'install Node 20, 22, 24 or 25',
    })
  }
})

test('the builds that are shipped are those of the Nodes that are named', () => {
  const folder = dirname(createRequire(import.meta.url).resolve('uWebSockets.js'))
  const builds = new Set(readdirSync(folder).map((name) => /_(\d+)\.node$/.exec(name)?.[1]))
  builds.delete(undefined)
  const abiOf: Record<string, string> = { 20: '115', 22: '127', 24: '137', 25: '141' }
  const majors = manifest.engines.node.split(' || ').map((range) => range.slice(1, 3))
  expect(majors.map((major) => abiOf[major])).toEqual([...builds].toSorted())
})

test('a start on another Node ends at once, with one sentence', () => {
  const other = 'Object.defineProperty(process, "versions", '
    + '{ value: { ...process.versions, node: "26.10.0" } })'
  for (const program of ['src/cli.mjs', 'config/install.mjs']) {
    const { status, stdout, stderr } = spawnSync(process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(other)}`, program, 'start'],
      { encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual({
      status: 1, stdout: '', stderr: 'Node 26.10.0 is not supported, the HTTP server has no build '
        + 'for it: install Node 20, 22, 24 or 25.\n',
    })
  }
})

describe('port', () => {
  const at = (port: number) => checkPort({ host: '127.0.0.1', port })

  test('free, taken by the service itself, taken by another program', async () => {
    const free = await freePort()
    expect(await at(free)).toMatchObject({ level: 'ok', says: `127.0.0.1:${free} is free` })
    expect(await at(node.port)).toMatchObject({
      level: 'ok', says: `the service is running on 127.0.0.1:${node.port}`,
    })
    const other = createServer((socket) => socket.end('220 mail\r\n'))
    await new Promise<void>((done) => { other.listen(0, '127.0.0.1', done) })
    onTestFinished(() => { other.close() })
    expect(await at((other.address() as AddressInfo).port)).toMatchObject({
      level: 'fail', todo: 'stop the other program, or set PORT to another',
    })
  })
})

test.each([
  ['127.0.0.1', 'http://localhost:8080', 'ok'],
  ['0.0.0.0', 'http://localhost:8080', 'warn'],
  ['0.0.0.0', 'http://mall.example', 'warn'],
  ['127.0.0.1', 'https://mall.example', 'ok'],
])('listening on %s and known as %s: %s', (host, publicUrl, level) => {
  expect(checkPublicUrl({ host, publicUrl })).toMatchObject({ level })
})

test('a data directory may be new, and must be possible', async () => {
  const path = folder()
  expect(await checkDataDir({ dataDir: path })).toMatchObject({ level: 'ok' })
  expect(await checkDataDir({ dataDir: join(path, 'a/b') })).toMatchObject({
    level: 'ok', says: expect.stringContaining('made by the first start'),
  })
  writeFileSync(join(path, 'file'), '')
  expect(await checkDataDir({ dataDir: join(path, 'file/data') })).toMatchObject({ level: 'fail' })
})

test('an archive that would take no order is known before the first one leaves', async () => {
  const s3 = await startS3()
  onTestFinished(() => s3.close())
  const found = (given: Partial<Config> = {}) => checkArchive(config(given))
  expect(await found({ archiveS3: s3.config })).toMatchObject({
    level: 'ok', says: `ended orders go to ${s3.config.url}`,
  })
  const secret = 'not-the-secret-of-that-bucket'
  const wrong = await found({ archiveS3: { ...s3.config, secret } })
  expect(wrong).toMatchObject({ level: 'fail', says: expect.stringContaining('403') })
  expect(JSON.stringify(wrong)).not.toContain(secret)
  expect(await found({ archiveDir: join(folder(), 'new') })).toMatchObject({ level: 'ok' })
  expect(await found({ archiveDir: undefined })).toMatchObject({ level: 'ok' })
  expect(s3.objects.size).toBe(0)
})

describe('redis', () => {
  const levels = async (given: Partial<Config> = {}) =>
    Object.fromEntries((await checkRedis(config(given), log))
      .map(({ about, level }) => [about, level]))
  const well = {
    Redis: 'ok', Format: 'ok', Secret: 'ok', Ledger: 'ok', Shelf: 'ok', Counters: 'ok',
  }

  test('all three roles are well', async () => {
    expect(await levels()).toEqual(well)
    const [shelf] = (await checkRedis(config(), log)).filter(({ about }) => about === 'Shelf')
    expect(shelf?.says).toMatch(/^[1-9]\d{3,} items are searchable$/)
  })

  test('another secret than that of the ledger', async () => {
    expect(await levels({ secret: 'x'.repeat(32) })).toEqual({ ...well, Secret: 'fail' })
  })

  test('a ledger that would lose orders, and one that may', async () => {
    const found = await checkRedis(config({ redis: { ...urls, ledger: shelfUrl } }), log)
    expect(found).toContainEqual(expect.objectContaining({
      about: 'Ledger', level: 'fail', says: expect.stringContaining('appendonly no'),
    }))
    expect(await levels({ ledgerFsync: 'everysec' })).toEqual({ ...well, Ledger: 'warn' })
    expect(await levels({ ledgerReplicas: 1, ledgerReplicasMin: 1 }))
      .toEqual({ ...well, Ledger: 'fail' })
  })

  test('a role that does not answer is named with its setting', async () => {
    const shelf = `redis://127.0.0.1:${await freePort()}`
    const found = await checkRedis(config({ redis: { ...urls, shelf } }), log)
    expect(found.filter(({ level }) => level !== 'ok')).toEqual([
      expect.objectContaining({ about: 'Shelf', todo: expect.stringContaining('SHELF_URL') }),
    ])
  })

  test('before the first start nothing is made, and it says what will be', async () => {
    const { redis: _, secret: __, ...rest } = config({ dataDir: join(folder(), 'new') })
    const found = await checkRedis({ ...rest, redis: undefined, secret: undefined }, log)
    expect(found.map(({ about, level }) => [about, level])).toEqual(
      ['Redis', 'Secret', 'Ledger', 'Shelf'].map((about) => [about, 'ok']))
    expect((await checkDataDir(rest)).says).toContain('made by the first start')
  })
})

describe('platforms', () => {
  const found = async (settings: object) => {
    const mallsFile = join(folder(), 'malls.json')
    writeFileSync(mallsFile, JSON.stringify(settings))
    return Object.fromEntries((await checkMalls(config({ mallsFile, mallVariables: {} })))
      .map((finding) => [finding.about, finding]))
  }

  test('those that are not configured are simulated, those that are get a question', async () => {
    expect(await found({ mall_b: malls.settings.mall_b })).toMatchObject({
      mall_a: { level: 'ok', says: 'played by a simulator' },
      mall_b: { level: 'ok', says: expect.stringContaining('signature accepted') },
    })
  })

  test('a wrong secret and an address without a server differ, and show no secret', async () => {
    const wrong = { ...malls.settings.mall_b, appSecret: 'not-the-secret-of-that-platform' }
    const { mall_b } = await found({ mall_b: wrong })
    expect(mall_b).toMatchObject({
      level: 'fail', says: expect.stringContaining('signature or credentials not accepted'),
    })
    expect(JSON.stringify(mall_b)).not.toContain('not-the-secret')
  })
})

test('the command says what to do, and its exit status is that of the worst', async () => {
  const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => {
    printed.mockRestore()
    process.exitCode = undefined
  })
  const ask = async (given: Partial<Config>, ...options: string[]): Promise<string> => {
    printed.mockClear()
    process.exitCode = undefined
    const mallsFile = join(folder(), 'none.json')
    await doctorCommand(config({ mallsFile, mallVariables: {}, ...given }), log)
      .parseAsync(options, { from: 'user' })
    return printed.mock.calls.map(([text]) => String(text)).join('')
  }
  const well = { port: await freePort(), publicUrl: 'http://localhost:8080' }
  expect(await ask(well)).toMatch(/^ok {4}Node .*\n[\s\S]*\nEverything is well\.\n$/)
  expect(process.exitCode).toBeUndefined()
  const ill = await ask({ ...well, secret: 'x'.repeat(32) }, '--json')
  expect(process.exitCode).toBe(1)
  expect(ill.trim().split('\n').map((line) => JSON.parse(line)))
    .toContainEqual(expect.objectContaining({ about: 'Secret', level: 'fail' }))
})
