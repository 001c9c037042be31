/** This machine, as far as the service depends on it. */
import { accessSync, constants, existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { NODE_TODO, nodeProblem } from '../../../config/node-version.mjs'
import type { Config } from '../../config.ts'
import { portIsFree } from '../../http/port.ts'
import { openOrderArchive } from '../../orders/archive/archive.ts'
import { fail, ok, reasonOf, warn, type Finding } from './finding.ts'

/** What the whole catalogue and a day of orders take, with room for a rewrite of the log. */
const DISK_MIB_MIN = 1024
const ASKED_MS_MAX = 10_000

export function checkNode(version: string = process.versions.node): Finding {
  const problem = nodeProblem(version)
  return problem === undefined ? ok('Node', version) : fail('Node', problem, NODE_TODO)
}

/** The one binary that is not JavaScript's own: its build decides which systems can run a node. */
export async function checkHttpServer(): Promise<Finding> {
  try {
    await import('../../http/native.ts')
    return ok('HTTP server', `uWebSockets.js loads on ${process.platform} ${process.arch}`)
  } catch (error) {
    if (nodeProblem() !== undefined) return fail('HTTP server', 'has no such build', NODE_TODO)
    return fail('HTTP server', reasonOf(error),
      'use Linux with glibc 2.36 or later (Debian 12, Ubuntu 24.04), macOS or Windows on x86_64 or '
      + 'arm64, or run "docker compose up"')
  }
}

export async function checkDataDir({ dataDir }: Pick<Config, 'dataDir'>): Promise<Finding> {
  let there = dataDir
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there)
  try {
    accessSync(there, constants.W_OK | constants.X_OK)
  } catch {
    return fail('Data', `${there} cannot be written`, 'set DATA_DIR to a folder of this user')
  }
  const { bavail, bsize } = await statfs(there)
  const mib = Math.floor(bavail * bsize / 2 ** 20)
  const room = `${(mib / 1024).toFixed(1)} GiB free`
  if (mib < DISK_MIB_MIN) {
    return warn('Data', `${dataDir}: ${room}`,
      'make room or set DATA_DIR: a ledger that cannot write takes no orders')
  }
  return ok('Data', `${dataDir}: ${room}${there === dataDir ? '' : ', made by the first start'}`)
}

/** A wrong key is known then before the first order would leave the ledger. */
export async function checkArchive(
  config: Pick<Config, 'archiveS3' | 'archiveDir'>,
): Promise<Finding> {
  const at = config.archiveS3?.url ?? config.archiveDir
  if (at === undefined) return ok('Archive', 'none: ended orders stay on the ledger')
  try {
    await openOrderArchive(config)?.check()
    return ok('Archive', `ended orders go to ${at}`)
  } catch (error) {
    return fail('Archive', reasonOf(error), 'correct that: ended orders stay on the ledger until '
      + 'then, and those in the archive cannot be read')
  }
}

export async function checkPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<Finding> {
  try {
    if (await portIsFree(host, port)) return ok('Port', `${host}:${port} is free`)
  } catch (error) {
    return fail('Port', reasonOf(error), 'set HOST and PORT to what this user may use')
  }
  return await isAgentmall({ host, port }) ? ok('Port', `the service is running on ${host}:${port}`)
    : fail('Port', `${host}:${port} is in use`, 'stop the other program, or set PORT to another')
}

/** What the running service says of itself; nothing where none runs. */
export async function checkService(at: Pick<Config, 'host' | 'port'>): Promise<Finding[]> {
  if (!await isAgentmall(at)) return []
  const answer = await askService<{ reason?: string }>(at, '/readyz')
  if (answer?.status === 200) return [ok('Service', 'is ready')]
  const reason = answer?.body.reason ?? `does not say whether it is ready in ${ASKED_MS_MAX} ms`
  return [fail('Service', `is not ready: ${reason}`,
    'its log says since when; see "No node is ready" in docs/operations.md')]
}

async function isAgentmall(at: Pick<Config, 'host' | 'port'>): Promise<boolean> {
  const answer = await askService<{ data?: { name?: string } }>(at, '/v1')
  return answer?.body.data?.name === 'agentmall'
}

/** Undefined when there is no answer in time, or none in JSON. */
async function askService<T>(
  { host, port }: Pick<Config, 'host' | 'port'>, path: string,
): Promise<{ status: number, body: T } | undefined> {
  const local = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const url = `http://${local.includes(':') ? `[${local}]` : local}:${port}${path}`
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ASKED_MS_MAX) })
    return { status: answer.status, body: await answer.json() as T }
  } catch {
    return undefined
  }
}

/** Answers carry links for people: what they begin with must lead here from where people are. */
export function checkPublicUrl({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): Finding {
  const isLocalName = /^https?:\/\/(localhost|127\.|\[::1\])/.test(publicUrl)
  const isOpen = !/^(localhost|127\.|::1$)/.test(host)
  if (isOpen && isLocalName) {
    return warn('Address', `callers are given links to ${publicUrl}, and HOST is ${host}`,
      'set PUBLIC_URL to the address by which they reach the service')
  }
  return !isLocalName && publicUrl.startsWith('http:')
    ? warn('Address', `${publicUrl} is not encrypted`,
      'put a TLS proxy in front, and set PUBLIC_URL to its https address')
    : ok('Address', publicUrl)
}
