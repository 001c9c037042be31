/**
 * The only reader of the environment. A setting's value comes from its variable, else from
 * config/default.json; a wrong one stops the start with one sentence.
 */
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism, homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type ipaddr from 'ipaddr.js'
import defaults from '../config/default.json' with { type: 'json' }
import {
  archiveDir, archiveS3, ConfigError, durationSeconds, mailFrom, origins, otlpEndpoint, payment,
  proxies, publicUrl, redisUrls, settingOf, smtpUrl,
} from './config-values.ts'
import { secretProblem } from './secrets/derive.ts'

export { ConfigError } from './config-values.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Config {
  /** TCP port of the service. Example: 8080 */
  readonly port: number
  /** Address it listens on. Example: 0.0.0.0 */
  readonly host: string
  /** Address that callers see, without a trailing slash. Example: https://mall.example.com */
  readonly publicUrl: string
  /** Redis urls by role; all undefined means the embedded Redis. */
  readonly redis: {
    shelf: string, shelfReplicas?: readonly string[], ledger: string, counters: string
  } | undefined
  /** Folder of the embedded Redis, the secret and the sandbox key. */
  readonly dataDir: string
  readonly cacheDir: string
  /** Node processes that share the port. */
  readonly nodes: number
  /** Whether what follows an order is done in each node or in a process of its own. */
  readonly workers: WorkersSetting
  /** Items of the generated sandbox catalogue; 0 generates none. */
  readonly catalogItems: number
  readonly catalogSeed: string
  /** Where mails are handed over; undefined writes them into `mailDir`. */
  readonly smtpUrl: string | undefined
  /** The sender of mails. */
  readonly mailFrom: string
  readonly mailDir: string
  /** Milliseconds that a payee waits after it was first named, and withdrawals after a reset. */
  readonly payeeHoldMs: number
  /** Whether the sandbox driver moves orders and the cashier takes pretended money. */
  readonly sandbox: boolean
  /** Milliseconds between two moves of the sandbox driver. */
  readonly sandboxStepMs: number
  /** Milliseconds from delivery to completion in the sandbox. */
  readonly sandboxCompleteMs: number
  /** The same where goods are real: the time in which a buyer may send them back. */
  readonly completeMs: number
  /** Milliseconds in which an order must be paid. */
  readonly paymentWindowMs: number
  /** Milliseconds for which an order that was never paid is kept once it is closed. */
  readonly unpaidKeptMs: number
  /** Folder that ended orders go to, all nodes' own; undefined means: they stay on the ledger. */
  readonly archiveDir: string | undefined
  /** Bucket that they go to instead of the folder. */
  readonly archiveS3: S3Config | undefined
  /** Days after its end that an order stays on the ledger. */
  readonly archiveAfterDays: number
  /** What a door pickup of returned goods costs whoever pays it, in fen. */
  readonly returnFreight: number
  /** Who takes payments with SANDBOX=off; undefined means: the merchant is paid otherwise. */
  readonly payment: PaymentConfig | undefined
  /**
   * One for all nodes, or several with commas: the first seals, all open. Undefined means: kept in
   * the data directory.
   */
  readonly secret: string | undefined
  /** Parsed CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly CidrRange[]
  /** '*' or the list of browser origins that may call. */
  readonly allowedOrigins: '*' | readonly string[]
  readonly logLevel: string
  /** Lines of the access log a second, of successes and of refusals each; after them 1 of 100. */
  readonly accessLogPerSecond: number
  /** Replicas that must hold a write before it is acknowledged. */
  readonly ledgerReplicas: number
  /** How many suffice while the cluster has marked the others as failed. */
  readonly ledgerReplicasMin: number
  /** Whether a ledger without `maxmemory` keeps a node from starting, or is warned of. */
  readonly ledgerMemoryLimit: MemoryLimit
  /** Megabytes that both servers of the embedded Redis may hold together; 0: half the machine's. */
  readonly embeddedMemoryMb: number
  /** How soon the ledger's log of writes is on the disk: what a power loss may take. */
  readonly ledgerFsync: Fsync
  /** What a scraper of /metrics must send; without one it is answered on this machine only. */
  readonly metricsToken: string | undefined
  /** Where traces go, over OTLP and HTTP; undefined means: nowhere. Example: http://otel:4318 */
  readonly otlpEndpoint: string | undefined
  /** Trial keys an address may take each UTC day. */
  readonly trialKeysPerDay: number
  /** The same of all addresses together. */
  readonly trialKeysPerDayAll: number
  /** A request has its answer after this long, whatever happens. */
  readonly requestDeadlineMs: number
  /** How long a stopping node goes on serving while it says that it is unready: long enough for a
   * balancer to notice. */
  readonly drainNoticeMs: number
  /** How long it then waits for requests in flight. */
  readonly drainMs: number
  /** What a search over all malls may take, in milliseconds. */
  readonly fanOutMs: number
  /** Calls a second that all nodes together make to one platform. */
  readonly mallCallsPerSecond: number
  /** File with the platforms' credentials; a platform without any is played by a simulator. */
  readonly mallsFile: string
  /** Variables such as MALL_B_APP_KEY, which go before the file. */
  readonly mallVariables: Environment
}

