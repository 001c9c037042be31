/** A node starts only on a ledger that keeps what the node's answers promise. */
import { Cluster, type Redis } from 'ioredis'
import { monotonicMs, sleep } from '../contract/time.ts'
import { type Config, ConfigError } from '../config.ts'
import type { Logger } from '../log.ts'
import type { RedisClient } from './connect.ts'

export type Promises = Pick<Config,
  'ledgerReplicas' | 'ledgerReplicasMin' | 'ledgerFsync' | 'ledgerMemoryLimit'>

interface Facts {
  readonly address: string
  readonly isMaster: boolean
  /** Replicas that are in step. */
  readonly replicas: number
  readonly memory: MemoryUse
  /** Undefined where the server does not tell its settings. */
  readonly settings: Readonly<Record<string, string>> | undefined
}

const SETTINGS = ['appendonly', 'appendfsync', 'maxmemory-policy', 'min-replicas-to-write'] as const
/** Weakest first. */
const FSYNC = ['no', 'everysec', 'always']
/** After a restart of everything, replicas come a moment after their masters. */
const REPLICAS_MS_MAX = 10_000
const POLL_MS = 100

/** Refuses with one sentence; warns where a managed Redis does not tell its settings. */
export async function assertDurable(
  ledger: RedisClient, promises: Promises, log: Logger, withinMs = REPLICAS_MS_MAX,
): Promise<void> {
  const end = monotonicMs() + withinMs
  for (;;) {
    const asked = await Promise.all(nodesOf(ledger).map(factsOf))
    const facts = asked.filter((one) => one !== undefined)
    const weak = facts.map((one) => weakness(one, promises)).find((one) => one !== undefined)
    if (weak) throw new ConfigError(weak)
    const masters = facts.filter(({ isMaster }) => isMaster)
    const short = masters.filter(({ replicas }) => replicas < promises.ledgerReplicas)
    const [first] = short
    if (!first) return warn(facts, promises, log)
    if (monotonicMs() > end) {
      const sentence = `The ledger at ${first.address} has ${first.replicas} replicas in `
        + `step, LEDGER_REPLICAS asks for ${promises.ledgerReplicas}: start them`
      // Without any it is a wrong setting; where some masters have theirs, a machine is down.
      if (short.length === masters.length && promises.ledgerReplicasMin > 0) {
        throw new ConfigError(`${sentence}, or lower it.`)
      }
      log.warn({ ledger: short.map(({ address }) => address) }, `${sentence}.`)
      return warn(facts, promises, log)
    }
    await sleep(POLL_MS)
  }
}

/** A replica's own settings count from the moment when it takes over. */
const nodesOf = (ledger: RedisClient): Redis[] =>
  (ledger instanceof Cluster ? ledger.nodes() : [ledger])

/** Undefined when it does not answer: then it takes no writes either. */
async function factsOf(node: Redis): Promise<Facts | undefined> {
  const { host = '', port = 0 } = node.options
  try {
    if (node.status === 'wait') await node.connect()
    const info = await node.info('replication')
    return {
      address: `${host}:${port}`,
      isMaster: info.includes('role:master'),
      replicas: (info.match(/^slave\d+:.*state=online/gm) ?? []).length,
      memory: await memoryUse(node),
      settings: await settingsOf(node),
    }
  } catch {
    return undefined
  }
}

async function settingsOf(node: Redis): Promise<Record<string, string> | undefined> {
  try {
    const found = await Promise.all(SETTINGS.map((name) => node.config('GET', name)))
    return Object.fromEntries(found as [string, string][])
  } catch (error) {
    if ((error as Error).name === 'ReplyError') return undefined
    throw error
  }
}

