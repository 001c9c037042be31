/**
 * Where the services of docker-compose.yml are when they run as processes of this machine: host
 * names become ports of 127.0.0.1, volumes become folders.
 */
import { randomInt } from 'node:crypto'
import { cpSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { freePort } from '../../src/redis/server.ts'
import { addressesOf, read, ROOT, type Compose, type Service } from './compose.ts'

export interface Place {
  /** The port of this machine that stands for a port of a service. */
  port(service: string, containerPort: number): number
  /** A text of the service's own, with every name, address and path as it is here. */
  local(service: string, text: string): string
  folder(service: string): string
}

/** Ports that members of a cluster add to their own, for their talk among themselves. */
const BUS_OFFSET = 10_000
/** With the bus's, all below those that systems give to outgoing connections. */
const [PORT_MIN, PORT_MAX] = [15_000, 22_000]

export async function createPlace(compose: Compose, folder: string): Promise<Place> {
  const ports = new Map<string, number>()
  for (const [name, service] of Object.entries(compose.services)) {
    for (const port of listensAt(service)) ports.set(`${name}:${port}`, await keptPort(ports))
  }
  const addresses = Object.values(compose.services).flatMap(addressesOf)
  const mounts = new Map<string, readonly (readonly [target: string, source: string])[]>()

  const port = (service: string, containerPort: number): number => {
    const found = ports.get(`${service}:${containerPort}`)
    if (found === undefined) throw new Error(`${service} does not listen at ${containerPort}.`)
    return found
  }
  const atHome = (text: string): string => [...ports].reduce(
    (whole, [name, local]) => whole.replaceAll(
      new RegExp(`(?<![\\w.-])${name}(?!\\d)`, 'g'), `127.0.0.1:${local}`),
    addresses.reduce((whole, address) => whole.replaceAll(address, '127.0.0.1'), text))
  const folderOf = (service: string): string => join(folder, service)

  for (const [name, service] of Object.entries(compose.services)) {
    mkdirSync(folderOf(name), { recursive: true, mode: 0o700 })
    mounts.set(name, mountsOf(compose, service, {
      folder: folderOf(name), volumes: folder,
      edit: (text) => atHome(text).replaceAll(/^(\s*bind) :(\d+)/gm,
        (_, bind: string, own: string) => `${bind} 127.0.0.1:${port(name, Number(own))}`),
    }))
  }
  return {
    port,
    folder: folderOf,
    local: (service, text) => (mounts.get(service) ?? []).reduce(
      (whole, [target, source]) => (whole === target || whole.startsWith(`${target}/`)
        ? source + whole.slice(target.length) : whole), atHome(text)),
  }
}

interface Mounting {
  readonly folder: string
  readonly volumes: string
  readonly edit: (text: string) => string
}

/** Files are copied, so that the names in them can be put in place, too. */
function mountsOf(
  compose: Compose, { volumes = [], configs = [] }: Service,
  { folder, volumes: all, edit }: Mounting,
): (readonly [string, string])[] {
  const mounted = volumes.map((volume) => {
    const [source = '', target = ''] = volume.split(':')
    if (!source.startsWith('.')) {
      mkdirSync(join(all, 'volumes', source), { recursive: true, mode: 0o700 })
      return [target, join(all, 'volumes', source)] as const
    }
    const copy = join(folder, basename(source))
    if (statSync(join(ROOT, source)).isDirectory()) {
      cpSync(join(ROOT, source), copy, { recursive: true })
    } else writeFileSync(copy, edit(read(source)))
    return [target, copy] as const
  })
  const written = configs.map(({ source, target }) => {
    const copy = join(folder, basename(target))
    writeFileSync(copy, compose.configs[source]?.content ?? '', { mode: 0o600 })
    return [target, copy] as const
  })
  return [...mounted, ...written]
}

/** Ports inside the container; what a balancer binds stands in its file. */
function listensAt({ image = '', build, volumes = [] }: Service): number[] {
  if (build !== undefined) return [8080]
  if (image.startsWith('redis:')) return [6379]
  const [file] = volumes.map((volume) => volume.split(':')[0] ?? '')
    .filter((source) => source.endsWith('haproxy.cfg'))
  return file === undefined ? []
    : [...read(file).matchAll(/^\s*bind :(\d+)/gm)].map((match) => Number(match[1]))
}

async function keptPort(taken: ReadonlyMap<string, number>): Promise<number> {
  for (;;) {
    const wanted = randomInt(PORT_MIN, PORT_MAX)
    const isFree = async (port: number): Promise<boolean> => await freePort(port) === port
    if (![...taken.values()].includes(wanted) && await isFree(wanted)
      && await isFree(wanted + BUS_OFFSET)) return wanted
  }
}