export interface PaymentConfig {
  readonly url: string
  readonly merchantId: string
  /** The first signs, each is accepted: so one can take the place of another. */
  readonly secrets: readonly string[]
  /** Origins of the provider's payment pages, beside that of `url`. */
  readonly pages: readonly string[]
}

export interface S3Config {
  /** Of the bucket. Example: https://s3.example.com/orders */
  readonly url: string
  /** What the names of objects begin with: empty, or with a slash at its end. */
  readonly prefix: string
  readonly region: string
  readonly keyId: string
  readonly secret: string
}

export type Fsync = (typeof FSYNCS)[number]

export type WorkersSetting = (typeof WORKERS_SETTINGS)[number]

export type MemoryLimit = (typeof MEMORY_LIMITS)[number]

export type CidrRange = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
const MEMORY_LIMITS = ['required', 'warn'] as const
const WORKERS_SETTINGS = ['in', 'own'] as const
const FSYNCS = ['always', 'everysec'] as const
const METRICS_TOKEN = /^[0-9A-Za-z._~-]{16,256}$/
const MALL_VARIABLE = /^(MALL_[ABC]|FOOD)_/

/** argon2id as OWASP recommends: about 19 MiB and two passes for each guess. */
export const PASSWORD_HASHING = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export function readConfig(env: Environment = process.env): Config {
  const reader = createReader(env)
  return {
    ...readService(env, reader),
    ...readRedis(env, reader),
    ...readTrade(env, reader),
    ...readObservability(env, reader),
    ...readMalls(env, reader),
  }
}

type Reader = ReturnType<typeof createReader>

const createReader = (env: Environment) => {
  const text = (name: string, fallback: string): string => env[name]?.trim() || fallback
  const oneOf = (name: string, fallback: string, choices: readonly string[]): string => {
    const value = text(name, fallback)
    if (!choices.includes(value)) throw new ConfigError(`${name} must be ${choices.join(', ')}.`)
    return value
  }
  return {
    text,
    oneOf,
    integer(name: string, fallback: number, min: number, max: number): number {
      const value = text(name, String(fallback))
      const number = Number(value)
      if (!/^\d+$/.test(value) || number < min || number > max) {
        throw new ConfigError(`${name} must be a whole number from ${min} to ${max}.`)
      }
      return number
    },
    /** What several groups of settings depend on. */
    sandbox: oneOf('SANDBOX', defaults.sandbox ? 'on' : 'off', ['on', 'off']) === 'on',
  }
}

