/** A node as a process of its own, under the supervisor's orders. */
import { once } from 'node:events'
import { readConfig } from '../config.ts'
import { createLogger } from '../log.ts'
import { startNode, type Node } from './node.ts'
import type { NodeOrders, NodeReport } from './supervisor.ts'

export async function runNode(): Promise<void> {
  if (!process.send) throw new Error('A node is started by `agentmall start`.')
  const report = (message: NodeReport): void => { process.send?.(message) }
  const [orders] = await once(process, 'message') as [NodeOrders]
  const config = readConfig()
  const log = createLogger(config.logLevel, { isBuffered: true })
  let node: Node
  try {
    node = await startNode({ config, ...orders, log })
  } catch (error) {
    log.debug({ error }, 'start failed')
    report({ failed: (error as Error).message })
    process.exitCode = 1
    process.disconnect()
    return
  }
  // Ctrl-C reaches the whole group; only the parent decides when its nodes end.
  process.on('SIGINT', () => undefined)
  const ends = [once(process, 'SIGTERM'), once(process, 'disconnect'), once(process, 'message')]
  report({ ready: node.port })
  await Promise.race(ends)
  await node.stop()
  process.exit(0)
}
