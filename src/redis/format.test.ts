import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { withLedger } from '../commands/context.ts'
import { ConfigError, readConfig } from '../config.ts'
import { checkRedis } from '../commands/doctor/redis.ts'
import { createLogger } from '../log.ts'
import { startTestNode, TEST_SECRET } from '../testing/node.ts'
import { emptyLedger } from '../testing/spare.ts'
import { openRedis, untilReady } from './connect.ts'
import { assertFormat, FORMAT, readFormat } from './format.ts'
import { ledger as keys } from './keys.ts'

const log = createLogger('silent')
const own = await emptyLedger()
const ledger = openRedis(own, log)
await untilReady(ledger, 'ledger')
const { shelfUrl } = inject('redis')
const urls = { shelf: shelfUrl, ledger: own, counters: own }
const config = { ...readConfig({}), redis: urls, secret: TEST_SECRET }

afterAll(async () => {
  ledger.disconnect()
})
beforeEach(async () => { await ledger.del(keys.format) })

const write = (format: number, reader: number) => ledger.hset(keys.format, { format, reader })
const NEWER = FORMAT.format + 1

test('a ledger that older code made takes the format of the first start', async () => {
  await assertFormat(ledger)
  expect(await readFormat(ledger)).toEqual(FORMAT)
})

test('versions that may run side by side leave the highest format there', async () => {
  await assertFormat(ledger, { format: NEWER, readerMin: FORMAT.format })
  await assertFormat(ledger)
  expect(await readFormat(ledger)).toEqual({ format: NEWER, readerMin: FORMAT.format })
})

test('a node, a command and the doctor refuse a ledger that needs newer code', async () => {
  await write(NEWER, NEWER)
  const sentence = new RegExp(`has format ${NEWER} and needs code of format ${NEWER} or later; `
    + `this version has ${FORMAT.format}: start the newer version`)
  await expect(startTestNode({ redis: urls })).rejects.toThrow(sentence)
  await expect(withLedger(config, log, async () => 'worked')).rejects.toThrow(sentence)
  await expect(assertFormat(ledger)).rejects.toThrow(ConfigError)
  const findings = await checkRedis(config, log)
  expect(findings).toContainEqual(expect.objectContaining({ about: 'Format', level: 'fail' }))
  expect(await ledger.exists(keys.secretFingerprint)).toBe(0)
})

test('a running node turns unready when newer code closes the ledger to it', async () => {
  const node = await startTestNode({ redis: urls })
  try {
    await expect.poll(async () => (await node.send('GET', '/readyz')).status).toBe(200)
    await assertFormat(ledger, { format: NEWER, readerMin: NEWER })
    await expect.poll(async () => {
      const { status, text } = await node.send('GET', '/readyz')
      return `${status} ${text}`
    }).toMatch(/^503 .*newer version/)
  } finally {
    await node.stop()
  }
})
