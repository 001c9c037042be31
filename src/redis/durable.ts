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
import { nameOf, type RedisClient } from './connect.ts'
import { countWrites } from './gather.ts'
import { ledger as keys } from './keys.ts'
import { logOutages } from './outages.ts'
import { connectionTo, laneOf, learn, replicasFor } from './route.ts'
import type { Operand, Script } from './script.ts'
import { readWith, type KeyCommand } from './slots.ts'
import { verdictOf, type Redirect } from './verdict.ts'

export interface Durable {
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
  read(...command: KeyCommand): Promise<unknown>
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

/** What goes to one master over one connection: a batch at a time, while the next one gathers. */
interface Lane {
  readonly address: string
  readonly client: RedisClient
  readonly queue: Job[]
  isBusy: boolean
  /** The connection that was found last; a lane is asked for every call. */
  redis: Redis | undefined
}

type Reply = readonly [error: Error | null, value: unknown]

/** Under the client's command timeout, so that a short WAIT is told from a dead connection. */
const WAIT_MS = 800
const BATCH_MAX = 256
const JOBS_MAX = 10_000
/** One Redis that is away has nobody who takes over: its callers hear so soon. */
const SINGLE_PATIENCE_MS = 2000
/**
 * A master that lacks the replicas which an acknowledgement needs: callers are refused after this
 * long, since the missing replica returns after seconds at best.
 */
const SHORT_PATIENCE_MS = 700
/** Longer than a failover, which takes four seconds with a node timeout of two. */
const CLUSTER_PATIENCE_MS = 8000
const EXEC_MS_MAX = 3000
const AGAIN_MS = 25
/**
 * Redis reads at most 16 kB of a connection before it syncs its file: over one connection a batch
 * of orders costs several syncs, over a few it shares each with the others.
 */
const CONNECTIONS = 4

/** A key that only makes a batch of reads write; longer than the batch lasts. */
const FENCE_MS = 10_000

/**
 * WAIT on a connection that has written nothing succeeds at once, even with the replica dead;
 * that is why a script that finds its work done must still touch the record, and why one write
 * follows the reads of a batch: replicas that have it have all that was there when they were made.
 */
export function createDurable(options: DurableOptions): Durable {
  const { client, replicas, replicasMin = replicas, log, batchMax = BATCH_MAX } = options
  const patienceMs = client instanceof Cluster
    ? options.patienceMs ?? CLUSTER_PATIENCE_MS : SINGLE_PATIENCE_MS
  const connections = [client, ...Array.from({ length: CONNECTIONS - 1 }, () => again(client))]
    .map((one) => ({ client: one, lanes: new Map<string, Lane>() }))
  let turn = 0
  let held = 0
  let isClosed = false

  function again(original: RedisClient): RedisClient {
    const copy = original instanceof Cluster ? original.duplicate() : original.duplicate()
    countWrites(copy, 'ledger')
    logOutages(copy, nameOf(copy), log)
    return copy
  }

  function enqueue(
    key: string, operands: readonly Operand[],
    { script, isRead = false }: Partial<Pick<Job, 'script' | 'isRead'>> = {},
  ): Promise<unknown> {
    if (held >= JOBS_MAX) return Promise.reject(new Refusal('unavailable'))
    held += 1
    return new Promise((resolve, reject) => {
      submit({
        key, script, operands, isRead, since: monotonicMs(), bySource: false, redirect: undefined,
        resolve, reject,
      })
    })
  }

  function submit(job: Job): void {
    const lane = laneFor(job)
    lane.queue.push(job)
    if (!lane.isBusy) pump(lane)
  }

  /** The lane to the key's master that has the least to do, of the connections that stand. */
  function laneFor({ key, redirect }: Job): Lane {
    let best: Lane | undefined
    for (let tried = 0; tried < connections.length; tried += 1) {
      turn = (turn + 1) % connections.length
      const { client, lanes } = connections[turn] as (typeof connections)[number]
      const address = redirect?.address ?? laneOf(client, key)
      let lane = lanes.get(address)
      if (!lane) {
        lane = { address, client, queue: [], isBusy: false, redis: undefined }
        lanes.set(address, lane)
      }
      if (!best || isBetter(lane, best)) best = lane
    }
    return best as Lane
  }

  /** What is submitted until the end of this turn of the loop goes together. */
  function pump(lane: Lane): void {
    lane.isBusy = true
    setImmediate(() => { void flush(lane) })
  }

  async function flush(lane: Lane): Promise<void> {
    const redis = connectionOf(lane)
    if (redis) {
      const batch = lane.queue.splice(0, batchMax).filter((job) => isStillWanted(job, lane))
      if (batch.length > 0) await execute(redis, batch)
    } else {
      // Nothing was sent: the master comes back, or another takes over, within their patience.
      learn(lane.client)
      await sleep(AGAIN_MS)
      for (const job of lane.queue.splice(0)) {
        job.redirect = undefined
        if (isStillWanted(job, lane)) submit(job)
      }
    }
    lane.isBusy = false
    if (lane.queue.length > 0) pump(lane)
  }

  /** Copies that acknowledge a call: all that were asked for, or those that can be had. */
  function copiesFor({ key }: Job): number {
    return Math.min(replicas, Math.max(replicasMin, replicasFor(client, key)))
  }

  /** False when its time is over, or when its key has gone to another master meanwhile. */
  function isStillWanted(job: Job, lane: Lane): boolean {
    const limitMs = replicasFor(lane.client, job.key) < replicasMin
      ? Math.min(patienceMs, SHORT_PATIENCE_MS) : patienceMs
    if (isClosed || monotonicMs() - job.since > limitMs) {
      fail(job, new Refusal('unavailable'))
      return false
    }
    if (job.redirect || laneOf(lane.client, job.key) === lane.address) return true
    submit(job)
    return false
  }

  async function execute(redis: Redis, batch: readonly Job[]): Promise<void> {
    const fence = batch.find(({ isRead }) => isRead)
    const commands = batch.flatMap((job) => withAsking(job, commandOf(job)))
    if (fence) {
      commands.push(...withAsking(fence, ['set', keys.fence(fence.key), '', 'PX', FENCE_MS]))
    }
    const wanted = Math.max(...batch.map(copiesFor))
    if (wanted > 0) commands.push(['wait', wanted, WAIT_MS])
    let replies: readonly Reply[]
    const writes = batch.filter(({ isRead }) => !isRead).length
    if (writes > 0) measures.commitSize.record(writes)
    try {
      const exec = redis.pipeline(commands).exec()
      replies = await withDeadline(exec, EXEC_MS_MAX, () => new Error('no answer in time')) ?? []
    } catch (error) {
      log.warn({ error: (error as Error).message, calls: batch.length }, 'ledger write failed')
      for (const job of batch) fail(job, new Refusal('unavailable', {}, error))
      return
    }
    const [waitError, copies] = wanted > 0 ? replies.at(-1) ?? [null, 0] : [null, 0]
    const isDurable = !waitError && Number(copies) >= wanted
    const results = replies.filter((_, index) => commands[index]?.[0] !== 'asking')
    if (!isDurable) log.warn({ copies, calls: batch.length }, 'ledger write not replicated in time')
    const [fenceError] = fence ? results[batch.length] ?? [NO_REPLY] : [null]
    for (const [index, job] of batch.entries()) {
      const reply = job.isRead && fenceError ? [fenceError, null] as const : results[index]
      settle(job, reply, isDurable)
    }
  }

  function settle(job: Job, [error, value]: Reply = [NO_REPLY, null], isDurable: boolean): void {
    const wasSentOn = job.redirect !== undefined
    job.redirect = undefined
    if (!error) {
      if (!isDurable) return fail(job, new Refusal('unavailable'))
      leave(job)
      return job.resolve(value)
    }
    const verdict = verdictOf(error)
    if (verdict.kind === 'source' && !job.bySource) {
      job.bySource = true
      submit(job)
    } else if (verdict.kind === 'redirect' || verdict.kind === 'later') {
      learnAll()
      if (verdict.kind === 'redirect') job.redirect = verdict.to
      // Two masters that send a call to each other have not heard the news yet.
      if (verdict.kind === 'redirect' && !wasSentOn) submit(job)
      else void sleep(AGAIN_MS).then(() => submit(job))
    } else if (verdict.kind === 'defect') {
      // The client's error carries the operands, which are nobody's business.
      fail(job, new Error(`${job.script?.name ?? 'command'}: ${error.message}`))
    } else {
      fail(job, new Refusal('unavailable', {}, new Error(error.message)))
    }
  }

  function learnAll(): void {
    for (const { client } of connections) learn(client)
  }

  function fail(job: Job, error: Error): void {
    leave(job)
    job.reject(error)
  }

  function leave({ since, isRead }: Job): void {
    held -= 1
    if (!isRead) measures.commitWait.record((monotonicMs() - since) / 1000)
  }

  return {
    async run(script, keys, args) {
      const operands = script.operands(keys, args)
      return script.read(await enqueue(String(operands[1]), operands, { script: script as never }))
    },
    send: (...command) => enqueue(command[1], command),
    read: replicas > 0
      ? (...command) => enqueue(command[1], command, { isRead: true }) : readWith(client),
    close() {
      isClosed = true
      for (const { client } of connections) client.disconnect()
    },
  }
}

const NO_REPLY = new Error('no reply')

function connectionOf(lane: Lane): Redis | undefined {
  if (lane.redis?.status !== 'ready') lane.redis = connectionTo(lane.client, lane.address)
  return lane.redis
}

function isBetter(lane: Lane, other: Lane): boolean {
  const isReady = connectionOf(lane) !== undefined
  if (isReady !== (connectionOf(other) !== undefined)) return isReady
  if (lane.isBusy !== other.isBusy) return other.isBusy
  return lane.queue.length < other.queue.length
}

const withAsking = ({ redirect }: Job, command: Operand[]): Operand[][] =>
  (redirect?.isAsk ? [['asking'], command] : [command])

function commandOf({ script, bySource, operands }: Job): Operand[] {
  if (!script) return [...operands]
  return bySource ? ['eval', script.source, ...operands] : ['evalsha', script.sha, ...operands]
}
