/**
 * Writes that are acknowledged only when they cannot be lost. The ledger syncs its file before it
 * answers; with replicas, one WAIT covers a whole batch of calls. What is not confirmed has an
 * unknown outcome: the caller is told to retry, never that it failed.
 */
import { Cluster } from 'ioredis'
import { monotonicMs, sleep, withDeadline } from '../clock.ts'
import { Refusal } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { RedisClient } from './connect.ts'
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
  readonly script: Script<string, string, unknown> | undefined
  readonly operands: readonly Operand[]
  readonly since: number
  attempts: number
  /** Whether the server does not know the script's hash yet. */
  bySource: boolean
  readonly resolve: (reply: unknown) => void
  readonly reject: (error: Error) => void
}

/** What goes to one master over one connection: a batch at a time, while the next one gathers. */
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
 * Redis reads at most 16 kB of a connection before it syncs its file: over one connection a batch
 * of orders costs several syncs, over a few it shares each with the others.
 */
const CONNECTIONS = 4

/**
 * `client` must carry nothing but these writes: a WAIT holds up whatever stands behind it.
 * WAIT on a connection that has written nothing succeeds at once, even with the replica dead;
 * that is why a script that finds its work done must still touch the record.
 */
export function createDurable(
  { client, replicas, log }: { client: RedisClient, replicas: number, log: Logger },
): Durable {
  const connections = [client, ...Array.from({ length: CONNECTIONS - 1 }, () => again(client))]
    .map((one) => ({ client: one, lanes: new Map<string, Lane>() }))
  let turn = 0
  let held = 0

  function again(original: RedisClient): RedisClient {
    const copy = original instanceof Cluster ? original.duplicate() : original.duplicate()
    copy.on('error', (error: Error) => log.warn({ error: error.message }, 'redis connection'))
    return copy
  }

  function enqueue(
    key: string, operands: readonly Operand[], script?: Script<string, string, unknown>,
  ): Promise<unknown> {
    if (held >= JOBS_MAX) return Promise.reject(new Refusal('unavailable'))
    held += 1
    return new Promise((resolve, reject) => {
      submit({
        key, script, operands, since: monotonicMs(), attempts: 0, bySource: false, resolve, reject,
      })
    })
  }

  function submit(job: Job): void {
    const lane = laneFor(job.key)
    lane.queue.push(job)
    if (!lane.isBusy) pump(lane)
  }

  /** The lane to the key's master that has the least to do, of the connections that stand. */
  function laneFor(key: string): Lane {
    let best: Lane | undefined
    for (let tried = 0; tried < connections.length; tried += 1) {
      turn = (turn + 1) % connections.length
      const { client, lanes } = connections[turn] as (typeof connections)[number]
      const name = laneOf(client, key)
      let lane = lanes.get(name)
      if (!lane) lanes.set(name, lane = { name, client, queue: [], isBusy: false })
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
    const batch: Job[] = []
    const now = monotonicMs()
    for (const job of lane.queue.splice(0, BATCH_MAX)) {
      if (now - job.since > QUEUED_MS_MAX) fail(job, new Refusal('unavailable'))
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
      for (const job of batch) fail(job, new Refusal('unavailable', {}, error))
      return
    }
    const [waitError, copies] = replicas > 0 ? replies.at(-1) ?? [null, 0] : [null, 0]
    const isDurable = !waitError && Number(copies) >= replicas
    if (!isDurable) log.warn({ copies, calls: batch.length }, 'ledger write not replicated in time')
    for (const [index, job] of batch.entries()) settle(client, job, replies[index], isDurable)
  }

  function settle(
    client: RedisClient, job: Job, reply: Reply | undefined, isDurable: boolean,
  ): void {
    const error = reply ? reply[0] : new Error('no reply')
    if (!error && isDurable) {
      held -= 1
      job.resolve(reply?.[1])
    } else if (!error || job.attempts >= ATTEMPTS_MAX) {
      fail(job, new Refusal('unavailable', {}, error && new Error(error.message)))
    } else if (error.message.startsWith('NOSCRIPT')) {
      job.bySource = true
      repeat(job)
    } else if (/^(MOVED|ASK|TRYAGAIN) /.test(error.message)) {
      // Beside a WAIT that succeeded the client neither follows it nor learns from it.
      if (client instanceof Cluster) client.refreshSlotsCache()
      void sleep(REDIRECT_MS).then(() => repeat(job))
    } else if (/^(ERR|WRONGTYPE) /.test(error.message)) {
      // A defect of ours. The client's error carries the operands, which are nobody's business.
      fail(job, new Error(`${job.script?.name ?? 'command'}: ${error.message}`))
    } else {
      fail(job, new Refusal('unavailable', {}, new Error(error.message)))
    }
  }

  function repeat(job: Job): void {
    job.attempts += 1
    submit(job)
  }

  function fail(job: Job, error: Error): void {
    held -= 1
    job.reject(error)
  }

  return {
    async run(script, keys, args) {
      const operands = script.operands(keys, args)
      return script.read(await enqueue(String(operands[1]), operands, script as never))
    },
    send: (...command) => enqueue(command[1], command),
    close() {
      for (const { client } of connections) client.disconnect()
    },
  }
}

const isReady = ({ client }: Lane): boolean => client.status === 'ready'

function isBetter(lane: Lane, other: Lane): boolean {
  if (isReady(lane) !== isReady(other)) return isReady(lane)
  if (lane.isBusy !== other.isBusy) return other.isBusy
  return lane.queue.length < other.queue.length
}

function commandOf({ script, bySource, operands }: Job): Operand[] {
  if (!script) return [...operands]
  return bySource ? ['eval', script.source, ...operands] : ['evalsha', script.sha, ...operands]
}
