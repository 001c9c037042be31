/** Many commands in as few round trips as their masters allow, through failovers and resharding. */
import { Cluster, type Redis } from 'ioredis'
import { monotonicMs, sleep } from '../contract/time.ts'
import type { RedisClient } from './connect.ts'
import { isRead } from './reads.ts'
import { connectionTo, laneOf, learn } from './route.ts'
import type { Operand } from './script.ts'
import { AWAY, verdictOf, type Redirect } from './verdict.ts'

export { laneOf, slotOf } from './route.ts'

/** A command whose first argument is its key. */
export type KeyCommand = readonly [name: string, key: string, ...args: (string | number)[]]

/** Whether the master of a key can be asked just now: the death of one must not stop the others. */
export const isReachable = (client: RedisClient, key: string): boolean =>
  !(client instanceof Cluster) || connectionTo(client, laneOf(client, key)) !== undefined

/** Makes one read: as a client does, or so that replicas have what it shows (`Durable.read`). */
export type Read = (...command: KeyCommand) => Promise<unknown>

/** What the master says, whether replicas have it or not. */
export const readWith = (client: RedisClient): Read =>
  async (...command) => (await runMany(client, [command]))[0]

type Command = readonly [name: string, ...operands: Operand[]]
type Reply = readonly [error: Error | null, value: unknown]

interface Call {
  readonly index: number
  readonly key: string
  readonly command: Command
  redirect: Redirect | undefined
}

/** A pipeline is never longer than this, so that no other caller waits long behind it. */
const PIPELINE_MAX = 256
/** A failover takes four seconds with a node timeout of two. */
const PATIENCE_MS = 8000
const AGAIN_MS = 25

/**
 * Runs them; replies in their order. What certainly did not run is repeated, and so is a read
 * whose answer was lost; the first other failure rejects.
 */
export async function runMany(
  client: RedisClient, commands: readonly KeyCommand[],
): Promise<unknown[]> {
  const replies = await tryMany(client, commands.map((command) => [command[1], command] as const))
  return replies.map(([error, value]) => {
    if (error) throw error
    return value
  })
}

/** The same with errors in place; each command with the key that says where it belongs. */
export async function tryMany(
  client: RedisClient, commands: readonly (readonly [key: string, command: Command])[],
): Promise<Reply[]> {
  const replies: Reply[] = []
  let waiting = commands.map(([key, command], index): Call =>
    ({ index, key, command, redirect: undefined }))
  const end = monotonicMs() + (client instanceof Cluster ? PATIENCE_MS : 0)
  for (;;) {
    const again: Call[] = []
    await Promise.all([...byMaster(client, waiting)].map(async ([address, calls]) => {
      for (let from = 0; from < calls.length; from += PIPELINE_MAX) {
        const part = calls.slice(from, from + PIPELINE_MAX)
        const found = await send(connectionTo(client, address), part)
        for (const [position, call] of part.entries()) {
          const reply = found[position] ?? [AWAY, undefined] as const
          if (isRepeatable(call, reply[0])) again.push(call)
          replies[call.index] = reply
        }
      }
    }))
    if (again.length === 0 || monotonicMs() > end) return replies
    waiting = again
    learn(client)
    await sleep(AGAIN_MS)
  }
}

function byMaster(client: RedisClient, calls: readonly Call[]): Map<string, Call[]> {
  const groups = new Map<string, Call[]>()
  for (const call of calls) {
    const address = call.redirect?.address ?? laneOf(client, call.key)
    const group = groups.get(address)
    if (group) group.push(call)
    else groups.set(address, [call])
  }
  return groups
}

async function send(redis: Redis | undefined, calls: readonly Call[]): Promise<Reply[]> {
  if (!redis) return calls.map(() => [AWAY, undefined])
  const lines = calls.flatMap(({ command, redirect }): Command[] =>
    (redirect?.isAsk ? [['asking'], command] : [command]))
  const found = await redis.pipeline(lines.map((line) => [...line])).exec() ?? []
  return found.filter((_, index) => lines[index]?.[0] !== 'asking')
}

function isRepeatable(call: Call, error: Error | null): boolean {
  call.redirect = undefined
  if (!error) return false
  if (error === AWAY) return true
  const verdict = verdictOf(error)
  if (verdict.kind === 'redirect') call.redirect = verdict.to
  return verdict.kind === 'redirect' || verdict.kind === 'later'
    || verdict.kind === 'unknown' && isRead(call.command[0])
}
