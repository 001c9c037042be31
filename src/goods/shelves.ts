/**
 * The Redis servers that hold the shelf, and which of them may be asked. A version of the
 * catalogue stands for one content, so a server that holds the version answers exactly; those that
 * are behind, do not answer or have no complete index are left out until they are well again.
 */
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { Cluster } from 'ioredis'
import { Refusal } from '../contract/errors.ts'
import { monotonicMs, sleep } from '../contract/time.ts'
import type { Logger } from '../log.ts'
import { measures } from '../measures.ts'
import { classifyError, isUnavailable, orUnavailable } from '../redis/command-errors.ts'
import { nameOf, type RedisClient } from '../redis/connect.ts'
import { ledger as ledgerKeys } from '../redis/keys.ts'
import { lookAtShelf, primaryOf, type ShelfLook } from '../redis/roles.ts'
import { indexesComplete, indexReady, isMissing } from './shelf-index.ts'
import { shelfVersion } from './version.ts'

/** A replica that may lack more than this is not asked while there is a primary. */
const LAG_MS_MAX = 5000
/** A replica that was just started has to copy everything first. */
const COMPLETE_MS_MAX = 120_000
const AGAIN_MS = 50

interface Options {
  /** The first is the one of the settings that takes writes, unless another was promoted. */
  readonly clients: readonly RedisClient[]
  /** Says whether there is a catalogue; without it an empty shelf is one without goods. */
  readonly ledger?: RedisClient | undefined
  readonly log: Logger
  readonly pollMs: number
}

/** Who was asked; undefined for one that was not known to hold the version that was wanted. */
export type ShelfSources = readonly (ShelfMember | undefined)[]

export interface ShelfAnswer<T> {
  readonly value: T
  readonly from: ShelfSources
}

interface Events {
  /** The catalogue has another version. */
  version: [version: number]
  /** A server was connected to: another history may have taken over. */
  connected: []
  /** A server was asked what it holds. */
  looked: []
}

export class Shelves extends EventEmitter<Events> {
  /** Of the primary; without one, the highest that any server holds. */
  version = -1
  private readonly members: readonly ShelfMember[]
  private readonly ledger: RedisClient | undefined
  private readonly log: Logger
  private readonly pollMs: number
  private readonly timer: NodeJS.Timeout
  private readonly onReady: (() => void)[]
  private turn = 0

  constructor({ clients, ledger, log, pollMs }: Options) {
    super()
    this.ledger = ledger
    this.log = log
    this.pollMs = pollMs
    this.members = clients.map((client) => new ShelfMember(client))
    this.onReady = this.members.map((member) => () => {
      member.connected()
      this.emit('connected')
      void this.lookAt(member)
    })
    this.members.forEach(({ client }, at) => client.on('ready', this.onReady[at] as () => void))
    this.timer = setInterval(() => { void this.lookAtAll() }, pollMs)
    this.timer.unref()
  }

  private get isAlone(): boolean { return this.members.length === 1 }

  /** Asks every server what it holds; those that do not answer are left out. */
  async lookAtAll(): Promise<void> {
    await Promise.all(this.members.map((member) => this.lookAt(member)))
  }

  /**
   * Runs a read on a server that holds the version, and when that one fails on another. Where none
   * holds it any more, on one that holds another: what was found is then not to be kept.
   */
  async read<T>(
    version: number, work: (client: RedisClient) => Promise<T>,
  ): Promise<ShelfAnswer<T>> {
    const failed = new Set<ShelfMember>()
    let failure: unknown
    for (;;) {
      const member = this.choose(version, failed)
      if (!member) throw failure ?? new Refusal('unavailable')
      const isExact = this.isAlone || member.version === version
      try {
        return { value: await work(member.client), from: [isExact ? member : undefined] }
      } catch (error) {
        if (this.isAlone || !isItsFault(error)) throw error
        failed.add(member)
        failure = error
        this.leaveOut(member, error)
      }
    }
  }

