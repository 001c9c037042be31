import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RedisClient } from './connect.ts'
import { mastersOf, tryMany } from './send.ts'

/** Bytes that are not text go as they are. */
export type Operand = string | number | Buffer

/** A Lua file seen as a function with named keys and arguments. */
export interface Script<K extends string, A extends string, R> {
  readonly name: string
  readonly keys: readonly K[]
  readonly args: readonly A[]
  readonly source: string
  readonly sha: string
  /** Runs it; all keys must be in one slot. */
  run(redis: RedisClient, keys: Record<K, string>, args: Record<A, Operand>): Promise<R>
  /** The operands in the order in which EVALSHA takes them. */
  operands(keys: Record<K, string>, args: Record<A, Operand>): Operand[]
  read(reply: unknown): R
}

/** A line of a script that stands for functions which it shares with others: `lua/shared/`. */
const INCLUDE = /^-- include ([a-z-]+)$/gm

/** Every script that was defined; a test holds it against the folder. */
export const scripts: Script<string, string, unknown>[] = []

const readLua = (name: string): string =>
  readFileSync(new URL(`lua/${name}.lua`, import.meta.url), 'utf8')

/**
 * Defines `lua/<name>.lua`. `read` turns Redis's reply into what callers use.
 * Positions exist only in the Lua header and in these two lists; a test compares them.
 */
export function defineScript<const K extends string, const A extends string, R>(
  name: string, keys: readonly K[], args: readonly A[], read: (reply: never) => R,
): Script<K, A, R> {
  const source = readLua(name).replaceAll(INCLUDE, (_, part) => readLua(`shared/${part}`))
  const script: Script<K, A, R> = {
    name,
    keys,
    args,
    source,
    sha: createHash('sha1').update(source).digest('hex'),
    operands: (keyNames, values) => [
      keys.length, ...keys.map((key) => keyNames[key]), ...args.map((arg) => values[arg]),
    ],
    read: (reply) => read(reply as never),
    async run(redis, keyNames, values) {
      return script.read(await evaluate(redis, script, script.operands(keyNames, values)))
    },
  }
  scripts.push(script as unknown as Script<string, string, unknown>)
  return script
}

/** EVALSHA, and EVAL where the script is not cached yet: it did not run, so this runs it once. */
export async function evaluate(
  redis: RedisClient, script: { sha: string, source: string }, operands: Operand[],
): Promise<unknown> {
  const [count, ...rest] = operands as [number, ...string[]]
  try {
    return await redis.evalsha(script.sha, count, ...rest)
  } catch (error) {
    if (!isNoScript(error)) throw error
    return redis.eval(script.source, count, ...rest)
  }
}

const isNoScript = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('NOSCRIPT')

/** Makes the script known to every master, so that a pipeline can name it by its hash. */
export async function loadScript(
  client: RedisClient, { source }: { source: string },
): Promise<void> {
  await Promise.all(mastersOf(client).map((master) => master.script('LOAD', source)))
}

/** Runs a loaded script once for each set of operands; replies in their order, errors in place. */
export async function runScripts<R>(
  client: RedisClient, script: Script<string, string, R>,
  operands: readonly (readonly Operand[])[],
): Promise<(R | Error)[]> {
  const calls = operands.map((words) =>
    [String(words[1]), ['evalsha', script.sha, ...words]] as const)
  const replies = await tryMany(client, calls)
  // A master that took over since the script was loaded does not know it.
  const unknown = replies.flatMap(([error], index) => (isNoScript(error) ? [index] : []))
  if (unknown.length > 0) {
    await loadScript(client, script)
    const found = await tryMany(client, unknown.flatMap((index) =>
      (calls[index] ? [calls[index]] : [])))
    for (const [position, index] of unknown.entries()) {
      replies[index] = found[position] ?? [new Error('no reply'), undefined]
    }
  }
  return replies.map(([error, reply]) => error ?? script.read(reply))
}

/** Writes fields of a hash and its end of life in one step. */
export const hashKeep =
  defineScript('hash-keep', ['hash'], ['fields', 'ttl_s'], (reply: 'OK') => reply)

/** Renews a lease, or with 0 ms gives it back; true when the caller held it. */
export const leaseKeep = defineScript('lease-keep', ['lease'], ['holder', 'ttl_ms'],
  (held: number) => held === 1)
