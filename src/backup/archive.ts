/**
 * A backup on disk: files of records (a key, when it ends, its value as DUMP gives it) and a
 * manifest, which is written last: a folder without one is a backup that was cut off.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../config.ts'
import { writeWhole } from '../files.ts'
import type { Format } from '../redis/format.ts'

/** A later record of a key takes the place of an earlier one. */
export interface ArchiveRecord {
  readonly key: string
  /** Milliseconds since 1970; -1 for a key that does not end. */
  readonly expiresAt: number
  /** Null for a key that was not there. */
  readonly value: Buffer | null
}

interface ArchiveFile {
  readonly name: string
  readonly bytes: number
  readonly records: number
  readonly sha256: string
}

export interface Manifest {
  readonly layout: 1
  readonly version: string
  readonly redis: string
  /** Ledger's clock, ms: all that was acknowledged before is in it, nothing that came after. */
  readonly startedAt: number
  readonly finishedAt: number
  readonly format: Format
  /** Of the secret that sealed. It is not in the backup, and nothing works without it. */
  readonly secretFingerprint: string
  /** The last outbox entry of each partition. */
  readonly outboxes: readonly string[]
  /** Records by kind; a key that moved meanwhile counts twice. */
  readonly records: Readonly<Record<string, number>>
  readonly files: readonly ArchiveFile[]
}

const MANIFEST = 'manifest.json'
const LAYOUT = 1
const FILE_BYTES_MAX = 256 * 2 ** 20
const HEADER_BYTES = 16
const ABSENT = 0xFFFFFFFF
const READ_BYTES = 4 * 2 ** 20

export interface ArchiveWriter {
  write(entries: readonly ArchiveRecord[]): Promise<void>
  /** Writes the manifest; the backup is whole from then on. */
  finish(facts: Omit<Manifest, 'layout' | 'files'>): Promise<Manifest>
  close(): Promise<void>
}

/** Throws a ConfigError where the folder holds anything. */
export function createArchive(directory: string): ArchiveWriter {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  if (readdirSync(directory).length > 0) {
    throw new ConfigError(`${directory} is not empty: give each backup a folder of its own.`)
  }
  const files: ArchiveFile[] = []
  let file: { handle: FileHandle, name: string } | undefined
  let hash = createHash('sha256')
  let [bytes, records] = [0, 0]

  async function close(): Promise<void> {
    if (!file) return
    await file.handle.sync()
    await file.handle.close()
    files.push({ name: file.name, bytes, records, sha256: hash.digest('hex') })
    file = undefined
    hash = createHash('sha256')
    bytes = records = 0
  }

  return {
    async write(entries) {
      if (entries.length === 0) return
      if (!file) {
        const name = `${String(files.length).padStart(5, '0')}.records`
        file = { name, handle: await open(join(directory, name), 'wx', 0o600) }
      }
      const block = Buffer.concat(entries.flatMap(encode))
      hash.update(block)
      await file.handle.appendFile(block)
      bytes += block.length
      records += entries.length
      if (bytes >= FILE_BYTES_MAX) await close()
    },
    async finish(facts) {
      await close()
      const manifest: Manifest = { layout: LAYOUT, ...facts, files }
      writeWhole(join(directory, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`)
      return manifest
    },
    close,
  }
}

function encode({ key, expiresAt, value }: ArchiveRecord): Buffer[] {
  const name = Buffer.from(key)
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(name.length, 0)
  header.writeUInt32LE(value?.length ?? ABSENT, 4)
  header.writeBigInt64LE(BigInt(expiresAt), 8)
  return value ? [header, name, value] : [header, name]
}

/** Throws a ConfigError where the folder is no whole backup that this version can read. */
export function readManifest(directory: string): Manifest {
  const path = join(directory, MANIFEST)
  if (!existsSync(path)) {
    throw new ConfigError(`${directory} has no ${MANIFEST}: it is no backup, or one that was cut `
      + 'off. Use another one.')
  }
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
  if (manifest.layout !== LAYOUT) {
    throw new ConfigError(`${path} has layout ${String(manifest.layout)}, which this version `
      + `cannot read: restore it with agentmall ${manifest.version}.`)
  }
  return manifest
}

/** Reads every file whole; throws a ConfigError that names one that was changed or is missing. */
export async function checkFiles(directory: string, { files }: Manifest): Promise<void> {
  for (const { name, bytes, sha256 } of files) {
    const hash = createHash('sha256')
    let found = 0
    try {
      for await (const block of blocksOf(join(directory, name))) {
        hash.update(block)
        found += block.length
      }
    } catch (error) {
      throw new ConfigError(`${name} of the backup cannot be read (${(error as Error).message}): `
        + 'copy it again, or use another backup.')
    }
    if (found !== bytes || hash.digest('hex') !== sha256) {
      throw new ConfigError(`${name} of the backup is not what was written: copy it again, or use `
        + 'another backup.')
    }
  }
}

/** The records in the order of their writing, in batches. */
export async function* readArchive(
  directory: string, { files }: Manifest,
): AsyncGenerator<ArchiveRecord[]> {
  for (const { name } of files) {
    let rest: Buffer = Buffer.alloc(0)
    for await (const block of blocksOf(join(directory, name))) {
      const bytes = rest.length === 0 ? block : Buffer.concat([rest, block])
      const { entries, used } = decode(bytes)
      rest = bytes.subarray(used)
      if (entries.length > 0) yield entries
    }
    if (rest.length > 0) throw new Error(`${name} ends in the middle of a record.`)
  }
}

function decode(bytes: Buffer): { entries: ArchiveRecord[], used: number } {
  const entries: ArchiveRecord[] = []
  let used = 0
  while (bytes.length - used >= HEADER_BYTES) {
    const names = bytes.readUInt32LE(used)
    const given = bytes.readUInt32LE(used + 4)
    const values = given === ABSENT ? 0 : given
    const end = used + HEADER_BYTES + names + values
    if (end > bytes.length) break
    const from = used + HEADER_BYTES
    entries.push({
      key: bytes.toString('utf8', from, from + names),
      expiresAt: Number(bytes.readBigInt64LE(used + 8)),
      value: given === ABSENT ? null : bytes.subarray(from + names, end),
    })
    used = end
  }
  return { entries, used }
}

async function* blocksOf(path: string): AsyncGenerator<Buffer> {
  const handle = await open(path)
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}
