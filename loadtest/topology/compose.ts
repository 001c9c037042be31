/** What docker-compose.yml and the Dockerfile say, with their variables put in. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

interface Health {
  readonly test?: readonly string[]
  readonly disable?: boolean
}

export interface Service {
  readonly image?: string
  readonly build?: string
  readonly user?: string
  readonly entrypoint?: readonly string[]
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly configs?: readonly { readonly source: string, readonly target: string }[]
  readonly secrets?: readonly string[]
  readonly networks?: readonly string[] | Readonly<Record<string, { ipv4_address?: string }>>
  readonly mem_limit?: string
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: Health
  readonly profiles?: readonly string[]
  readonly logging?: { readonly driver: string, readonly options: Readonly<Record<string, string>> }
}

export interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly configs: Readonly<Record<string, { readonly content: string }>>
  readonly secrets: Readonly<Record<string, { readonly environment?: string }>>
  readonly networks: Readonly<Record<string, unknown>>
  readonly volumes: Readonly<Record<string, unknown>>
}

export type Variables = Readonly<Record<string, string>>

export const read = (path: string): string => readFileSync(`${ROOT}/${path}`, 'utf8')

export const readCompose = (variables: Variables, path = 'docker-compose.yml'): Compose =>
  interpolate(parse(read(path), { merge: true }), variables) as Compose

/** `${NAME}`, `${NAME:-default}` and `${NAME:?what is missing}`, as Compose reads them. */
const VARIABLE = /\$\{(\w+)(?::([-?])([^}]*))?\}/g

function interpolate(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(VARIABLE, (_, name: string, sign?: string, text = '') => {
      const given = variables[name]
      if (given === undefined && sign === '?') throw new Error(`${name} is missing: ${text}`)
      return given ?? (sign === '-' ? text : '')
    })
  }
  if (Array.isArray(value)) return value.map((entry) => interpolate(entry, variables))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value)
    .map(([name, entry]) => [name, interpolate(entry, variables)]))
}

export interface Dockerfile {
  /** Of each stage, in order. */
  readonly images: readonly string[]
  /** The instructions of the last stage. */
  readonly last: readonly (readonly [name: string, rest: string])[]
  readonly environment: Readonly<Record<string, string>>
  readonly command: readonly string[]
}

export function readDockerfile(): Dockerfile {
  const instructions = read('Dockerfile').replaceAll('\\\n', ' ').split('\n')
    .filter((line) => /^[A-Z]+ /.test(line))
    .map((line) => [line.split(' ')[0] ?? '', line.slice(line.indexOf(' ') + 1).trim()] as const)
  const stages = instructions.filter(([name]) => name === 'FROM')
  const last = instructions.slice(instructions.findLastIndex(([name]) => name === 'FROM'))
  const words = last.filter(([name]) => name === 'ENV').flatMap(([, rest]) => rest.split(/\s+/))
  return {
    images: stages.map(([, rest]) => rest.split(' ')[0] ?? ''),
    last,
    environment: Object.fromEntries(words.map((word) => word.split('=') as [string, string])),
    command: JSON.parse(last.find(([name]) => name === 'CMD')?.[1] ?? '[]') as string[],
  }
}

/** What a service runs: its entry point's words and its command's, or those of its image. */
export const wordsOf = (service: Service): readonly string[] => [
  ...service.entrypoint ?? [],
  ...service.command ?? (service.build === undefined ? [] : readDockerfile().command),
]

export const addressesOf = ({ networks = [] }: Service): string[] =>
  (Array.isArray(networks) ? [] : Object.values(networks as Record<string, unknown>))
    .map((network) => (network as { ipv4_address?: string } | null)?.ipv4_address)
    .filter((address) => address !== undefined)
