/**
 * `npm run rolling`: the production topology as processes under a steady load, while every node is
 * restarted in turn and one is killed. Prints what the load saw; exit 1 where a request failed that
 * should not have.
 */
import { Command } from 'commander'
import { quantile } from '../bench/rounds.ts'
import { findHaproxy, NO_HAPROXY } from '../topology/processes.ts'
import { startTopology } from '../topology/topology.ts'
import { runRolling, type RollingResult } from './run.ts'

const { rate, rest } = new Command('rolling')
  .option('--rate <n>', 'requests a second', '200')
  .option('--rest <seconds>', 'before the first restart and after each', '5')
  .parse().opts<{ rate: string, rest: string }>()
const say = (text: string): void => { process.stdout.write(`${text}\n`) }

if (findHaproxy() === undefined) {
  process.stderr.write(`${NO_HAPROXY}\n`)
  process.exit(1)
}
const topology = await startTopology()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => { void topology.stop().finally(() => process.exit(1)) })
}
let isRight = false
try {
  const result = await runRolling(topology, {
    rate: Number(rate), restMs: Number(rest) * 1000,
    restarted: topology.nodes, killed: topology.nodes[0] ?? '',
  })
  isRight = report(result)
} finally {
  await topology.stop()
}
process.exit(isRight ? 0 : 1)

function report({ phases, afterKill, orders, lost, verified }: RollingResult): boolean {
  say('| while | seconds | requests | failed | p50 ms | p99 ms | longest ms |')
  say('|---|---|---|---|---|---|---|')
  for (const { name, seconds, requests, latencies, failures } of phases) {
    const [p50, p99, longest] = [0.5, 0.99, 1].map((share) =>
      quantile(latencies, share).toFixed(share < 1 ? 1 : 0))
    say(`| ${name} | ${seconds.toFixed(0)} | ${requests} `
      + `| ${failures.length} | ${p50} | ${p99} | ${longest} |`)
  }
  const failures = phases.flatMap((phase) => phase.failures)
  for (const { failure } of failures.slice(0, 20)) say(`failed: ${failure}`)
  say(`\n${orders} orders acknowledged, ${lost.length} of them lost or doubled; `
    + `${afterKill.length} requests that began after the kill failed.\n\n${verified.trim()}`)
  const beforeKill = phases.slice(0, -1).flatMap((phase) => phase.failures)
  return beforeKill.length + afterKill.length + lost.length === 0
}
