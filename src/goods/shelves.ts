/**
 * The Redis servers that hold the shelf, and which of them may be asked. A version of the
 * catalogue stands for one content, so a server that holds the version answers exactly; those that
 * are behind, do not answer or have no complete index are left out until they are well again.
 */
import { EventEmitter } from 'node:events'
import { monotonicMs, sleep } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { Logger } from '../log.ts'
import { measures } from '../measures.ts'
import type { RedisClient } from '../redis/connect.ts'
import { primaryOf } from '../redis/shelf.ts'
import { isAway, verdictOf } from '../redis/verdict.ts'
import { indexReady, isMissing } from './shelf-index.ts'
import { ShelfMember } from './shelf-member.ts'

/** A replica that may lack more than this is not asked while there is a primary. */
const LAG_MS_MAX = 5000
/** A replica that was just started has to copy everything first. */
const COMPLETE_MS_MAX = 120_000
const AGAIN_MS = 50

interface Options {
  /** The first is the one of the settings that takes writes, unless another was promoted. */
  readonly clients: readonly RedisClient[]
  readonly log: Logger
  readonly pollMs: number
}

/** Who was asked; undefined for one that was not known to hold the version that was wanted. */
export type Sources = readonly (ShelfMember | undefined)[]

export interface Found<T> {
  readonly value: T
  readonly from: Sources
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
  private readonly log: Logger
  private readonly pollMs: number
  private readonly timer: NodeJS.Timeout
  private readonly onReady: (() => void)[]
  private turn = 0

  constructor({ clients, log, pollMs }: Options) {
    super()
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
  async read<T>(version: number, work: (client: RedisClient) => Promise<T>): Promise<Found<T>> {
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

  stop(): void {
    clearInterval(this.timer)
    this.members.forEach(({ client }, at) => client.off('ready', this.onReady[at] as () => void))
    for (const { name } of this.members) measures.shelfLag.delete(name)
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
  if (cause.name !== 'ReplyError') return isAway(cause)
  const { kind } = verdictOf(cause)
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
