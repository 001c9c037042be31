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
import type { Script } from './script.ts'
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
  readonly operands: readonly (string | number)[]
  readonly since: number
  attempts: number
  /** Whether the server does not know the script's hash yet. */
  bySource: boolean
  resolve(reply: unknown): void
  reject(error: Error): void
}

interface Lane {
  readonly name: string
  queue: Job[]
  flying: number
  scheduled: boolean
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
/** WAIT counts the connection's own writes, so with replicas a batch follows the last one. */
const FLYING_MAX_WAITING = 1
const FLYING_MAX = 4

/**
 * `client` must carry nothing but these writes: a WAIT holds up whatever stands behind it.
 * WAIT on a connection that has written nothing succeeds at once, even with the replica dead;
 * that is why a script that finds its work done must still touch the record.
 */
export function createDurable(
  { client, replicas, log }: { client: RedisClient, replicas: number, log: Logger },
): Durable {
  const lanes = new Map<string, Lane>()
  const flyingMax = replicas > 0 ? FLYING_MAX_WAITING : FLYING_MAX
  let held = 0

  function submit(job: Job): void {
    const name = laneOf(client, job.key)
    let lane = lanes.get(name)
    if (!lane) lanes.set(name, lane = { name, queue: [], flying: 0, scheduled: false })
    lane.queue.push(job)
    pump(lane)
  }

  function pump(lane: Lane): void {
    if (lane.queue.length === 0 && lane.flying === 0) lanes.delete(lane.name)
    if (lane.scheduled || lane.flying >= flyingMax || lane.queue.length === 0) return
    lane.scheduled = true
    setImmediate(() => {
      lane.scheduled = false
      void flush(lane)
    })
  }

  async function flush(lane: Lane): Promise<void> {
    const batch: Job[] = []
    for (const job of lane.queue.splice(0, BATCH_MAX)) {
      if (monotonicMs() - job.since > QUEUED_MS_MAX) job.reject(new Refusal('unavailable'))
      else if (laneOf(client, job.key) !== lane.name) submit(job)
      else batch.push(job)
    }
    if (batch.length > 0) {
      lane.flying += 1
      pump(lane)
      await execute(batch)
      lane.flying -= 1
    }
    pump(lane)
  }

  async function execute(batch: readonly Job[]): Promise<void> {
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
    for (const [index, job] of batch.entries()) settle(job, replies[index], isDurable)
  }

  function settle(job: Job, reply: Reply | undefined, isDurable: boolean): void {
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
    close: () => client.disconnect(),
  }
}

function commandOf({ script, bySource, operands }: Job): (string | number)[] {
  if (!script) return [...operands]
  return bySource ? ['eval', script.source, ...operands] : ['evalsha', script.sha, ...operands]
}