  /** Whether the shelf has lost the catalogue that the ledger has. */
  async isEmptied(): Promise<boolean> {
    return this.version <= 0 && await this.hasCatalogue()
  }

  /** Whether a missing item means an empty shelf; checked before an answer says "not found". */
  async assertNotEmptied(): Promise<void> {
    if (!this.ledger) return
    if (this.version > 0) {
      const { value } = await this.read(this.version, (client) => shelfVersion(client))
      if (value !== null) return
      await this.lookAtAll()
    }
    if (await orUnavailable(this.isEmptied())) throw new Refusal('unavailable')
  }

  /** What is not there is gone only from a shelf that held the same catalogue all the while. */
  async assertHolds(version: number): Promise<void> {
    if (!this.ledger || version <= 0) return
    const { value } = await this.read(version, (client) => shelfVersion(client))
    if (Number(value) !== version) throw new Refusal('unavailable', { retry_after_s: 1 })
  }

  /** Of what was read from a shelf without a version: that is no catalogue, or an empty shelf. */
  async assertNoCatalogue(): Promise<void> {
    if (await orUnavailable(this.hasCatalogue())) throw new Refusal('unavailable')
  }

  stop(): void {
    clearInterval(this.timer)
    this.members.forEach(({ client }, at) => client.off('ready', this.onReady[at] as () => void))
    for (const { name } of this.members) measures.shelfLag.delete(name)
  }

  private async hasCatalogue(): Promise<boolean> {
    return this.ledger !== undefined
      && Number(await this.ledger.get(ledgerKeys.catalogueVersion) ?? 0) > 0
  }

  private choose(version: number, failed: ReadonlySet<ShelfMember>): ShelfMember | undefined {
    const able = this.members.filter((member) => !failed.has(member))
    if (this.isAlone) return able[0]
    const exact = able.filter((member) => member.version === version)
    if (exact.length > 0) return exact[this.turn = (this.turn + 1) % exact.length]
    return able.filter((member) => member.version !== undefined)
      .toSorted((a, b) => (b.version ?? 0) - (a.version ?? 0))[0]
  }

  private async lookAt(member: ShelfMember): Promise<void> {
    if (member.isLooking) return
    member.isLooking = true
    try {
      if (this.isAlone) await member.lookForVersion()
      else await member.lookAgain()
    } catch (error) {
      if (this.isAlone) this.log.warn({ error: (error as Error).message }, 'version not read')
      else this.leaveOut(member, error)
    } finally {
      member.isLooking = false
    }
    this.judge()
    this.emit('looked')
  }

  /** Who is primary, which version counts, and who is too far behind. */
  private judge(): void {
    const primary = primaryOf(this.members.filter(({ version }) => version !== undefined))
    if (!this.isAlone) this.judgeLags(primary)
    const versions = this.members.flatMap(({ version }) => version ?? [])
    const version = primary?.version ?? Math.max(...versions, -1)
    if (version < 0 || version === this.version) return
    this.version = version
    this.emit('version', version)
    // The others have it in a moment: they need not wait for their turn.
    if (!this.isAlone) void this.lookAtAll()
  }

  private judgeLags(primary: ShelfMember | undefined): void {
    for (const member of this.members) {
      if (member === primary) {
        measures.shelfLag.delete(member.name)
        continue
      }
      // What is on its way between two looks is no lag.
      const lagMs = Math.max(0, member.lagMs(primary?.look) - this.pollMs)
      measures.shelfLag.set(member.name, lagMs / 1000)
      if (primary && lagMs > LAG_MS_MAX && member.look) {
        this.log.warn({ shelf: member.name, lagMs: Math.round(lagMs) }, 'a shelf lags: left out')
        member.look = undefined
      }
    }
  }

  /** Never the last one: a slow answer is better than none. */
  private leaveOut(member: ShelfMember, error: unknown): void {
    const isLast = !this.members.some((other) => other !== member && other.version !== undefined)
    if (isLast || !member.look) return
    this.log.warn({ shelf: member.name, error: (error as Error).message }, 'a shelf is left out')
    member.leaveOut((error as Error).name !== 'ReplyError')
    this.judge()
  }
}

