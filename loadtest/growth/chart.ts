/** A line chart as SVG, for light and dark pages: nothing but shapes and text. */

export interface Series {
  readonly name: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

export interface Chart {
  readonly title: string
  /** Of the axes. */
  readonly x: string
  readonly y: string
  readonly series: readonly Series[]
}

const [WIDTH, HEIGHT] = [640, 340]
const [LEFT, RIGHT, TOP, BOTTOM] = [70, 170, 40, 50]
const COLORS = ['#2a78d6', '#d0622a', '#2f9e5b', '#9152c9', '#a98600']
const TICKS = 5
const LABEL_WIDTH = 36

/** What grows in proportion is a straight line: both axes are linear and begin at 0. */
export function chartSvg({ title, x, y, series }: Chart): string {
  const points = series.flatMap((one) => one.points)
  const largest = Math.max(1, ...points.map(([size]) => size))
  const top = roundedUp(Math.max(...points.map(([, value]) => value)))
  const xAt = (size: number): number => LEFT + (WIDTH - LEFT - RIGHT) * size / largest
  const yAt = (value: number): number => HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top
  const grid = Array.from({ length: TICKS + 1 }, (_, step) => {
    const value = top * step / TICKS
    const at = yAt(value).toFixed(1)
    return `<line class="g" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}"/>`
      + text(LEFT - 8, yAt(value) + 4, short(value), 'end')
  })
  const sizes = apart(points.map(([size]) => size), xAt)
    .map((size) => text(xAt(size), HEIGHT - BOTTOM + 18, short(size), 'middle'))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" `
      + `aria-label="${escaped(title)}">`,
    '<style>text{font:12px system-ui,sans-serif;fill:#555}.t{font-weight:600;font-size:14px}'
      + '.g{stroke:#9996;stroke-width:1}'
      + '@media(prefers-color-scheme:dark){text{fill:#bbb}}</style>',
    text(LEFT, 22, title, 'start', 't'),
    ...grid, ...sizes,
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, x, 'middle'),
    text(LEFT - 8, TOP - 12, y, 'end'),
    ...series.map((one, index) => lineOf(one, index, { xAt, yAt })),
    '</svg>',
    '',
  ].join('\n')
}

/** From the largest down, those that have room for their names. */
function apart(sizes: readonly number[], xAt: (size: number) => number): number[] {
  const kept: number[] = []
  for (const size of sizes.toSorted((one, other) => other - one)) {
    const next = kept.at(-1)
    if (next === undefined || xAt(next) - xAt(size) >= LABEL_WIDTH) kept.push(size)
  }
  return kept
}

function lineOf({ name, points }: Series, index: number, scale: {
  xAt: (size: number) => number, yAt: (value: number) => number,
}): string {
  const color = COLORS[index % COLORS.length]
  const placed = points.map(([size, value]) => [scale.xAt(size), scale.yAt(value)] as const)
  const path = placed.map((one) => one.map((value) => value.toFixed(1)).join()).join(' ')
  return [
    `<polyline fill="none" stroke="${color}" stroke-width="2" points="${path}"/>`,
    ...placed.map(([cx, cy]) =>
      `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="3" fill="${color}"/>`),
    `<circle cx="${WIDTH - RIGHT + 14}" cy="${TOP + 4 + index * 20}" r="4" fill="${color}"/>`,
    text(WIDTH - RIGHT + 24, TOP + 8 + index * 20, name, 'start'),
  ].join('')
}

function text(x: number, y: number, words: string, anchor: string, name = ''): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}"`
    + `${name && ` class="${name}"`}>${escaped(words)}</text>`
}

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** To a value that five lines divide well. */
function roundedUp(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return (([1, 1.5, 2, 2.5, 3, 4, 5, 7.5, 10].find((step) => step * power >= value)) ?? 10) * power
}

export function short(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toFixed(1))}M`
  if (value >= 1000) return `${Number((value / 1000).toFixed(1))}k`
  return String(Number(value.toFixed(value < 10 ? 2 : 0)))
}