function weakness(
  { address, settings, memory }: Facts, { ledgerFsync, ledgerMemoryLimit }: Promises,
): string | undefined {
  if (memory.max === 0 && ledgerMemoryLimit === 'required') return unlimited(address)
  if (!settings) return undefined
  const { appendonly, appendfsync = 'no', 'maxmemory-policy': policy = 'noeviction' } = settings
  if (appendonly === 'no') {
    return `The ledger at ${address} keeps no log of its writes (appendonly no), and would lose `
      + 'orders with its process: set appendonly yes.'
  }
  if (FSYNC.indexOf(appendfsync) < FSYNC.indexOf(ledgerFsync)) {
    return `The ledger at ${address} syncs its log with appendfsync ${appendfsync}, LEDGER_FSYNC `
      + `asks for ${ledgerFsync}: change one of them.`
  }
  if (policy !== 'noeviction') {
    return `The ledger at ${address} would drop orders when its memory is full `
      + `(maxmemory-policy ${policy}): set it to noeviction.`
  }
  return undefined
}

const unlimited = (address: string): string =>
  `The ledger at ${address} has no maxmemory: full, it is ended by its machine instead of refusing `
    + 'new orders. Set maxmemory to at most half of the memory that it may use, or '
    + 'LEDGER_MEMORY_LIMIT=warn to start all the same.'

/** A rewrite of the log copies the pages that change meanwhile, and replicas have buffers. */
const SHARE_MAX = 0.75

function warn(
  facts: readonly Facts[], { ledgerReplicas, ledgerReplicasMin }: Promises, log: Logger,
): void {
  const masters = facts.filter(({ isMaster }) => isMaster)
  const silent = facts.filter(({ settings }) => !settings).map(({ address }) => address)
  if (silent.length > 0) {
    log.warn({ ledger: silent }, 'the ledger does not tell its settings: make sure that it keeps '
      + 'a log, syncs it as LEDGER_FSYNC says and evicts nothing')
  }
  for (const { address, memory: { max, machine } } of facts) {
    if (max === 0) log.warn(unlimited(address))
    else if (machine > 0 && max > machine * SHARE_MAX) {
      log.warn({ ledger: address }, 'maxmemory leaves too little of its machine for a rewrite of '
        + 'the log and for replicas: set it to half of the memory')
    }
  }
  if (ledgerReplicas === 0) return
  const fences = masters.filter(({ settings }) => settings).map(({ address, settings }) =>
    ({ address, fence: Number(settings?.['min-replicas-to-write']) }))
  const unfenced = fences.filter(({ fence }) => fence < ledgerReplicasMin)
  if (unfenced.length > 0) {
    log.warn({ ledger: unfenced.map(({ address }) => address) }, 'a master without its replicas '
      + 'takes writes that nobody is told of: set min-replicas-to-write to LEDGER_REPLICAS_MIN')
  }
  const strict = fences.filter(({ fence }) => fence > ledgerReplicasMin)
  if (strict.length > 0) {
    log.warn({ ledger: strict.map(({ address }) => address) }, 'LEDGER_REPLICAS_MIN has no effect '
      + 'on a master that refuses writes by itself: set its min-replicas-to-write to the same')
  }
  if (masters.some(({ replicas }) => replicas > ledgerReplicas)) {
    log.warn('there are more replicas than LEDGER_REPLICAS: one that lacks the last orders may '
      + 'take over; only as many as there are exclude it')
  }
}

export interface MemoryUse {
  /** Bytes; 0 where there is no limit. */
  readonly max: number
  readonly used: number
  /** Bytes of the machine that it runs on. */
  readonly machine: number
  /** Whether its last write to the disk, and its last rewrite or snapshot, went well. */
  readonly isPersisting: boolean
}

/** What INFO says, which a managed Redis tells, too. */
export async function memoryUse(redis: Redis): Promise<MemoryUse> {
  const [memory, persistence] = await Promise.all([
    redis.info('memory'), redis.info('persistence'),
  ])
  const number = (name: string): number =>
    Number(RegExp(`^${name}:(\\d+)`, 'm').exec(memory)?.[1] ?? 0)
  return {
    max: number('maxmemory'), used: number('used_memory'),
    machine: number('total_system_memory'),
    isPersisting: !/^(aof_last_write_status|aof_last_bgrewrite_status|rdb_last_bgsave_status):err/m
      .test(persistence),
  }
}
