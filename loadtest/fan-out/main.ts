/**
 * `npm run fan-out`: how long a search over all platforms takes while they hang, drip, lie or are
 * gone, alone and all at once; the platforms are simulators on loopback.
 */
import { FAULT_KINDS } from '../../adapters/simulator/faults.ts'
import { monotonicMs } from '../../src/contract/time.ts'
import { counters as keys } from '../../src/redis/keys.ts'
import { startTestMalls } from '../../src/testing/malls.ts'
import { startNodeServer } from '../bench/processes.ts'
import { openBenchTestbed, type BenchTestbed } from '../bench/testbed.ts'

type Fault = (typeof FAULT_KINDS)[number]
interface Answer {
  readonly code: number
  readonly data: { readonly sources: readonly { source: string, status: string, ms: number }[] }
}

/** What a node allows by default. */
const DEADLINE_MS = 1500
const SEARCHES = 12
const FAULTS: readonly Fault[] = process.argv.length > 2 ? process.argv.slice(2) as Fault[] : [
  'hang', 'drip', 'reset', 'error_500', 'html', 'truncated', 'huge', 'bomb', 'wrong_types',
  'lying_totals', 'limited',
]
const say = (text: string): void => { process.stdout.write(`${text}\n`) }

let asked = 0

async function search(port: number, apiKey: string): Promise<{ ms: number, answer: Answer }> {
  const began = monotonicMs()
  const response = await fetch(`http://127.0.0.1:${port}/v1/cps/smart-search`, {
    method: 'POST',
    headers: { 'Authorization': `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    // Each is another question, so that no answer is a kept one.
    body: JSON.stringify({ query: `保温杯 qz${asked += 1}x` }),
    signal: AbortSignal.timeout(10_000),
  })
  const answer = await response.json() as Answer
  if (answer.code !== 0) throw new Error(`The search answered ${answer.code}.`)
  return { ms: monotonicMs() - began, answer }
}

async function measure(testbed: BenchTestbed, apiKey: string): Promise<void> {
  const malls = await startTestMalls()
  const rows: string[] = []
  try {
    for (const fault of [undefined, ...FAULTS]) {
      for (const name of fault ? ['mall_b', 'all'] : ['none']) {
        // A node of its own each time: circuits that opened would hide the fault.
        const { urls, secret } = testbed
        const node = await startNodeServer({ urls, secret, malls: malls.settings })
        try {
          const ill = malls.simulators.filter((one) => name === 'all' || one.name === name)
          if (fault) for (const { faults } of ill) faults.add('*', fault, 1000)
          const times: number[] = []
          const statuses = new Set<string>()
          for (let n = 0; n < SEARCHES; n += 1) {
            const { ms, answer } = await search(node.port, apiKey)
            times.push(ms)
            for (const one of answer.data.sources) {
              if (one.source === 'mall_b') statuses.add(one.status)
            }
          }
          const [first = 0, ...later] = times
          later.sort((a, b) => a - b)
          const [middle = 0, worst = 0] = [later[SEARCHES / 2], later.at(-1)]
          rows.push(`| ${fault ?? 'none'} | ${name} | ${Math.round(middle)} ms | `
            + `${Math.round(worst)} ms | ${Math.round(first)} ms | `
            + `${Math.max(first, worst) <= DEADLINE_MS + 50 ? 'yes' : 'no'} | `
            + `${[...statuses].join(', ')} |`)
          say(rows.at(-1) ?? '')
        } finally {
          malls.simulators.forEach(({ faults }) => faults.clear())
          await node.stop()
          // What a gateway said of its limits would hold for the next node, too.
          await testbed.redis.counters.del(malls.simulators.map((one) => keys.callsShut(one.name)))
        }
      }
    }
  } finally {
    await malls.close()
  }
  say('\n| fault | of | median | longest | a node\'s first | within 1,550 ms | said of mall_b |')
  say('|---|---|---|---|---|---|---|')
  say(rows.join('\n'))
}

const testbed = await openBenchTestbed({
  items: 76_800, dataDir: '.data/bench', connections: 1, logLevel: 'warn', isPinned: false,
  workers: 'in',
})
try {
  await measure(testbed, testbed.apiKeys[0] ?? '')
} finally {
  await testbed.close()
}
