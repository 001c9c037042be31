/**
 * Where the load goes and as whom: a service that runs here, with nodes and keys made for the run,
 * or any other.
 */
import { MALL_NAMES } from '../../adapters/names.ts'
import defaults from '../../config/default.json' with { type: 'json' }
import type { ApiKeys } from '../../src/accounts/api-keys.ts'
import { withAccounts, withLedger, type WithLedger } from '../../src/commands/context.ts'
import { type Config, ConfigError, type LoadSettings, readConfig } from '../../src/config.ts'
import { attachEmbeddedRedis } from '../../src/dev/redis/embedded.ts'
import { takeOfDay } from '../../src/limits/day.ts'
import { readTiers } from '../../src/limits/tiers.ts'
import { createLogger } from '../../src/log.ts'
import type { Durable } from '../../src/redis/durable.ts'
import { ledger as keys } from '../../src/redis/keys.ts'
import type { RedisUrls } from '../../src/redis/roles.ts'
import { readSecret } from '../../src/secrets/open.ts'
import { startSandboxMalls } from '../../src/start/sandbox-malls.ts'
import { type NodeServer, startNodeServer } from '../bench/processes.ts'
import { keptPort } from '../faults/testbed-node.ts'
import { type Disturbances, disturbancesBy } from './disturbances.ts'
import type { NodesPlan, Profile } from './profiles.ts'

export interface Target {
  readonly baseUrls: readonly string[]
  readonly keys: readonly string[]
  readonly otherKeys: readonly string[]
  readonly quotaLeft: number | null
  /** Undefined where nothing can be disturbed. */
  readonly disturbances: Disturbances | undefined
}

type Work = (target: Target) => Promise<void>

const READY_MS_MAX = 5000

export async function withTarget(
  profile: Profile, settings: LoadSettings, work: Work,
): Promise<void> {
  if (settings.keys.length > 0) await elsewhere(profile, settings, work)
  else await here(profile, settings, work)
}

/** A service that is known by its address and a key alone. */
async function elsewhere(profile: Profile, settings: LoadSettings, work: Work): Promise<void> {
  const { keys, otherKeys, trouble } = settings
  if ((profile.others ?? 0) > 0 && otherKeys.length === 0) {
    throw new ConfigError('This profile needs other agents, too: set OTHER_KEYS to keys of t1.')
  }
  if (profile.quotaLeft !== undefined) {
    throw new ConfigError('This profile spends a day of quota: it runs on a service here only.')
  }
  const baseUrls = settings.baseUrls.length > 0 ? settings.baseUrls : [localUrl(readConfig())]
  await assertReady(baseUrls)
  await work({
    baseUrls, keys, otherKeys, quotaLeft: null,
    disturbances: trouble === undefined ? undefined : disturbancesBy(trouble),
  })
}

/** A service whose Redis is at hand: keys are made for the run, and nodes where it needs them. */
async function here(profile: Profile, settings: LoadSettings, work: Work): Promise<void> {
  const config = readConfig()
  const baseUrls = settings.baseUrls.length > 0 ? settings.baseUrls : [localUrl(config)]
  if (!config.redis && await attachEmbeddedRedis(config) === null) {
    throw new ConfigError('No service runs here: `npm start` first, or set BASE_URL and KEY.')
  }
  const log = createLogger('warn')
  const place: WithLedger = (at) => withLedger(config, log, at)
  await withAccounts(place, async (at) => {
    const ownKeys = await makeKeys(at, profile)
    const { keys, otherKeys } = ownKeys
    const hasNodes = profile.ownNodes !== undefined && settings.baseUrls.length === 0
    const redis = { urls: at.urls, secret: readSecret(config) }
    const own = hasNodes && profile.ownNodes
      ? await startNodes(profile.ownNodes, redis) : undefined
    const disturbances = own?.disturbances
      ?? (settings.trouble === undefined ? undefined : disturbancesBy(settings.trouble))
    try {
      if (!own) await assertReady(baseUrls)
      await work({
        baseUrls: own?.baseUrls ?? baseUrls, keys, otherKeys,
        quotaLeft: profile.quotaLeft ?? null, disturbances,
      })
    } finally {
      await own?.close()
      await ownKeys.revoke()
    }
  })
}