function readService(env: Environment, { text, integer, oneOf }: Reader) {
  const port = integer('PORT', defaults.port, 0, 65_535)
  const address = publicUrl(env, port)
  const dataDir = resolve(text('DATA_DIR', defaults.dataDir))
  const nodes = integer('NODES', defaults.nodes, 1, 64)
  return {
    port,
    host: text('HOST', defaults.host),
    publicUrl: address,
    dataDir,
    smtpUrl: smtpUrl(env),
    mailFrom: mailFrom(text('MAIL_FROM', `agentmall@${new URL(address).hostname}`)),
    mailDir: resolve(dataDir, 'mail'),
    archiveDir: archiveDir(env, dataDir),
    archiveS3: archiveS3(env, {
      region: text('ARCHIVE_S3_REGION', defaults.archiveS3Region),
      isPathStyle: oneOf('ARCHIVE_S3_PATH_STYLE', defaults.archiveS3PathStyle ? 'on' : 'off',
        ['on', 'off']) === 'on',
    }),
    // After-sales count for 30 days against the person behind them.
    archiveAfterDays: integer('ARCHIVE_AFTER_DAYS', defaults.archiveAfterDays, 31, 36_500),
    cacheDir: cacheDir(env),
    nodes,
    // Where there is a core that no node has.
    workers: oneOf('WORKERS', availableParallelism() > nodes ? 'own' : 'in',
      WORKERS_SETTINGS) as WorkersSetting,
    trustedProxies: proxies(text('TRUSTED_PROXIES', defaults.trustedProxies)),
    allowedOrigins: origins(text('ALLOWED_ORIGINS', defaults.allowedOrigins)),
    trialKeysPerDay: integer('TRIAL_KEYS_PER_DAY', defaults.trialKeysPerDay, 0, 1_000_000),
    trialKeysPerDayAll: integer('TRIAL_KEYS_PER_DAY_ALL', defaults.trialKeysPerDayAll,
      0, 1_000_000_000),
    requestDeadlineMs: integer('REQUEST_DEADLINE_MS', defaults.requestDeadlineMs, 100, 120_000),
    drainNoticeMs: integer('DRAIN_NOTICE_MS', defaults.drainNoticeMs, 0, 120_000),
    drainMs: integer('DRAIN_MS', defaults.drainMs, 0, 120_000),
  }
}

function readRedis(env: Environment, { integer, oneOf, sandbox }: Reader) {
  const redis = redisUrls(env)
  const secret = env['SECRET']?.trim() || undefined
  if (redis && !secret) {
    throw new ConfigError('SECRET is required with an external Redis: every node needs the same.')
  }
  const problem = secret === undefined ? undefined : secretProblem(secret)
  if (problem !== undefined) throw new ConfigError(`SECRET ${problem}`)
  const ledgerReplicas = integer('LEDGER_REPLICAS', defaults.ledgerReplicas, 0, 5)
  return {
    redis,
    secret,
    ledgerReplicas,
    // Less than LEDGER_REPLICAS is a choice that its operator must make: see docs/reliability.md.
    ledgerReplicasMin: integer('LEDGER_REPLICAS_MIN', ledgerReplicas, 0, ledgerReplicas),
    ledgerMemoryLimit: oneOf('LEDGER_MEMORY_LIMIT', sandbox ? 'warn' : 'required',
      MEMORY_LIMITS) as MemoryLimit,
    embeddedMemoryMb: integer('EMBEDDED_MEMORY_MB', defaults.embeddedMemoryMb, 0, 1_000_000),
    ledgerFsync: oneOf('LEDGER_FSYNC', defaults.ledgerFsync, FSYNCS) as Fsync,
  }
}

/** Goods, orders and their money. */
const readTrade = (env: Environment, { text, integer, sandbox }: Reader) => ({
  catalogItems: integer('CATALOG_ITEMS', defaults.catalogItems, 0, 1_000_000),
  catalogSeed: text('CATALOG_SEED', defaults.catalogSeed),
  sandbox,
  // A day is of no use to someone who tries the sandbox, whose money is pretended.
  payeeHoldMs: integer('PAYEE_HOLD_MS', sandbox ? 0 : defaults.payeeHoldMs, 0, 2_592_000_000),
  sandboxStepMs: integer('SANDBOX_STEP_MS', defaults.sandboxStepMs, 10, 86_400_000),
  sandboxCompleteMs: integer('SANDBOX_COMPLETE_MS', defaults.sandboxCompleteMs, 10, 604_800_000),
  completeMs: integer('COMPLETE_MS', defaults.completeMs, 86_400_000, 7_776_000_000),
  paymentWindowMs: integer('PAYMENT_WINDOW_MS', defaults.paymentWindowMs, 100, 86_400_000),
  unpaidKeptMs: integer('UNPAID_KEPT_MS', defaults.unpaidKeptMs, 691_200_000, 31_536_000_000),
  returnFreight: integer('RETURN_FREIGHT', defaults.returnFreight, 0, 1_000_000),
  payment: payment(env, sandbox),
})

