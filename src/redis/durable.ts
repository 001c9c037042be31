/**
 * Writes that are acknowledged only when they cannot be lost. The ledger syncs its file before it
 * answers; with replicas, one WAIT covers a whole batch of calls. What is not confirmed has an
 * unknown outcome: the caller is told to retry, never that it failed.
 */
import { Cluster } from 'ioredis'
import { monotonicMs, sleep, withDeadline } from '../clock.ts'
import { Refusal } from '../errors.ts'
import type { Logger } from '../log.ts'
import { openRedis, untilReady, type RedisClient } from './connect.ts'
import type { Operand, Script } from './script.ts'
import { laneOf, type KeyCommand } from './slots.ts'

export interface Durable {
  /** Runs a script. It must write even when it only repeats an answer: see below. */
  run<K extends string, A extends string, R>(
    script: Script<K, A, R>, keys: Record<K, string>, args: Record<A, string | number>,
  ): Promise<R>
  /** Runs one command. */
  send(...command: KeyCommand): Promise<unknown>
  close(): void
}

interface Job {
  readonly key: string
  readonly script?: Script<string, string, unknown>
  readonly operands: readonly Operand[]
  readonly since: number
  attempts: number
  /** Whether the server does not know the script's hash yet. */
  bySource: boolean
  resolve(reply: unknown): void
  reject(error: Error): void
}

/** What goes to one master over one connection: a batch at a time, the rest waits. */
interface Lane {
  readonly name: string
  readonly client: RedisClient
  readonly queue: Job[]
  isBusy: boolean
}

type Reply = readonly [error: Error | null, value: unknown]

/** Under the client's command timeout, so that a short WAIT is told from a dead connection. */
const WAIT_MS = 800
const BATCH_MAX = 256
const JOBS_MAX = 10_000
const QUEUED_MS_MAX = 2000
const EXEC_MS_MAX = 3000
const ATTEMPTS_MAX = 6
const REDIRECT_MS = 50
/**
 * Redis takes at most 16 kB of a connection in one turn of its loop, and syncs its file at the end
 * of each turn: over one connection a batch of orders would cost several syncs, over some it
 * shares one with all the others.
 */
const CONNECTIONS = 8

export interface DurableOptions {
  /** Comma-separated seeds mean a cluster, as everywhere. */
  readonly url: string
  readonly replicas: number
  readonly log: Logger
  readonly connections?: number
}

/** Resolves when it can be used. */
export async function openDurable(options: DurableOptions): Promise<Durable> {
  const { url, replicas, log, connections = CONNECTIONS } = options
  const clients = Array.from({ length: connections }, () => openRedis(url, log))
  await Promise.all(clients.map((client) => untilReady(client, 'ledger')))
  return createDurable({ clients, replicas, log })
}

/**
 * `clients` must carry nothing but these writes: a WAIT holds up whatever stands behind it.
 * WAIT on a connection that has written nothing succeeds at once, even with the replica dead;
 * that is why a script that finds its work done must still touch the record.
 */
