/** What is no backup, and where none may be restored: said before anything is written. */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSecrets, type Secrets } from '../secrets/derive.ts'
import { assertFormat, beginRestore } from '../redis/format.ts'
import { counters, ledger as keys } from '../redis/keys.ts'
import { startOwnRedis, type OwnRedis } from '../testing/recovery.ts'
import { verifyLedger } from '../verify/verify.ts'
import { ORDER_EFFECTS } from '../workers/order-effects.ts'
import { outboxState, resetProgress } from '../workers/outboxes.ts'
import { createArchive, readManifest, type Manifest } from './archive.ts'
import { backupLedger } from './backup.ts'
import { restoreLedger, type RestoreTarget } from './restore.ts'

let own: OwnRedis
let place: RestoreTarget & { secrets: Secrets }
let folder: string
beforeAll(async () => {
  own = await startOwnRedis()
  place = { ...own.place, secrets: createSecrets(own.place.secret) }
})
afterAll(() => own.stop())
beforeEach(async () => {
  await place.ledger.flushall()
  await place.ledger.set('kept', 'before')
  folder = mkdtempSync(join(tmpdir(), 'agentmall-refused-'))
  return () => rmSync(folder, { recursive: true, force: true })
})

const backup = (): Promise<Manifest> => backupLedger(place, createArchive(folder))
const restore = (manifest = readManifest(folder), isToReplace = true, given = place) =>
  restoreLedger(given, folder, manifest, { isToReplace })

/** The refusal, and that it came before the first write. */
async function refusal(work: () => Promise<unknown>): Promise<string> {
  await place.ledger.set('kept', 'after')
  const sentence = await Promise.resolve().then(work).then(() => 'it was not refused', String)
  expect(await place.ledger.get('kept')).toBe('after')
  return sentence
}

test('a backup that was cut off, or whose files were changed, is refused', async () => {
  const cutOff = createArchive(folder)
  await cutOff.write([{ key: 'a', expiresAt: -1, value: Buffer.from('x') }])
  await cutOff.close()
  expect(await refusal(() => restore())).toMatch(/has no manifest.json.* cut off/)
  expect(await refusal(backup)).toMatch(/is not empty/)
  rmSync(folder, { recursive: true })
  const manifest = await backup()
  appendFileSync(join(folder, manifest.files[0]?.name ?? ''), 'x')
  expect(await refusal(() => restore())).toMatch(/00000.records of the backup is not what was/)
  rmSync(join(folder, manifest.files[0]?.name ?? ''))
  expect(await refusal(() => restore())).toMatch(/00000.records of the backup cannot be read/)
})

test('another secret, a newer format, a node that runs, a ledger in use are refused', async () => {
  const manifest = await backup()
  const stranger = { ...place, secret: 'another secret than that of the ledger' }
  expect(await refusal(() => restore(manifest, true, stranger))).toMatch(/made with another SECRET/)
  expect(await refusal(() => restore({ ...manifest, format: { format: 99, readerMin: 99 } })))
    .toMatch(/too new.*start the newer version/)
  expect(await refusal(() => restore(manifest, false)))
    .toMatch(/holds 1 keys: .*--replace-ledger/)
  const lease = counters.lease('trim')
  await place.counters.set(lease, 'a node', 'PX', 60_000)
  expect(await refusal(() => restore())).toMatch(/A node is running \(it holds the lease trim\)/)
  await place.counters.del(lease)
})

test('a restore that was cut off keeps nodes off the ledger, and can be begun again', async () => {
  await place.ledger.set('ends', 'later', 'PX', 3_600_000)
  const ends = await place.ledger.pexpiretime('ends')
  const manifest = await backup()
  await place.ledger.flushall()
  await beginRestore(place.ledger)
  await expect(assertFormat(place.ledger)).rejects.toThrow(/A restore .* has not ended/)
  const { report } = await restore(manifest)
  expect(report.violations).toEqual([])
  await assertFormat(place.ledger)
  expect(await place.ledger.get('kept')).toBe('before')
  expect(await place.ledger.pexpiretime('ends')).toBe(ends)
})

test('a consumer beyond the end of an outbox is counted, reported and set back', async () => {
  await place.ledger.xadd(keys.outbox(7), '5-1', 'type', 'stock', 'product_id', '7')
  await place.ledger.hset(keys.progress(7), ORDER_EFFECTS, '6-0')
  await place.ledger.hset(keys.progress(8), ORDER_EFFECTS, '1-0')
  expect(await outboxState(place.ledger)).toMatchObject({ ahead: 2 })
  expect((await verifyLedger(place)).violations.map(({ invariant }) => invariant))
    .toEqual(['progress', 'progress'])
  expect(await resetProgress(place.ledger)).toBe(2)
  expect(await outboxState(place.ledger)).toMatchObject({ ahead: 0, lagEntries: 0 })
  expect((await verifyLedger(place)).violations).toEqual([])
  expect(await resetProgress(place.ledger)).toBe(0)
})
