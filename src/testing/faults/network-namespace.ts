/**
 * A network of the run's own, in which the way between two processes can be cut while others go on
 * using the same port. Rules there reach nobody else on the machine.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { ClusterMember } from '../../redis/cluster.ts'
import { ask } from '../../redis/server.ts'
import type { Tool } from './tools.ts'

/** Local addresses are looked up after our rules, and not before all others as by default. */
const PREPARE = 'ip link set lo up && ip rule add pref 1000 lookup local && ip rule del pref 0'
const FIRST_RULE = 10

const ip = (...words: string[]) => spawnSync('ip', words, { encoding: 'utf8', timeout: 5000 })

/** Whether this process is in a namespace that was prepared so. */
export function findNamespace(): Tool {
  const { stdout } = ip('rule', 'list')
  const isPrepared = /^1000:\s+from all lookup local/m.test(stdout ?? '')
    && !/^0:/m.test(stdout ?? '')
  return isPrepared ? { path: 'ip' }
    : { missing: 'it needs a network namespace of its own: Linux, root and iproute2' }
}

/** Whether such a namespace can be made here. */
export const canEnterNamespace = (): boolean => process.platform === 'linux'
  && spawnSync('unshare', ['-n', 'sh', '-c', PREPARE], { stdio: 'ignore', timeout: 5000 })
    .status === 0

/** Runs this program again within one, and ends only with it; its exit status. */
export async function runWithinNamespace(): Promise<number> {
  const inner = spawn('unshare', [
    '-n', 'sh', '-c', `${PREPARE} && exec "$0" "$@"`,
    process.execPath, ...process.execArgv, ...process.argv.slice(1),
  ], { stdio: 'inherit' })
  // A terminal sends its own SIGINT to both.
  process.on('SIGINT', () => undefined).on('SIGTERM', () => { inner.kill('SIGTERM') })
  const [status] = await once(inner, 'exit') as [number | null]
  return status ?? 1
}

/** A member calls others from an address of its own, by which its connections are told apart. */
const addressOf = (at: number): string => `127.0.1.${at + 1}`

/** Of each member of a cluster whose connections are to be cut. */
export const ownAddress = (at: number): string =>
  `bind-source-addr ${addressOf(at)}\ncluster-announce-ip 127.0.0.1`

/**
 * Cuts a member off all others, silently: nothing comes through, and nothing ends. Clients, which
 * call from the common address, go on reaching it. The result mends it.
 */
export async function cutOffMember(
  members: readonly ClusterMember[], member: ClusterMember,
): Promise<() => void> {
  const [, busPort = ''] = await ask(member.server, (redis) =>
    redis.config('GET', 'cluster-port') as Promise<string[]>)
  const tcp = ['ipproto', 'tcp']
  const others = members.filter((one) => one !== member)
    .map((one) => addressOf(members.indexOf(one)))
  const rules = [
    ['from', addressOf(members.indexOf(member))],
    ...others.flatMap((address) => [String(member.port), busPort].flatMap((port) => [
      ['from', address, ...tcp, 'dport', port], ['to', address, ...tcp, 'sport', port],
    ])),
  ]
  for (const [at, rule] of rules.entries()) {
    const { status, stderr } =
      ip('rule', 'add', 'pref', String(FIRST_RULE + at), ...rule, 'blackhole')
    if (status !== 0) throw new Error(`a connection could not be cut: ${stderr}`)
  }
  return () => rules.forEach((_, at) => { ip('rule', 'del', 'pref', String(FIRST_RULE + at)) })
}