export function createDurable(
  { clients, replicas, log }: {
    clients: readonly RedisClient[], replicas: number, log: Logger,
  },
): Durable {
  /** By client, then by the name of the master. */
  const lanes = clients.map(() => new Map<string, Lane>())
  let turn = 0
  let held = 0

  /** An idle lane to the key's master, else the one with the least to do. */
  function laneFor(key: string): Lane {
    let best: Lane | undefined
    for (let tried = 0; tried < clients.length; tried += 1) {
      turn = (turn + 1) % clients.length
      const client = clients[turn] as RedisClient
      const name = laneOf(client, key)
      let lane = lanes[turn]?.get(name)
      if (!lane) lanes[turn]?.set(name, lane = { name, client, queue: [], isBusy: false })
      if (!lane.isBusy && lane.queue.length === 0) return lane
      if (!best || lane.queue.length < best.queue.length) best = lane
    }
    return best as Lane
  }

  function submit(job: Job): void {
    const lane = laneFor(job.key)
    lane.queue.push(job)
    if (!lane.isBusy) pump(lane)
  }

  /** What is submitted until the end of this turn of the loop goes together. */
  function pump(lane: Lane): void {
    lane.isBusy = true
    setImmediate(() => { void flush(lane) })
  }

  async function flush(lane: Lane): Promise<void> {
    const batch: Job[] = []
    for (const job of lane.queue.splice(0, BATCH_MAX)) {
      if (monotonicMs() - job.since > QUEUED_MS_MAX) job.reject(new Refusal('unavailable'))
      else if (laneOf(lane.client, job.key) !== lane.name) submit(job)
      else batch.push(job)
    }
    if (batch.length > 0) await execute(lane.client, batch)
    lane.isBusy = false
    if (lane.queue.length > 0) pump(lane)
  }

  async function execute(client: RedisClient, batch: readonly Job[]): Promise<void> {
    const commands = batch.map(commandOf)
    if (replicas > 0) commands.push(['wait', replicas, WAIT_MS])
    let replies: readonly Reply[]
    try {
      const exec = client.pipeline(commands).exec()
      replies = await withDeadline(exec, EXEC_MS_MAX, () => new Error('no answer in time')) ?? []
    } catch (error) {
      log.warn({ error: (error as Error).message, calls: batch.length }, 'ledger write failed')
      for (const job of batch) job.reject(new Refusal('unavailable', {}, error))
      return
    }
    const [waitError, copies] = replicas > 0 ? replies.at(-1) ?? [null, 0] : [null, 0]
    const isDurable = !waitError && Number(copies) >= replicas
    if (!isDurable) log.warn({ copies, calls: batch.length }, 'ledger write not replicated in time')
    for (const [index, job] of batch.entries()) {
      settle(client, job, replies[index], isDurable)
    }
  }

  function settle(
    client: RedisClient, job: Job, reply: Reply | undefined, isDurable: boolean,
  ): void {
    const [error, value] = reply ?? [new Error('no reply'), undefined]
    if (!error) {
      if (isDurable) job.resolve(value)
      else job.reject(new Refusal('unavailable'))
    } else if (job.attempts >= ATTEMPTS_MAX) {
      job.reject(new Refusal('unavailable', {}, new Error(error.message)))
    } else if (error.message.startsWith('NOSCRIPT')) {
      job.bySource = true
      again(job)
    } else if (/^(MOVED|ASK|TRYAGAIN) /.test(error.message)) {
      // Beside a WAIT that succeeded the client neither follows it nor learns from it.
      if (client instanceof Cluster) client.refreshSlotsCache()
      void sleep(REDIRECT_MS).then(() => again(job))
    } else if (/^(ERR|WRONGTYPE) /.test(error.message)) {
      // A defect of ours. The client's error carries the operands, which are nobody's business.
      job.reject(new Error(`${job.script?.name ?? 'command'}: ${error.message}`))
    } else {
      job.reject(new Refusal('unavailable', {}, new Error(error.message)))
    }
  }

  function again(job: Job): void {
    job.attempts += 1
    submit(job)
  }

  async function enqueue(job: Pick<Job, 'key' | 'operands' | 'script'>): Promise<unknown> {
    if (held >= JOBS_MAX) throw new Refusal('unavailable')
    held += 1
    try {
      return await new Promise((resolve, reject) => {
        submit({ ...job, since: monotonicMs(), attempts: 0, bySource: false, resolve, reject })
      })
    } finally {
      held -= 1
    }
  }

  return {
    async run(script, keys, args) {
      const operands = script.operands(keys, args)
      const reply = await enqueue({
        key: String(operands[1]), operands, script: script as never,
      })
      return script.read(reply)
    },
    send: (...command) => enqueue({ key: command[1], operands: command }),
    close() {
      for (const client of clients) client.disconnect()
    },
  }
}

function commandOf({ script, bySource, operands }: Job): Operand[] {
  if (!script) return [...operands]
  return bySource ? ['eval', script.source, ...operands] : ['evalsha', script.sha, ...operands]
}
