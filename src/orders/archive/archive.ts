/**
 * Orders that left the ledger: NDJSON files of many gzip members, so that an order is read with a
 * few kilobytes around it, and `zcat` reads a whole file; in a folder or in a bucket. The ledger
 * keeps where each one is.
 */
import { createHash, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { Config } from '../../config.ts'
import { Refusal } from '../../contract/errors.ts'
import { isoTime } from '../../contract/time.ts'
import { sealedUnder } from '../../secrets/seal.ts'
import { S3Store } from './s3-store.ts'
import { FolderStore, type ArchiveStore } from './store.ts'

/** A line of a file: the order as the ledger had it. */
export interface ArchivedOrder {
  readonly order_no: string
  /** Fields of its hash; the receiver is sealed as it was. */
  readonly order: Readonly<Record<string, string>>
  /** Its timeline: lines of JSON. */
  readonly events: readonly string[]
  /** Fields of its after-sales. */
  readonly after: Readonly<Record<string, string>>
}

/** Beside each file, as JSON. */
export interface ArchiveFileFacts {
  readonly file: string
  readonly orders: number
  readonly bytes: number
  readonly sha256: string
  /** How many receivers are sealed under which secret; '' where the envelope names none. */
  readonly sealed: Readonly<Record<string, number>>
}

interface WrittenFile {
  readonly facts: ArchiveFileFacts
  /** Of each order, in their order: what `read` takes. */
  readonly places: readonly string[]
}

const [compress, decompress] = [promisify(gzip), promisify(gunzip)]

/** Of one gzip member: so many are read for one. */
const BLOCK_ORDERS = 16
/** Far more than an order can have: what is unpacked is bounded. */
const ORDER_BYTES_MAX = 64 * 1024
const BLOCKS_KEPT = 64
/** Small files that are read at a time: a bucket takes milliseconds for each. */
const READ_AT_ONCE = 8
const SUFFIX = '.ndjson.gz'
const FACTS_SUFFIX = '.json'
const RETIRED_SUFFIX = '.retired'
const PLACE = /^(\d{4}-\d{2}\/[0-9A-Za-z-]+):([0-9a-z]+):([0-9a-z]+)$/
const RADIX = 36
const MONTH_WITHOUT_FILES = '0000-00'

export class OrderArchive {
  private readonly store: ArchiveStore
  private readonly blocks = new LRUCache<string, Promise<ReadonlyMap<string, ArchivedOrder>>>(
    { max: BLOCKS_KEPT })

  constructor(store: ArchiveStore) {
    this.store = store
  }

  /** Writes one file, and what it holds beside it. `at` is the time, ms. */
  async write(orders: readonly ArchivedOrder[], at: number): Promise<WrittenFile> {
    const time = isoTime(at)
    const name = `${time.slice(0, 7)}/${time.slice(0, 19).replaceAll(/[-:]/g, '')}-`
      + randomBytes(6).toString('hex')
    const blocks: Buffer[] = []
    const places: string[] = []
    let offset = 0
    for (let from = 0; from < orders.length; from += BLOCK_ORDERS) {
      const part = orders.slice(from, from + BLOCK_ORDERS)
      const block = await compress(part.map((order) => `${JSON.stringify(order)}\n`).join(''))
      const place = [name, offset.toString(RADIX), block.length.toString(RADIX)].join(':')
      places.push(...part.map(() => place))
      blocks.push(block)
      offset += block.length
    }
    const bytes = Buffer.concat(blocks)
    const facts: ArchiveFileFacts = {
      file: `${name}${SUFFIX}`, orders: orders.length, bytes: bytes.length,
      sha256: sha256(bytes), sealed: countSealed(orders),
    }
    await this.keep(facts.file, bytes)
    await this.keep(`${name}${FACTS_SUFFIX}`, Buffer.from(`${JSON.stringify(facts)}\n`))
    return { facts, places }
  }

  /** Writes, and reads it back: only then may an order leave the ledger. */
  private async keep(name: string, bytes: Buffer): Promise<void> {
    await this.store.write(name, bytes)
    const kept = await this.store.readWhole(name)
    if (!kept.equals(bytes)) throw new Error(`${name} of the archive is not what was written.`)
  }

  /** Rejects where the store does not answer, or not to us; writes nothing. */
  async check(): Promise<void> {
    await this.store.names(MONTH_WITHOUT_FILES)
  }

  /** The order that the ledger says is at the place. */
  async read(place: string, orderNo: string): Promise<ArchivedOrder> {
    let block = this.blocks.get(place)
    if (!block) {
      block = this.readBlock(place)
      this.blocks.set(place, block)
      block.catch(() => this.blocks.delete(place))
    }
    const found = (await block).get(orderNo)
    if (!found) throw new Error(`The archive has another order than ${orderNo} at ${place}.`)
    return found
  }

  private async readBlock(place: string): Promise<ReadonlyMap<string, ArchivedOrder>> {
    const [, name = '', from = '', count = ''] = PLACE.exec(place) ?? []
    if (name === '') throw new Error(`${place} is no place in the archive.`)
    const bytes = await this.store.read(
      `${name}${SUFFIX}`, Number.parseInt(from, RADIX), Number.parseInt(count, RADIX))
    return new Map((await linesOf(bytes, BLOCK_ORDERS)).map((order) => [order.order_no, order]))
  }

  /** Of every file that was written whole and not retired, oldest first. */
  async files(): Promise<ArchiveFileFacts[]> {
    const names = await this.store.names()
    const retired = new Set(names.filter((name) => name.endsWith(RETIRED_SUFFIX)))
    const current = names.filter((name) => name.endsWith(FACTS_SUFFIX)
      && !retired.has(name.replace(FACTS_SUFFIX, RETIRED_SUFFIX)))
    return await pLimit(READ_AT_ONCE).map(current, async (name) =>
      JSON.parse((await this.store.readWhole(name)).toString()) as ArchiveFileFacts)
  }

  /** Notes that the ledger has no order in the file any more. A backup may: the file stays. */
  async retire({ file }: ArchiveFileFacts): Promise<void> {
    await this.store.write(file.replace(SUFFIX, RETIRED_SUFFIX), Buffer.from('retired\n'))
  }

  isIn(place: string, { file }: ArchiveFileFacts): boolean {
    return `${place.split(':')[0]}${SUFFIX}` === file
  }

  /** A file's orders; throws where it is not what was written. */
  async readFile({ file, orders, sha256: written }: ArchiveFileFacts): Promise<ArchivedOrder[]> {
    const bytes = await this.store.readWhole(file)
    if (sha256(bytes) !== written) throw new Error(`${file} of the archive was changed.`)
    return await linesOf(bytes, orders)
  }
}

async function linesOf(bytes: Buffer, orders: number): Promise<ArchivedOrder[]> {
  const text = await decompress(bytes, { maxOutputLength: orders * ORDER_BYTES_MAX })
  return text.toString().split('\n').slice(0, -1).map((line) => JSON.parse(line) as ArchivedOrder)
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

function countSealed(orders: readonly ArchivedOrder[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { order } of orders) {
    const id = sealedUnder(order['receiver'] ?? '') ?? ''
    counts[id] = (counts[id] ?? 0) + 1
  }
  return counts
}

/** Undefined where none is configured: then nothing leaves the ledger. */
export function openOrderArchive(
  { archiveS3, archiveDir }: Pick<Config, 'archiveS3' | 'archiveDir'>,
): OrderArchive | undefined {
  if (archiveS3) return new OrderArchive(new S3Store(archiveS3))
  return archiveDir === undefined ? undefined : new OrderArchive(new FolderStore(archiveDir))
}

/** An archive that cannot be read is trouble that passes, and not an order that is not there. */
export async function readArchived(
  archive: OrderArchive | undefined, place: string, orderNo: string,
): Promise<ArchivedOrder> {
  try {
    if (!archive) throw new Error(`${orderNo} is in the archive, and none is set: see ARCHIVE_DIR.`)
    return await archive.read(place, orderNo)
  } catch (error) {
    throw new Refusal('unavailable', {
      hint: 'The order is in the archive, which cannot be read just now: try again later.',
    }, error)
  }
}
