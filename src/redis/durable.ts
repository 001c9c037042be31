/**
 * Writes that are acknowledged only when they cannot be lost. The ledger syncs its file before it
 * answers; with replicas, one WAIT covers a whole batch of calls. A call that certainly did not run
 * is repeated while its caller waits; one that may have run has an unknown outcome: the caller is
 * told to retry, never that it failed.
 */
import { Cluster, type Redis } from 'ioredis'
import { monotonicMs, sleep, withDeadline } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { Logger } from '../log.ts'
import { measures } from '../measures.ts'
import { classifyError, type Redirect } from './command-errors.ts'
import { copyRedis, type RedisClient } from './connect.ts'
import { ledger as keys } from './keys.ts'
import type { Operand, Script } from './script.ts'
import {
  CLUSTER_PATIENCE_MS, connectionTo, exchange, isOneServer, keyOf, masterAddress, mastersOf,
  readWith, refreshSlots, replicasFor, RETRY_MS, withAsking, type Command, type KeyCommand,
  type Read, type Reply,
} from './send.ts'

export interface Durable {
  /** Whether the ledger is no cluster: a script may then change keys of several slots. */
  readonly isOneServer: boolean
  /** Runs a script. It must write even when it only repeats an answer: see below. */
  run<K extends string, A extends string, R>(
    script: Script<K, A, R>, keys: Record<K, string>, args: Record<A, string | number>,
  ): Promise<R>
  /** Runs one command. */
  send(...command: KeyCommand): Promise<unknown>
  /**
   * Reads what no failover takes back: the answer comes once the replicas have everything that it
   * shows. With no replicas to wait for it is a plain read.
   */
  read: Read
  close(): void
}

export interface DurableOptions {
  /** Must carry nothing but these writes: a WAIT holds up whatever stands behind it. */
  readonly client: RedisClient
  /** Replicas that must have a write before it is acknowledged. */
  readonly replicas: number
  /** How many suffice while the cluster has marked the others as failed; `replicas` by default. */
  readonly replicasMin?: number
  readonly log: Logger
  /** How long a call that did not run is repeated on a cluster: as long as its caller waits. */
  readonly patienceMs?: number
  /** Calls that share one WAIT; fewer only to measure what sharing gains. */
  readonly batchMax?: number
}

interface Job {
  readonly key: string
  readonly script: Script<string, string, unknown> | undefined
  readonly operands: readonly Operand[]
  readonly isRead: boolean
  readonly since: number
  /** Whether the server does not know the script's hash yet. */
  bySource: boolean
  /** Where the last try was sent. */
  redirect: Redirect | undefined
  readonly resolve: (reply: unknown) => void
  readonly reject: (error: Error) => void
}

/** What goes to one master over one connection: a batch at a time, while the next one fills. */
interface ConnectionQueue {
  readonly address: string
  readonly client: RedisClient
  readonly jobs: Job[]
  isBusy: boolean
  /** The connection that was found last: a look for each call would cost more. */
  redis: Redis | undefined
}

interface Connection {
  readonly client: RedisClient
  /** By the master's address. */
  readonly queues: Map<string, ConnectionQueue>
}

/** Under the client's command timeout, so that a short WAIT and a dead connection differ. */
const WAIT_MS = 800
const BATCH_MAX = 256
const JOBS_MAX = 10_000
/** Nobody takes over from a single Redis: its callers are refused this soon. */
const SINGLE_PATIENCE_MS = 2000
/**
 * A master that lacks the replicas which an acknowledgement needs: callers are refused after this
 * long, since the missing replica returns after seconds at best.
 */
const SHORT_PATIENCE_MS = 700
const EXEC_MS_MAX = 3000
/**
 * Redis reads at most 16 kB of a connection before it syncs its file: over one connection a batch
 * of orders costs several syncs, over a few it shares each with the others.
 */
const CONNECTIONS = 4

/** A key that only makes a batch of reads write; longer than the batch lasts. */
const FENCE_MS = 10_000
/** Under the time that a command has at most over any connection. */
const COPIED_MS_MAX = 1000

const NO_REPLY = new Error('no reply')

/** Queues calls for the masters of their keys, and sends them in batches that share one WAIT. */
class DurableSender {
  private readonly options: DurableOptions
  private readonly replicasMin: number
  private readonly patienceMs: number
  private readonly connections: readonly Connection[]
  private turn = 0
  private pending = 0
  private isClosed = false

