/** How other machines of the same network, a phone for one, reach the service. */
import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import type { Config } from '../config.ts'

type Interfaces = ReturnType<typeof networkInterfaces>

const LOCAL_HOST = /^(localhost|127\.|::1$)/
const EVERY_HOST = /^(0\.0\.0\.0|::)$/

/** A container's networks are its machine's own affair: nobody else reaches them. */
const ownInterfaces = (): Interfaces => (existsSync('/.dockerenv') ? {} : networkInterfaces())

/** Undefined where it listens on this machine alone, or the machine has no such network. */
export function networkUrl(
  { host, port }: Pick<Config, 'host' | 'port'>, interfaces: Interfaces = ownInterfaces(),
): string | undefined {
  if (LOCAL_HOST.test(host)) return undefined
  if (!EVERY_HOST.test(host)) return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const addresses = Object.values(interfaces).flat()
  const found = addresses.find((one) => one?.family === 'IPv4' && !one.internal)
  return found && `http://${found.address}:${port}`
}
