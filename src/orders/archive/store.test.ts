/** What an archive relies on, in each of its stores. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openArchiveStores } from '../../testing/archive-stores.ts'
import { FolderStore } from './store.ts'

const STORES = await openArchiveStores()
const ENDS = /ends in the middle|is short|416/
const BYTES = Buffer.from('ten bytes.')

describe.each(STORES)('$name', ({ open }) => {
  test('gives back what was written, whole or in part, to another process', async () => {
    await open().write('2026-08/one.ndjson.gz', BYTES)
    expect(await open().readWhole('2026-08/one.ndjson.gz')).toEqual(BYTES)
    expect((await open().read('2026-08/one.ndjson.gz', 4, 5)).toString()).toBe('bytes')
  })

  test('names what was written, sorted, all or of a month', async () => {
    for (const name of ['2026-10/b.ndjson.gz', '2026-10/a.ndjson.gz', '2026-09/z.ndjson.gz']) {
      await open().write(name, BYTES)
    }
    expect(await open().names()).toEqual(expect.arrayContaining(
      ['2026-09/z.ndjson.gz', '2026-10/a.ndjson.gz', '2026-10/b.ndjson.gz']))
    const names = await open().names()
    expect(names).toEqual(names.toSorted())
    expect(await open().names('2026-09')).toEqual(['2026-09/z.ndjson.gz'])
    expect(await open().names('0000-00')).toEqual([])
  })

  test('refuses what is not there, and a part that the file ends before', async () => {
    await open().write('2026-11/short.ndjson.gz', BYTES)
    await expect(open().read('2026-11/short.ndjson.gz', 8, 5)).rejects.toThrow(ENDS)
    await expect(open().read('2026-11/short.ndjson.gz', 20, 5)).rejects.toThrow(ENDS)
    await expect(open().readWhole('2026-11/none.ndjson.gz')).rejects.toThrow(/ENOENT|404/)
  })
})

test('a folder takes no half file for a whole one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agentmall-store-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const store = new FolderStore(folder)
  await store.write('2026-08/whole.json', BYTES)
  await writeFile(join(folder, '2026-08', 'half.json.part'), '{')
  expect(await store.names()).toEqual(['2026-08/whole.json'])
  expect(await readdir(join(folder, '2026-08'))).toHaveLength(2)
})