/** By number, since calls may come from other addresses of this machine. */
const localUrl = ({ port }: Config): string => `http://127.0.0.1:${port}`

async function assertReady(baseUrls: readonly string[]): Promise<void> {
  for (const url of baseUrls) {
    const isReady = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(READY_MS_MAX) })
      .then(({ ok }) => ok, () => false)
    if (!isReady) {
      throw new ConfigError(`Nothing is ready at ${url}: \`npm start\` first, or set BASE_URL.`)
    }
  }
}

/** One that hangs and one that drips: neither fails, both are late. */
const SLOW = [['mall_b', 'hang'], ['mall_c', 'drip']] as const
const FOR_EVER = 1_000_000
/** As nodes behind a balancer are set: clients get Connection: close before any is cut off. */
const NOTICE_MS = 3000

export interface OwnNodes {
  readonly baseUrls: readonly string[]
  readonly disturbances: Disturbances
  close(): Promise<void>
}

export async function startNodes(
  { nodes: count, isShared, hasMalls }: NodesPlan, at: { urls: RedisUrls, secret: string },
): Promise<OwnNodes> {
  const malls = await startSandboxMalls({
    missing: hasMalls ? MALL_NAMES : [], seed: defaults.catalogSeed,
    items: defaults.catalogItems, publicUrl: 'http://localhost:8080',
    stepMs: defaults.sandboxStepMs,
  })
  const port = isShared ? await keptPort() : 0
  const nodes: NodeServer[] = []
  const start = async (): Promise<void> => {
    nodes.push(await startNodeServer({
      ...at, port, nodes: isShared ? count : 1, malls: malls.settings,
      drainNoticeMs: isShared ? NOTICE_MS : 0,
    }))
  }
  const close = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()))
    await malls.close()
  }
  try {
    for (let n = 0; n < count; n += 1) await start()
  } catch (error) {
    await close()
    throw error
  }
  const urls = new Set(nodes.map((node) => `http://127.0.0.1:${node.port}`))
  return {
    baseUrls: [...urls],
    close,
    disturbances: {
      drain: async () => { await nodes.shift()?.stop() },
      kill: async () => { await nodes.shift()?.kill() },
      async slow() {
        for (const [name, fault] of SLOW) {
          malls.simulators.find((one) => one.name === name)?.faults.add('*', fault, FOR_EVER)
        }
      },
    },
  }
}

export interface RunKeys {
  readonly keys: readonly string[]
  readonly otherKeys: readonly string[]
  revoke(): Promise<void>
}

export async function makeKeys(
  { apiKeys, durable }: { apiKeys: ApiKeys, durable: Durable },
  { tier = 't2', others = 0, quotaLeft }: Profile,
): Promise<RunKeys> {
  const make = (of: string) => apiKeys.createKey({ tier: of, label: 'load test' })
  const first = await make(tier)
  const beside = await Promise.all(Array.from({ length: others }, () => make('t1')))
  if (quotaLeft !== undefined) await spendDay(durable, first.agent, tier, quotaLeft)
  return {
    keys: [first.apiKey],
    otherKeys: beside.map(({ apiKey }) => apiKey),
    async revoke() {
      for (const { apiKey } of [first, ...beside]) await apiKeys.revoke(apiKey)
    },
  }
}

/** As calls would: by the script that counts them. */
async function spendDay(
  durable: Durable, agent: string, tier: string, left: number,
): Promise<void> {
  const { daily_quota = 0 } = readTiers()[tier] ?? {}
  await takeOfDay((script, names, args) => durable.run(script, names, args),
    (day) => keys.quota(agent, day), daily_quota, daily_quota - left)
}
