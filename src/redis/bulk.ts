/** Many runs of one script, as the loading of a catalogue needs them. */
import { Cluster } from 'ioredis'
import type { RedisClient } from './connect.ts'
import type { Operand, Script } from './script.ts'
import { laneOf } from './slots.ts'

/** Makes the script known to every master, so that a pipeline can name it by its hash. */
export async function loadScript(
  client: RedisClient, { source }: { source: string },
): Promise<void> {
  const nodes = client instanceof Cluster ? client.nodes('master') : [client]
  await Promise.all(nodes.map((node) => node.script('LOAD', source)))
}

/** Runs a loaded script once for each set of operands; replies in their order, errors in place. */
export async function runScripts<R>(
  client: RedisClient, script: Script<string, string, R>,
  operands: readonly (readonly Operand[])[],
): Promise<(R | Error)[]> {
  const lanes = new Map<string, number[]>()
  for (const [index, [, firstKey]] of operands.entries()) {
    const lane = laneOf(client, String(firstKey))
    const members = lanes.get(lane)
    if (members) members.push(index)
    else lanes.set(lane, [index])
  }
  const replies: (R | Error)[] = []
  await Promise.all([...lanes.values()].map(async (indexes) => {
    const results = await client.pipeline(indexes.map((index) =>
      ['evalsha', script.sha, ...operands[index] ?? []])).exec()
    for (const [position, index] of indexes.entries()) {
      const [error, reply] = results?.[position] ?? [new Error('no reply'), undefined]
      replies[index] = error ?? script.read(reply)
    }
  }))
  return replies
}
