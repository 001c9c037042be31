/**
 * Several processes share a port, and a scrape comes to any of them: it asks its parent, the
 * parent asks all, and the one that was scraped tells what each of them said.
 */
import type { ChildProcess } from 'node:child_process'
import { withDeadline } from '../contract/time.ts'
import { Refusal } from '../contract/errors.ts'
import type { MetricFamily } from '../metrics/families.ts'
import type { ProcessReport } from '../metrics/metrics.ts'
import { processFamilies } from '../metrics/process.ts'

type ToParent =
  | { readonly scrape: number }
  | { readonly collected: number, readonly families: readonly MetricFamily[] }
type ToChild =
  | { readonly collect: number }
  | { readonly scraped: number, readonly reports: readonly ProcessReport[] }

/** A process whose event loop stands still for so long is reported as down. */
const COLLECT_MS_MAX = 1000
const SCRAPE_MS_MAX = 2 * COLLECT_MS_MAX
/** Scrapes under way at once in one process: Prometheus needs one. */
const SCRAPES_MAX = 10

const late = (): Error => new Error('late')

/** In a node: answers its parent's questions; the function asks for all processes' answers. */
export function answerScrapes(): () => Promise<readonly ProcessReport[]> {
  const waiting = new Map<number, (reports: readonly ProcessReport[]) => void>()
  let last = 0
  const tell = (message: ToParent): void => { process.send?.(message) }
  process.on('message', (message: ToChild) => {
    if (typeof message !== 'object') return
    if ('scraped' in message) waiting.get(message.scraped)?.(message.reports)
    if (!('collect' in message)) return
    // A process that cannot say anything is reported as down.
    processFamilies().then((families) => tell({ collected: message.collect, families }), () => {})
  })
  return async () => {
    if (waiting.size >= SCRAPES_MAX) throw new Refusal('unavailable')
    const id = last += 1
    try {
      return await withDeadline(new Promise((resolve) => {
        waiting.set(id, resolve)
        tell({ scrape: id })
      }), SCRAPE_MS_MAX, () => new Refusal('unavailable'))
    } finally {
      waiting.delete(id)
    }
  }
}

/** In the parent: lets a node ask those of all numbers, of whom some may not be there. */
export function relayScrapes(
  child: ChildProcess, numbers: () => Iterable<number>,
  nodeOf: (number: number) => ChildProcess | undefined,
): void {
  child.on('message', (message: ToParent) => {
    if (!('scrape' in message)) return
    const { scrape } = message
    void Promise.all(Array.from(numbers(), async (process): Promise<ProcessReport> => {
      const node = nodeOf(process)
      return { process, families: node && await collect(node) }
    })).then((reports) => tell(child, { scraped: scrape, reports }))
  })
}

let questions = 0

async function collect(node: ChildProcess): Promise<readonly MetricFamily[] | undefined> {
  const id = questions += 1
  let listener: ((message: ToParent) => void) | undefined
  const answer = new Promise<readonly MetricFamily[]>((resolve) => {
    listener = (message) => {
      if ('collected' in message && message.collected === id) resolve(message.families)
    }
    node.on('message', listener)
    tell(node, { collect: id })
  })
  try {
    return await withDeadline(answer, COLLECT_MS_MAX, late).catch(() => undefined)
  } finally {
    if (listener) node.off('message', listener)
  }
}

/** A child that is just ending gets no signal; its exit is handled elsewhere. */
function tell(child: ChildProcess, message: ToChild): void {
  if (child.connected) child.send(message, () => {})
}
