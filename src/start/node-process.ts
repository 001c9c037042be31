/** A node, or the workers, as a process of its own under the supervisor's orders. */
import { once } from 'node:events'
import { Session } from 'node:inspector'
import { prepareSearch } from '../affiliate/smart-search.ts'
import { readConfig } from '../config.ts'
import { withDeadline } from '../contract/time.ts'
import { sentenceOf } from '../failure.ts'
import { warmUp } from '../goods/warm-up.ts'
import { createLogger } from '../log.ts'
import { type NodeOptions, startNode, startWorkersOnly, type WorkersOnly } from './node.ts'
import { answerScrapes } from './scrape.ts'
import { DRAIN, type NodeOrders, type NodeReport } from './supervisor.ts'

/** Left to whoever reads the log to take the last lines. */
const LOG_MS_MAX = 2000

export const runNode = (): Promise<void> => runChild(startNode,
  ({ services }, signal) => warmUp(services.goods.search, signal))
export const runWorkers = (): Promise<void> =>
  runChild(async (options) => ({ ...await startWorkersOnly(options), port: 0 }))

type Started = WorkersOnly & { readonly port: number }
type Begin<T extends Started> = (options: NodeOptions) => Promise<T>

/** `after` is what it does beside serving, until it is aborted. */
async function runChild<T extends Started>(
  begin: Begin<T>, after?: (started: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (!process.send) throw new Error('A node is started by `agentmall start`.')
  // Ctrl-C reaches the whole group; only the parent decides when its nodes end.
  process.on('SIGINT', () => undefined)
  const report = (message: NodeReport): void => { process.send?.(message) }
  const end = Promise.race([once(process, 'SIGTERM'), once(process, 'disconnect')])
  const ordered = Promise.race([once(process, 'message'), end.then(() => [DRAIN])])
  // Redis is still loading its data: what the first search needs is made ready meanwhile.
  if (after) prepareSearch()
  const orders = await ordered
  if (orders[0] === DRAIN) process.exit(0)
  const config = readConfig()
  const log = createLogger(config.logLevel, { isBuffered: true })
  const given = orders[0] as NodeOrders
  let node: T
  try {
    node = await begin({
      config, ...given, log,
      ...((config.nodes > 1 || given.hasOwnWorkers) && { askAll: answerScrapes() }),
    })
  } catch (error) {
    log.debug({ error }, 'start failed')
    const sentence = sentenceOf(error)
    report({ failed: sentence ?? (error as Error).message, isKnown: sentence !== undefined })
    process.exitCode = 1
    process.disconnect()
    return
  }
  const drained = new Promise<void>((resolve) => {
    process.on('message', (message) => { if (message === DRAIN) resolve() })
  })
  await collectGarbage()
  report({ ready: node.port })
  const ending = new AbortController()
  void after?.(node, ending.signal)
  await Promise.race([end, drained])
  ending.abort()
  await node.stop()
  await withDeadline(log.drained(), LOG_MS_MAX, () => new Error('late')).catch(() => undefined)
  process.exit(0)
}

/** What the start left behind: V8 would keep it, a third of the heap, until there is no room. */
async function collectGarbage(): Promise<void> {
  const session = new Session()
  session.connect()
  await new Promise((resolve) => { session.post('HeapProfiler.collectGarbage', resolve) })
  session.disconnect()
}
