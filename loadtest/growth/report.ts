/** The pictures and tables of docs/scale.md, from what was measured. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { availableParallelism, totalmem } from 'node:os'
import { type Chart, chartSvg, type Series, short } from './chart.ts'
import type { GrowthResults } from './main.ts'

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url))
const BEGIN = '<!-- growth: written by `npm run growth -- --write` -->'
const END = '<!-- growth end -->'

export function writeReport(found: GrowthResults): void {
  const results: GrowthResults = {
    goods: found.goods.toSorted((one, other) => one.goods - other.goods),
    orders: found.orders.toSorted((one, other) =>
      one.orders - other.orders || one.archived - other.archived),
    agents: found.agents.toSorted((one, other) => one.agents - other.agents),
  }
  for (const [name, chart] of Object.entries(chartsOf(results))) {
    writeFileSync(`${DOCS}scale/${name}.svg`, chartSvg(chart))
  }
  const path = `${DOCS}scale.md`
  writeFileSync(path, between(readFileSync(path, 'utf8'), tablesOf(results)))
}

/** Throws where the document has no place for it. */
export function between(document: string, text: string): string {
  const [from, to] = [document.indexOf(BEGIN), document.indexOf(END)]
  if (from < 0 || to < from) throw new Error('docs/scale.md lacks the marks of its tables.')
  return `${document.slice(0, from)}${BEGIN}\n${text}\n${document.slice(to)}`
}

type Value<T> = (one: T) => number

function seriesOf<T>(
  rows: readonly T[], name: string, size: Value<T>, value: Value<T>,
): Series {
  return { name, points: rows.map((row) => [size(row), value(row)] as const) }
}

/** A size alone is a row of the tables and no picture. */
export function chartsOf({ goods, orders, agents }: GrowthResults): Record<string, Chart> {
  const kept = orders.filter((one) => one.orders > 0 && one.archived === 0)
  const left = orders.filter((one) => one.archived > 0)
  return {
    ...goods.length > 1 && {
      'goods-memory': {
        title: 'Memory of a catalogue', x: 'goods', y: 'MB', series: [
          seriesOf(goods, 'shelf', (one) => one.goods, (one) => one.shelfMb),
          seriesOf(goods, 'of it, indexes', (one) => one.goods, (one) => one.indexMb),
          seriesOf(goods, 'ledger', (one) => one.goods, (one) => one.ledgerMb),
          seriesOf(goods, 'node', (one) => one.goods, (one) => one.nodeMb),
        ],
      },
      'goods-start': {
        title: 'A start with the catalogue there', x: 'goods', y: 's', series: [
          seriesOf(goods, 'shelf', (one) => one.goods, (one) => one.shelfStartSeconds),
          seriesOf(goods, 'node', (one) => one.goods, (one) => one.nodeStartSeconds),
        ],
      },
      'goods-search': {
        title: 'CPU of a search never made before', x: 'goods', y: 'µs', series: [
          seriesOf(goods, 'node', (one) => one.goods, (one) => one.searchNodeUs),
          seriesOf(goods, 'shelf', (one) => one.goods, (one) => one.searchShelfUs),
        ],
      },
    },
    ...kept.length > 1 && {
      'orders-start': {
        title: 'Start and rewrite of the ledger', x: 'orders kept', y: 's', series: [
          seriesOf(kept, 'start', (one) => one.orders, (one) => one.startSeconds),
          seriesOf(kept, 'rewrite', (one) => one.orders, (one) => one.rewriteSeconds),
        ],
      },
      'orders-memory': {
        title: 'Memory of the ledger', x: 'orders', y: 'MB', series: [
          seriesOf(kept, 'all kept', (one) => one.orders, (one) => one.ledgerMb),
          seriesOf(left, 'all archived', (one) => one.orders, (one) => one.ledgerMb),
        ],
      },
    },
    ...agents.length > 1 && {
      'agents-memory': {
        title: 'What an agent takes of the ledger', x: 'agents', y: 'bytes', series: [
          seriesOf(agents, 'an agent', (one) => one.agents, (one) => one.bytesPerAgent),
        ],
      },
    },
  }
}

export function tablesOf({ goods, orders, agents }: GrowthResults): string {
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const kinds = [...new Set(orders.flatMap((one) => Object.keys(one.kinds)))]
  const counted = orders.filter((one) => one.orders > 0)
  return [
    `Measured on ${availableParallelism()} shared cores with ${gigabytes} GB.`,
    table(['goods', 'import', 'shelf', 'of it, indexes', 'ledger', 'start of the shelf',
      'start of a node', 'node', 'search p50, p99', 'CPU of a search: node, shelf'],
    goods.map((one) => [short(one.goods), s(one.importSeconds), mb(one.shelfMb), mb(one.indexMb),
      mb(one.ledgerMb), s(one.shelfStartSeconds), s(one.nodeStartSeconds), mb(one.nodeMb),
      `${one.searchP50Ms.toFixed(1)}, ${one.searchP99Ms.toFixed(0)} ms`,
      `${one.searchNodeUs.toFixed(0)}, ${one.searchShelfUs.toFixed(0)} µs`])),
    table(['orders', 'of them archived', 'ledger', 'bytes an order', 'on disk', 'start',
      'rewrite of the log, copied meanwhile', 'verify', 'archiving'],
    orders.map((one) => [short(one.orders), short(one.archived), mb(one.ledgerMb),
      String(one.bytesPerOrder), mb(one.diskMb), s(one.startSeconds),
      `${s(one.rewriteSeconds)}, ${mb(one.rewriteCopiedMb)}`,
      one.verifySeconds === undefined ? '–'
        : `${s(one.verifySeconds)}, ${one.violations} violations`,
      one.archiveSeconds === undefined ? '–'
        : `${s(one.archiveSeconds)}, ${mb(one.archiveMb ?? NaN)} of files`])),
    table(['bytes an order, by kind of key', ...counted.map((one) =>
      `${short(one.orders)}${one.archived > 0 ? ', archived' : ''}`)],
    kinds.map((kind) => [kind, ...counted.map((one) => String(one.kinds[kind] ?? 0))])),
    table(['agents', 'bytes an agent', 'start of the ledger', 'start of a node', 'node',
      'after 5,000 keys', 'first call p50, p99', 'CPU of it'],
    agents.map((one) => [short(one.agents), String(one.bytesPerAgent), s(one.ledgerStartSeconds),
      s(one.nodeStartSeconds), mb(one.nodeMb), mb(one.nodeMbAfter),
      `${one.firstCallP50Ms.toFixed(1)}, ${one.firstCallP99Ms.toFixed(0)} ms`,
      `${one.firstCallNodeUs.toFixed(0)} µs`])),
  ].join('\n\n')
}

const NOT_RUN = 'Not run.'

const s = (seconds: number): string => `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`
const mb = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} MB`

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return `${head[0]}: ${NOT_RUN}`
  return [
    `| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n')
}