  constructor(options: DurableOptions) {
    const { client, replicas, replicasMin = replicas, log, patienceMs } = options
    this.options = options
    this.replicasMin = replicasMin
    this.patienceMs = client instanceof Cluster
      ? patienceMs ?? CLUSTER_PATIENCE_MS : SINGLE_PATIENCE_MS
    const copies = Array.from({ length: CONNECTIONS - 1 }, () =>
      copyRedis(client, log, 'ledger'))
    this.connections = [client, ...copies].map((one) => ({ client: one, queues: new Map() }))
  }

  enqueue(
    key: string, operands: readonly Operand[], script?: Job['script'], isRead = false,
  ): Promise<unknown> {
    if (this.pending >= JOBS_MAX) return Promise.reject(new Refusal('unavailable'))
    this.pending += 1
    return new Promise((resolve, reject) => {
      this.submit({
        key, script, operands, isRead, since: monotonicMs(), bySource: false, redirect: undefined,
        resolve, reject,
      })
    })
  }

  close(): void {
    this.isClosed = true
    for (const { client } of this.connections) client.disconnect()
  }

  private submit(job: Job): void {
    const queue = this.queueFor(job)
    queue.jobs.push(job)
    if (!queue.isBusy) this.schedule(queue)
  }

  /** The queue to the key's master that has the least to do, of the connections that stand. */
  private queueFor({ key, redirect }: Job): ConnectionQueue {
    let best: ConnectionQueue | undefined
    for (let tried = 0; tried < this.connections.length; tried += 1) {
      this.turn = (this.turn + 1) % this.connections.length
      const { client, queues } = this.connections[this.turn] as Connection
      const address = redirect?.address ?? masterAddress(client, key)
      let queue = queues.get(address)
      if (!queue) {
        queue = { address, client, jobs: [], isBusy: false, redis: undefined }
        queues.set(address, queue)
      }
      if (!best || isBetter(queue, best)) best = queue
    }
    return best as ConnectionQueue
  }

  /** What is submitted until the end of this turn of the loop goes together. */
  private schedule(queue: ConnectionQueue): void {
    queue.isBusy = true
    setImmediate(() => { void this.flush(queue) })
  }

  private async flush(queue: ConnectionQueue): Promise<void> {
    const redis = connectionOf(queue)
    if (redis) {
      const { batchMax = BATCH_MAX } = this.options
      const batch = queue.jobs.splice(0, batchMax).filter((job) => this.isStillWanted(job, queue))
      if (batch.length > 0) await this.execute(redis, batch)
    } else {
      // Nothing was sent: the master comes back, or another takes over, within their patience.
      refreshSlots(queue.client)
      await sleep(RETRY_MS)
      for (const job of queue.jobs.splice(0)) {
        job.redirect = undefined
        if (this.isStillWanted(job, queue)) this.submit(job)
      }
    }
    queue.isBusy = false
    if (queue.jobs.length > 0) this.schedule(queue)
  }

  /** Copies that acknowledge a call: all that were asked for, or those that can be had. */
  private copiesFor({ key }: Job): number {
    const { client, replicas } = this.options
    return Math.min(replicas, Math.max(this.replicasMin, replicasFor(client, key)))
  }

  /** False when its time is over, or when its key has gone to another master meanwhile. */
  private isStillWanted(job: Job, { client, address }: ConnectionQueue): boolean {
    const limitMs = replicasFor(client, job.key) < this.replicasMin
      ? Math.min(this.patienceMs, SHORT_PATIENCE_MS) : this.patienceMs
    if (this.isClosed || monotonicMs() - job.since > limitMs) {
      this.fail(job, new Refusal('unavailable'))
      return false
    }
    if (job.redirect || masterAddress(client, job.key) === address) return true
    this.submit(job)
    return false
  }

