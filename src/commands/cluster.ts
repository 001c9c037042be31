/**
 * `agentmall cluster`: the service on a Redis Cluster of its own, to see it work and break; and
 * `form`, a Redis Cluster of servers that run elsewhere, as in containers.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { type Config, ConfigError, readConfig, setEnvironment } from '../config.ts'
import { formCluster, type Joining } from '../dev/redis/cluster-form.ts'
import { keepMembers, type RunningCluster, startCluster } from '../dev/redis/cluster.ts'
import { startEmbeddedRedis } from '../dev/redis/embedded.ts'
import { ledgerSettings, provisionRedis } from '../dev/redis/provision.ts'
import { writeWhole } from '../files.ts'
import type { Logger } from '../log.ts'
import type { RedisUrls } from '../redis/roles.ts'
import { readSecret } from '../secrets/open.ts'
import { start } from '../start/start.ts'

interface Options {
  readonly nodes: string
  readonly replicas: string
  readonly wait: string
}

export function clusterCommand(config: Config, log: Logger): Command {
  return new Command('cluster')
    .description('start the service on a Redis Cluster of three masters with replicas')
    .option('--replicas <count>', 'replicas of each master', '1')
    .addOption(new Option('--nodes <count>', 'node processes in front of it')
      .env('NODES').default('2'))
    .addOption(new Option('--wait <count>', 'replicas that must hold a write before its answer')
      .env('LEDGER_REPLICAS').default('1'))
    .action((options: Options) => runCluster(config, log, options))
    .addCommand(clusterFormCommand(config))
}

async function runCluster(given: Config, log: Logger, options: Options): Promise<void> {
  if (given.redis) {
    throw new ConfigError('This brings a Redis Cluster of its own: unset REDIS_URL, SHELF_URL and '
      + 'LEDGER_URL, or use "agentmall start" with them.')
  }
  // Nodes are processes of their own and read the same variables.
  setEnvironment({ NODES: options.nodes, LEDGER_REPLICAS: options.wait })
  const config = { ...readConfig(), dataDir: join(given.dataDir, 'cluster') }
  const replicas = Number(options.replicas)
  if (!/^[0-3]$/.test(options.replicas) || config.ledgerReplicas > replicas) {
    throw new ConfigError('--replicas must be 0 to 3, and not below --wait.')
  }
  // Before anything starts: a Ctrl-C must end it in order from the first moment.
  let isOver = false
  void Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]).then(() => {
    isOver = true
  })
  const shelf = await startEmbeddedRedis({ ...config, log, roles: ['shelf'] })
  try {
    const cluster = await startLedger(config, replicas)
    const keeper = keepMembers(cluster, log)
    try {
      const redis = { shelf: shelf.shelfUrl, ledger: cluster.url, counters: shelf.countersUrl }
      process.stdout.write(await membersText(cluster) + environmentText(config, redis))
      if (!isOver) await start({ ...config, redis }, log)
    } finally {
      await keeper.stop()
      await cluster.stop()
    }
  } finally {
    await shelf.stop()
  }
}

async function startLedger(
  config: Config, replicasPerMaster: number,
): Promise<RunningCluster> {
  const { server: program } = await provisionRedis(config)
  return await startCluster({
    program, replicasPerMaster,
    directory: join(config.dataDir, 'ledger'),
    password: readPassword(config.dataDir),
    settings: ledgerSettings(config.ledgerFsync),
  })
}

/** What the operator's other commands need to work with this cluster. */
function environmentText(config: Config, { shelf, ledger, counters }: RedisUrls): string {
  const file = join(config.dataDir, 'env')
  writeWhole(file, Object.entries({
    SHELF_URL: shelf, LEDGER_URL: ledger, COUNTERS_URL: counters, SECRET: readSecret(config),
    LEDGER_REPLICAS: String(config.ledgerReplicas),
  }).map(([name, value]) => `export ${name}='${value}'\n`).join(''))
  return `Other commands:  . ${file} && npm run agentmall -- verify\n\n`
}

function readPassword(dataDir: string): string {
  const file = join(dataDir, 'ledger-password')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writeWhole(file, `${randomBytes(24).toString('hex')}\n`)
  }
  return readFileSync(file, 'utf8').trim()
}

async function membersText(cluster: RunningCluster): Promise<string> {
  const masters = await cluster.masters()
  const lines = cluster.members.map((member) => {
    const role = masters.includes(member) ? 'master ' : 'replica'
    return `  ${member.name}  ${role}  port ${member.port}  process ${member.server.pid}`
  })
  return ['', 'The ledger is a Redis Cluster. A member that ends is started again.', '', ...lines,
    '', ''].join('\n')
}

function clusterFormCommand(config: Config): Command {
  return new Command('form')
    .description('make a Redis Cluster of the servers in LEDGER_URL; repeating it is harmless')
    .option('--masters <count>', 'servers that share the slots; the others are replicas', '3')
    .action(async ({ masters }: { masters: string }) => {
      const servers = serversIn(config.redis?.ledger)
      if (!/^[1-9]\d*$/.test(masters) || servers.length < Number(masters)) {
        throw new ConfigError('LEDGER_URL must name every server, and at least --masters of them.')
      }
      await formCluster(servers, Number(masters))
      process.stdout.write(`A cluster of ${servers.length} servers, ${masters} of them masters.\n`)
    })
}

function serversIn(urls: string | undefined): Joining[] {
  return (urls ?? '').split(',').filter(Boolean).map((text) => {
    const { hostname, port, username, password } = new URL(text)
    return {
      host: hostname, ...(username && { username: decodeURIComponent(username) }),
      port: Number(port || 6379), password: decodeURIComponent(password),
    }
  })
}
