/** Starts a member of a cluster again when its process ends, as an operator's supervisor would. */
import type { Logger } from '../log.ts'
import type { RunningCluster } from './cluster.ts'
import { isAlive } from './process.ts'

const LOOK_MS = 500

/**
 * A master that is back before the others miss it goes on with what its disk holds: with
 * `appendfsync always`, everything. Later it finds its replica in its place and follows it.
 */
export function keepMembers(cluster: RunningCluster, log: Logger): { stop(): Promise<void> } {
  let round: Promise<unknown> | undefined
  const look = (): void => {
    round ??= Promise.all(cluster.members.filter(({ server }) => !isAlive(server))
      .map(async (member) => {
        log.warn({ member: member.name, port: member.port }, 'a member of the cluster ended')
        await cluster.restart(member).catch((error: Error) =>
          log.error({ member: member.name, error: error.message }, 'it cannot be started'))
      })).finally(() => { round = undefined })
  }
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await round
    },
  }
}