  private async execute(redis: Redis, batch: readonly Job[]): Promise<void> {
    const { log } = this.options
    const fence = batch.find(({ isRead }) => isRead)
    const commands: Command[] = []
    for (const job of batch) {
      if (job.redirect) commands.push(...withAsking(job.redirect, commandOf(job)))
      else commands.push(commandOf(job))
    }
    if (fence) {
      commands.push(...withAsking(fence.redirect,
        ['set', keys.fence(fence.key), '', 'PX', FENCE_MS]))
    }
    let wanted = 0
    for (const job of batch) wanted = Math.max(wanted, this.copiesFor(job))
    if (wanted > 0) commands.push(['wait', wanted, WAIT_MS])
    let replies: readonly Reply[]
    const writes = batch.filter(({ isRead }) => !isRead).length
    if (writes > 0) measures.commitSize.record(writes)
    try {
      replies = await withDeadline(exchange(redis, commands), EXEC_MS_MAX,
        () => new Error('no answer in time'))
    } catch (error) {
      log.warn({ error: (error as Error).message, calls: batch.length }, 'ledger write failed')
      for (const job of batch) this.fail(job, new Refusal('unavailable', {}, error))
      return
    }
    const [waitError, copies] = wanted > 0 ? replies.at(-1) ?? [null, 0] : [null, 0]
    const isDurable = !waitError && Number(copies) >= wanted
    if (!isDurable) log.warn({ copies, calls: batch.length }, 'ledger write not replicated in time')
    const [fenceError] = fence ? replies[batch.length] ?? [NO_REPLY] : [null]
    for (const [index, job] of batch.entries()) {
      const reply = job.isRead && fenceError ? [fenceError, null] as const : replies[index]
      this.finish(job, reply, isDurable)
    }
  }

  private finish(job: Job, [error, value]: Reply = [NO_REPLY, null], isDurable: boolean): void {
    const wasRedirected = job.redirect !== undefined
    job.redirect = undefined
    if (!error) {
      if (!isDurable) return this.fail(job, new Refusal('unavailable'))
      this.release(job)
      return job.resolve(value)
    }
    const found = classifyError(error)
    if (found.kind === 'source' && !job.bySource) {
      job.bySource = true
      this.submit(job)
    } else if (found.kind === 'redirect' || found.kind === 'later') {
      for (const { client } of this.connections) refreshSlots(client)
      if (found.kind === 'redirect') job.redirect = found.to
      // Two masters that send a call to each other do not know the new owner yet.
      if (found.kind === 'redirect' && !wasRedirected) this.submit(job)
      else void sleep(RETRY_MS).then(() => this.submit(job))
    } else if (found.kind === 'defect') {
      // The client's error carries the operands, which are nobody's business.
      this.fail(job, new Error(`${job.script?.name ?? 'command'}: ${error.message}`))
    } else {
      this.fail(job, new Refusal('unavailable', {}, new Error(error.message)))
    }
  }

  private fail(job: Job, error: Error): void {
    this.release(job)
    job.reject(error)
  }

  private release({ since, isRead }: Job): void {
    this.pending -= 1
    if (!isRead) measures.commitWait.record((monotonicMs() - since) / 1000)
  }
}

/**
 * WAIT on a connection that has written nothing succeeds at once, even with the replica dead;
 * that is why a script that finds its work done must still touch the record, and why one write
 * follows the reads of a batch: replicas that have it have all that was there when they were made.
 */
export function createDurable(options: DurableOptions): Durable {
  const sender = new DurableSender(options)
  return {
    isOneServer: isOneServer(options.client),
    async run(script, keys, args) {
      const operands = script.operands(keys, args)
      return script.read(await sender.enqueue(String(operands[1]), operands, script as never))
    },
    send: (...command) => sender.enqueue(command[1], command),
    read: options.replicas > 0
      ? (...command) => sender.enqueue(keyOf(command), command, undefined, true)
      : readWith(options.client),
    close: () => sender.close(),
  }
}

/**
 * Waits until every replica that is in step has what this client wrote: one WAIT for many writes,
 * over the connections that carried them. Without replicas there is nobody to wait for.
 */
export async function untilCopied(client: RedisClient): Promise<void> {
  await Promise.all(mastersOf(client).map(async (master) => {
    const info = await master.info('replication')
    const replicas = (info.match(/^slave\d+:.*state=online/gm) ?? []).length
    if (replicas === 0) return
    const copies = Number(await master.call('WAIT', String(replicas), String(COPIED_MS_MAX)))
    if (copies < replicas) {
      throw new Error(`Only ${copies} of ${replicas} replicas have what was written: repeat it.`)
    }
  }))
}

function connectionOf(queue: ConnectionQueue): Redis | undefined {
  if (queue.redis?.status !== 'ready') queue.redis = connectionTo(queue.client, queue.address)
  return queue.redis
}

function isBetter(queue: ConnectionQueue, other: ConnectionQueue): boolean {
  const isReady = connectionOf(queue) !== undefined
  if (isReady !== (connectionOf(other) !== undefined)) return isReady
  if (queue.isBusy !== other.isBusy) return other.isBusy
  return queue.jobs.length < other.jobs.length
}

function commandOf({ script, bySource, operands }: Job): Command {
  if (!script) return operands as unknown as Command
  return bySource ? ['eval', script.source, ...operands] : ['evalsha', script.sha, ...operands]
}
