/** One Redis of the shelf, as a node sees it: what it holds, and how far it is behind. */
import type { Socket } from 'node:net'
import { Cluster } from 'ioredis'
import { monotonicMs } from '../contract/time.ts'
import { nameOf, type RedisClient } from '../redis/connect.ts'
import { lookAtShelf, type ShelfLook } from '../redis/shelf.ts'
import { indexesComplete } from './shelf-index.ts'
import { shelfVersion } from './version.ts'

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

  /** Not to be asked before it answers again. What waits for one that hangs hears so at once. */
  leaveOut(isHanging: boolean): void {
    this.look = undefined
    if (isHanging && !(this.client instanceof Cluster) && this.client.status === 'ready') {
      (this.client.stream as Socket).destroy()
    }
  }
}
