/** A Redis Cluster of a test's own: tests kill, stop and reshard it. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cacheDir } from '../config.ts'
import { startCluster, type ClusterPlan, type RunningCluster } from '../dev/redis/cluster.ts'
import { provisionRedis } from '../dev/redis/provision.ts'

export interface OwnCluster extends RunningCluster {
  /** Stops it and starts it on the same data: its processes are others then. */
  startAgain(): Promise<OwnCluster>
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

export async function startOwnCluster(given: Partial<ClusterPlan> = {}): Promise<OwnCluster> {
  const { server: program } = await provisionRedis({ cacheDir: cacheDir() })
  return await startOwned({
    program, password: 'one-test-only',
    directory: await mkdtemp(join(tmpdir(), 'agentmall-cluster-')),
    settings: await readFile(new URL('../../config/redis.conf', import.meta.url), 'utf8'),
    ...given,
  })
}

async function startOwned(plan: ClusterPlan): Promise<OwnCluster> {
  const cluster = await startCluster(plan)
  return Object.assign(cluster, {
    async startAgain() {
      await cluster.stop()
      return await startOwned(plan)
    },
    async remove() {
      for (const { server } of cluster.members) resume(server.pid)
      await cluster.stop()
      await rm(plan.directory, { recursive: true, force: true })
    },
  })
}

/** A stopped process handles no other signal before this one. */
export function resume(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT')
  } catch {
    // It has ended.
  }
}