/** Logs, metrics and traces. */
function readObservability(env: Environment, { integer, oneOf }: Reader) {
  const metricsToken = env['METRICS_TOKEN']?.trim() || undefined
  if (metricsToken && !METRICS_TOKEN.test(metricsToken)) {
    throw new ConfigError('METRICS_TOKEN must have 16 to 256 letters, digits, and any of - . _ ~')
  }
  return {
    accessLogPerSecond: integer(
      'ACCESS_LOG_PER_SECOND', defaults.accessLogPerSecond, 0, 1_000_000),
    logLevel: oneOf('LOG_LEVEL', defaults.logLevel, LOG_LEVELS),
    metricsToken,
    otlpEndpoint: otlpEndpoint(env),
  }
}

const readMalls = (env: Environment, { text, integer }: Reader) => ({
  fanOutMs: integer('FAN_OUT_MS', defaults.fanOutMs, 50, 8000),
  mallCallsPerSecond: integer('MALL_CALLS_PER_SECOND', defaults.mallCallsPerSecond, 1, 10_000),
  mallsFile: resolve(text('MALLS_FILE', defaults.mallsFile)),
  mallVariables: Object.fromEntries(Object.entries(env)
    .filter(([name]) => MALL_VARIABLE.test(name))),
})

/**
 * uWebSockets takes its limit on a request's head (4 KiB by itself) from the environment, at the
 * moment when it is loaded.
 */
export function setNativeHeadLimit(bytes: number, env: NodeJS.ProcessEnv = process.env): void {
  env['UWS_HTTP_MAX_HEADERS_SIZE'] = String(bytes)
}

/** Sets variables for this process and for those that it starts. */
export function setEnvironment(
  values: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv = process.env,
): void {
  for (const [name, value] of Object.entries(values)) env[name] = value
}

/** Of a process that this one starts; what the operator has set stands. */
export const environmentWith = (
  values: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv => ({ ...values, ...env })

/** The variable that a role's address comes from; undefined with the embedded Redis. */
export const redisSetting = (role: string, env: Environment = process.env): string | undefined =>
  settingOf(role, env)

/** The shelf of a running service, for tools that only search; undefined means: none is named. */
export const shelfUrl = (env: Environment = process.env): string | undefined =>
  env['SHELF_URL']?.trim() || env['REDIS_URL']?.trim() || undefined

/** The settings of a load run; `loadtest/README.md` says what each means. */
export interface LoadSettings {
  readonly baseUrls: readonly string[]
  readonly keys: readonly string[]
  readonly otherKeys: readonly string[]
  readonly rate: number | undefined
  readonly seconds: number | undefined
  readonly vus: number
  /** How many times later than by default an answer may come. */
  readonly slack: number
  readonly trouble: string | undefined
}

/** Folders in which programs are looked for, with the system's separator. */
export const programPath = (env: Environment = process.env): string => env['PATH'] ?? ''

export function loadSettings(env: Environment = process.env): LoadSettings {
  const list = (name: string): string[] =>
    (env[name] ?? '').split(',').map((one) => one.trim()).filter(Boolean)
  const number = (name: string, min: number, max: number): number | undefined => {
    const value = env[name]?.trim()
    if (!value) return undefined
    if (Number(value) >= min && Number(value) <= max) return Number(value)
    throw new ConfigError(`${name} must be a number from ${min} to ${max}.`)
  }
  const baseUrls = list('BASE_URL').map((url) => url.replace(/\/+$/, ''))
  if (baseUrls.some((url) => !/^https?:\/\//.test(url) || !URL.canParse(url))) {
    throw new ConfigError('BASE_URL must be http or https addresses with commas.')
  }
  return {
    baseUrls,
    keys: list('KEY'),
    otherKeys: list('OTHER_KEYS'),
    rate: number('RATE', 0.1, 100_000),
    seconds: durationSeconds(env['DURATION']?.trim()),
    vus: number('VUS', 1, 10_000) ?? 200,
    slack: number('SLACK', 0.1, 100) ?? 1,
    trouble: env['TROUBLE']?.trim() || undefined,
  }
}

/** Where assembled binaries are kept between runs. */
export function cacheDir(env: Environment = process.env): string {
  return join(env['XDG_CACHE_HOME']?.trim() || join(homedir(), '.cache'), 'agentmall')
}

/** JSON that an operator may write; undefined where there is none. */
export function readOptionalFile(path: string): unknown {
  if (!existsSync(path)) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new ConfigError(`${path} must be JSON.`)
  }
}

/** JSON that an operator edits: read once at boot. */
export function readConfigFile(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../config/${name}`, import.meta.url), 'utf8'))
}