/** Whether another server may answer: a query that takes too long takes as long there. */
function isItsFault(error: unknown): boolean {
  const cause = error instanceof Refusal ? error.cause : error
  if (!(cause instanceof Error)) return false
  if (isMissing(cause)) return true
  if (cause.name !== 'ReplyError') return isUnavailable(cause)
  const { kind } = classifyError(cause)
  return kind === 'later' || kind === 'refused'
}

/** Waits until one of them holds a catalogue with complete indexes. */
export async function openShelves(options: Options): Promise<Shelves> {
  const shelves = new Shelves(options)
  const end = monotonicMs() + COMPLETE_MS_MAX
  const [only, ...others] = options.clients
  if (only && others.length === 0) await indexReady(only)
  for (;;) {
    await shelves.lookAtAll()
    if (shelves.version >= 0) return shelves
    if (monotonicMs() > end) {
      shelves.stop()
      throw new Error('No Redis of the shelf has a complete goods index in time.')
    }
    await sleep(AGAIN_MS)
  }
}

/** One Redis of the shelf, as a node sees it: what it holds, and how far it is behind. */
export class ShelfMember {
  readonly client: RedisClient
  readonly name: string
  /** What it said last over its present connection; undefined: it is not to be asked. */
  look: ShelfLook | undefined
  private connection = 0
  isLooking = false
  /** When it had last all that its primary had. */
  private inStepAt = monotonicMs()
  /** A place in the primary's history that it has yet to reach, and when the primary was there. */
  private awaited: { readonly offset: number, readonly at: number } | undefined
  private completeAt: number | undefined

  constructor(client: RedisClient) {
    this.client = client
    this.name = nameOf(client)
  }

  get version(): number | undefined {
    return this.client.status === 'ready' ? this.look?.version : undefined
  }

  /** What an earlier connection said is void. */
  connected(): void {
    this.connection += 1
    this.look = undefined
    this.completeAt = undefined
  }

  /** The version that it holds now; rejects when its connection broke meanwhile. */
  async readVersion(): Promise<number> {
    const { connection } = this
    const version = Number(await shelfVersion(this.client) ?? 0)
    if (connection !== this.connection) throw new Error('The connection broke meanwhile.')
    return version
  }

  /** Asks what it holds, and once for each version whether its indexes are complete. */
  async lookAgain(): Promise<void> {
    const { connection } = this
    const look = await lookAtShelf(this.client)
    if (look.version !== this.completeAt) {
      this.completeAt = await indexesComplete(this.client) ? look.version : undefined
    }
    if (connection !== this.connection) throw new Error('The connection broke meanwhile.')
    this.look = look.version === this.completeAt ? look : undefined
  }

  /** A single Redis is asked for nothing but its version. */
  async lookForVersion(): Promise<void> {
    const version = await this.readVersion()
    this.look = { isPrimary: true, version, history: '', offset: 0 }
  }

  /** Milliseconds since it is not known to have had all that its primary has. */
  lagMs(primary: ShelfLook | undefined): number {
    const now = monotonicMs()
    const { look } = this
    if (look && primary && look.history === primary.history) {
      if (look.offset >= primary.offset) {
        this.inStepAt = now
        this.awaited = undefined
      } else if (!this.awaited || look.offset >= this.awaited.offset) {
        this.inStepAt = this.awaited?.at ?? this.inStepAt
        this.awaited = { offset: primary.offset, at: now }
      }
    }
    return now - this.inStepAt
  }

  /** Not to be asked before it answers again. Waiting reads of a hung one fail at once. */
  leaveOut(isHanging: boolean): void {
    this.look = undefined
    if (isHanging && !(this.client instanceof Cluster) && this.client.status === 'ready') {
      (this.client.stream as Socket).destroy()
    }
  }
}
