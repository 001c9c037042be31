/** A line chart as SVG, without anything else: it is part of the page that it stands in. */
import { escapeHtml } from '../../src/html.ts'
import { numberText } from './verdict.ts'

export interface Line {
  readonly label: string
  /** Class of the page's style, which gives it its colour. */
  readonly style: string
  readonly points: readonly { readonly at: number, readonly value: number | null }[]
}

export interface ChartOptions {
  readonly title: string
  readonly unit: string
  readonly lines: readonly Line[]
  readonly marks?: readonly { readonly at: number, readonly text: string }[]
  readonly height?: number
}

const WIDTH = 860
const LEFT = 56
const RIGHT = 12
const TOP = 22
const BOTTOM = 22
const TICKS = 4

export function chart({ title, unit, lines, marks = [], height = 200 }: ChartOptions): string {
  const points = lines.flatMap((line) => line.points)
  const lastAt = Math.max(1, ...[...points, ...marks].map(({ at }) => at))
  const top = niceTop(Math.max(0, ...points.map(({ value }) => value ?? 0)))
  const x = (at: number): string => (LEFT + (at / lastAt) * (WIDTH - LEFT - RIGHT)).toFixed(1)
  const y = (value: number): string =>
    (height - BOTTOM - (value / top) * (height - TOP - BOTTOM)).toFixed(1)
  const grid = Array.from({ length: TICKS + 1 }, (_, index) => (top * index) / TICKS)
    .map((value) => `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" `
      + `y2="${y(value)}"/><text x="${LEFT - 6}" y="${Number(y(value)) + 4}" `
      + `text-anchor="end">${numberText(value)}</text>`)
  const times = [0, lastAt / 2, lastAt].map((at, index) =>
    `<text x="${x(at)}" y="${height - 5}" text-anchor="${['start', 'middle', 'end'][index]}">`
      + `${numberText(at)} s</text>`)
  const drawn = lines.map(({ label, style, points }) =>
    `<path class="${style}" d="${pathOf(points, x, y)}"><title>${escapeHtml(label)}</title></path>`)
  const events = marks.map(({ at, text }) =>
    `<line class="mark" x1="${x(at)}" x2="${x(at)}" y1="${TOP}" y2="${height - BOTTOM}"/>`
      + `<text x="${x(at)}" y="${TOP - 4}" text-anchor="middle">${escapeHtml(text)}</text>`)
  const legend = lines.map(({ label, style }) =>
    `<span class="${style}">${escapeHtml(label)}</span>`).join(' ')
  return `<figure><figcaption>${escapeHtml(title)} <small>${escapeHtml(unit)}</small> ${legend}`
    + `</figcaption><svg viewBox="0 0 ${WIDTH} ${height}" role="img" `
    + `aria-label="${escapeHtml(title)}">${[...grid, ...times, ...events, ...drawn].join('')}`
    + '</svg></figure>'
}

type Scale = (value: number) => string

/** Broken where there is nothing. */
function pathOf(points: Line['points'], x: Scale, y: Scale): string {
  let isDrawing = false
  return points.map(({ at, value }) => {
    const command = value === null ? '' : `${isDrawing ? 'L' : 'M'}${x(at)} ${y(value)}`
    isDrawing = value !== null
    return command
  }).join('')
}

/** The next of 1, 2, 4, 5, 10 … at or above. */
function niceTop(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return power * ([1, 2, 4, 5].find((step) => value <= step * power) ?? 10)
}
