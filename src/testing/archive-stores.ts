/** The stores that an archive can have, for tests that run over each. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { S3Store } from '../orders/archive/s3-store.ts'
import { FolderStore, type ArchiveStore } from '../orders/archive/store.ts'
import { startS3 } from './s3.ts'

export interface TestedStore {
  readonly name: string
  /** The same files, as another process has them. */
  open(): ArchiveStore
  /** The variables that a process finds it by. */
  readonly settings: Readonly<Record<string, string>>
  /** Has other bytes where a file was, as only a stranger would. */
  corrupt(file: string, bytes: string): Promise<void>
}

/** They end with the file that asked for them. */
export async function openArchiveStores(): Promise<readonly [TestedStore, TestedStore]> {
  const folder = await mkdtemp(join(tmpdir(), 'agentmall-archive-'))
  const s3 = await startS3()
  afterAll(async () => {
    await s3.close()
    await rm(folder, { recursive: true, force: true })
  })
  return [{
    name: 'a folder',
    open: () => new FolderStore(folder),
    settings: { ARCHIVE_DIR: folder },
    corrupt: (file, bytes) => writeFile(join(folder, file), bytes),
  }, {
    name: 'a bucket',
    open: () => new S3Store(s3.config),
    settings: s3.settings,
    async corrupt(file, bytes) { s3.objects.set(s3.config.prefix + file, Buffer.from(bytes)) },
  }]
}
