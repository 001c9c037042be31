/** Many runs of one script, as the loading of a catalogue needs them. */
import type { RedisClient } from './connect.ts'
import { mastersOf } from './route.ts'
import { isNoScript, type Operand, type Script } from './script.ts'
import { tryMany } from './slots.ts'

/** Under the time that a command has at most over any connection. */
const COPIED_MS_MAX = 1000

/** Makes the script known to every master, so that a pipeline can name it by its hash. */
export async function loadScript(
  client: RedisClient, { source }: { source: string },
): Promise<void> {
  await Promise.all(mastersOf(client).map((master) => master.script('LOAD', source)))
}

/**
 * Waits until every replica that is in step has what this client wrote: one WAIT for many writes,
 * over the connections that carried them. Without replicas there is nobody to wait for.
 */
export async function untilCopied(client: RedisClient): Promise<void> {
  await Promise.all(mastersOf(client).map(async (master) => {
    const info = await master.info('replication')
    const replicas = (info.match(/^slave\d+:.*state=online/gm) ?? []).length
    if (replicas === 0) return
    const copies = Number(await master.call('WAIT', String(replicas), String(COPIED_MS_MAX)))
    if (copies < replicas) {
      throw new Error(`Only ${copies} of ${replicas} replicas have what was written: repeat it.`)
    }
  }))
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
