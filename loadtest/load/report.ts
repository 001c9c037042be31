/** A run as one page: what was judged, what each call took, and how that went over time. */
import { escapeHtml } from '../../src/html.ts'
import { chart } from './chart.ts'
import type { Bin, Calls } from './samples.ts'
import { numberText, type RunRecord } from './verdict.ts'

const STYLE = `
:root { color-scheme: light dark; --fg: #1b1f24; --bg: #fff; --dim: #6a737d; --line: #d8dee4;
  --p50: #0969da; --p99: #bc4c00; --rate: #1a7f37; --failed: #cf222e; }
@media (prefers-color-scheme: dark) { :root { --fg: #e6edf3; --bg: #0d1117; --dim: #8b949e;
  --line: #30363d; --p50: #58a6ff; --p99: #f0883e; --rate: #3fb950; --failed: #ff7b72; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--fg); background: var(--bg);
  max-width: 920px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.facts, small, figcaption small { color: var(--dim); }
.verdict { font-weight: 600; } .ok { color: var(--rate); } .not { color: var(--failed); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: right; padding: .25rem .6rem; border-bottom: 1px solid var(--line);
  font-variant-numeric: tabular-nums; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; white-space: normal; }
figure { margin: 1rem 0; } svg { width: 100%; height: auto; }
svg text { font: 11px system-ui, sans-serif; fill: var(--dim); }
.grid { stroke: var(--line); } .mark { stroke: var(--dim); stroke-dasharray: 4 3; }
path { fill: none; stroke-width: 1.6; }
path.p50 { stroke: var(--p50); } path.p99 { stroke: var(--p99); }
path.rate { stroke: var(--rate); } path.failed { stroke: var(--failed); }
span.p50 { color: var(--p50); } span.p99 { color: var(--p99); }
span.rate { color: var(--rate); } span.failed { color: var(--failed); }
`

export function reportPage(run: RunRecord, line: string): string {
  const { profile, about, startedAt, machine, baseUrls, rate, total, calls, marks, memory } = run
  const perSecond = (pick: (bin: Bin) => number) =>
    total.bins.map((bin) => ({ at: bin.at, value: pick(bin) }))
  const width = (total.bins[1]?.at ?? 1) - (total.bins[0]?.at ?? 0)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Load: ${escapeHtml(profile)}</title><style>${STYLE}</style></head><body>
<h1>${escapeHtml(profile)}: ${escapeHtml(about)}</h1>
<p class="facts">${escapeHtml(startedAt)} · ${escapeHtml(baseUrls.join(', '))} ·
${numberText(rate)} iterations a second planned · ${escapeHtml(machine)}</p>
<p class="verdict ${run.ok ? 'ok' : 'not'}">${escapeHtml(line)}</p>
${latencyChart(total, marks, 260)}
${chart({ title: 'Calls', unit: 'a second', marks, height: 160, lines: [
    { label: 'calls', style: 'rate', points: perSecond((bin) => bin.rate) },
    { label: 'failed', style: 'failed', points: perSecond((bin) => bin.failed / width) },
  ] })}
${memory.length > 1 ? chart({ title: 'Memory of the nodes', unit: 'MB', marks, height: 140, lines: [
    { label: 'resident', style: 'p50', points: memory.map(({ at, mb }) => ({ at, value: mb })) },
  ] }) : ''}
<h2>Calls</h2>${callsTable([...calls, total])}
<h2>Judged</h2>${judgedTable(run)}
<h2>Latency by call</h2>
${calls.map((one) => latencyChart(one, marks, 150)).join('\n')}
</body></html>
`
}

const latencyChart = (
  { name, bins }: Calls, marks: RunRecord['marks'], height: number,
): string => chart({
  title: name, unit: 'ms', marks, height,
  lines: [
    { label: 'p99', style: 'p99', points: bins.map(({ at, latency }) =>
      ({ at, value: latency?.p99 ?? null })) },
    { label: 'p50', style: 'p50', points: bins.map(({ at, latency }) =>
      ({ at, value: latency?.p50 ?? null })) },
  ],
})

function callsTable(calls: readonly Calls[]): string {
  const milliseconds = (value: number | undefined): string =>
    (value === undefined ? '–' : numberText(value))
  const rows = calls.map(({ name, count, failed, latency }) => rowOf([
    name, String(count), String(failed), ...(['p50', 'p95', 'p99', 'max'] as const)
      .map((stat) => milliseconds(latency?.[stat])),
  ]))
  return tableOf(['call', 'count', 'failed', 'p50 ms', 'p95 ms', 'p99 ms', 'longest ms'], rows)
}

function judgedTable({ judgements, counts }: RunRecord): string {
  // What failed stands first.
  const rows = judgements.toSorted((a, b) => Number(a.ok) - Number(b.ok))
    .map(({ what, measured, ok }) => rowOf([what, measured], ok))
  const counted = Object.entries(counts).map(([name, count]) => rowOf([name, String(count), '']))
  return tableOf(['what', 'measured', ''], [...rows, ...counted])
}

const tableOf = (heads: readonly string[], rows: readonly string[]): string =>
  `<div class="scroll"><table><tr>${heads.map((head) => `<th>${escapeHtml(head)}</th>`).join('')}`
  + `</tr>${rows.join('')}</table></div>`

const rowOf = (cells: readonly string[], ok?: boolean): string =>
  `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}${ok === undefined ? ''
    : `<td class="${ok ? 'ok">kept' : 'not">broken'}</td>`}</tr>`
