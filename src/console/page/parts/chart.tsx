/** Lines by day, painted by uPlot in the colours of the theme. */
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { dayName } from '../format.ts'
import { language, palette } from '../preferences.ts'

interface ChartProps {
  readonly label: string
  readonly days: readonly string[]
  readonly lines: readonly { readonly name: string, readonly values: readonly number[] }[]
  format(value: number): string
  /** For the scale. */
  formatBrief(value: number): string
}

const HEIGHT = 240
const FONT = '12px system-ui, sans-serif'
const AXIS_WIDTH = 64
const AXIS_HEIGHT = 32
const TICK_SPACE = 64
const POINT_DAYS_MAX = 40

/** A canvas has no style sheet variables: reads the present value from the browser. */
function colourOf(element: HTMLElement, name: string): string {
  const probe = element.appendChild(document.createElement('span'))
  probe.style.color = `var(${name})`
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

export function Chart({ label, ...shown }: ChartProps) {
  const { days, lines } = shown
  const box = useRef<HTMLDivElement>(null)
  const shape = JSON.stringify([days, lines, language.value, palette.value])
  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    const options = optionsFor(element, shown)
    const data = [days.map((_, place) => place), ...lines.map(({ values }) => [...values])]
    const plot = new uPlot(options, data as uPlot.AlignedData, element)
    const resized = new ResizeObserver(() => {
      plot.setSize({ width: element.clientWidth, height: HEIGHT })
    })
    resized.observe(element)
    return () => {
      resized.disconnect()
      plot.destroy()
    }
  }, [shape])
  return <div class="chart" ref={box} role="img" aria-label={label} />
}

function optionsFor(
  element: HTMLElement, { days, lines, format, formatBrief }: Omit<ChartProps, 'label'>,
): uPlot.Options {
  const [text, grid, ground] = ['--soft', '--line', '--card'].map((name) => colourOf(element, name))
  const axis = {
    stroke: text ?? '', font: FONT, ticks: { show: false }, grid: { stroke: grid ?? '', width: 1 },
  }
  const name = (place: number): string => {
    const day = days[place]
    return day === undefined ? '' : dayName(day)
  }
  return {
    width: element.clientWidth,
    height: HEIGHT,
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
    legend: { show: false },
    scales: {
      x: { time: false },
      y: { range: (_plot, min, max) => [Math.min(0, min), Math.max(max, 1) * 1.1] },
    },
    axes: [
      { ...axis, grid: { show: false }, space: TICK_SPACE, size: AXIS_HEIGHT, gap: 8,
        incrs: [1, 2, 5, 7, 14], values: (_plot, places) => places.map(name) },
      { ...axis, size: AXIS_WIDTH, values: (_plot, values) => values.map(formatBrief) },
    ],
    series: [
      {},
      ...lines.map((line, at): uPlot.Series => {
        const stroke = colourOf(element, `--line-${at}`)
        return {
          label: line.name, stroke, width: 2,
          ...(lines.length === 1 && { fill: colourOf(element, '--line-fill') }),
          points: { show: days.length <= POINT_DAYS_MAX, size: 5, fill: ground ?? '' },
        }
      }),
    ],
    plugins: [tooltip(lines, name, format)],
  }
}

/** The values under the pointer, as text. */
function tooltip(
  lines: ChartProps['lines'], name: (place: number) => string, format: ChartProps['format'],
): uPlot.Plugin {
  const tip = document.createElement('div')
  tip.className = 'chart-tip'
  return {
    hooks: {
      init(plot) { plot.over.append(tip) },
      setCursor({ cursor: { idx, left = -1 }, over }) {
        tip.hidden = idx === null || idx === undefined || left < 0
        if (tip.hidden) return
        const place = idx ?? 0
        tip.textContent = [name(place), ...lines.map((line) =>
          `${line.name} ${format(line.values[place] ?? 0)}`)].join('\n')
        const room = over.clientWidth - tip.offsetWidth
        tip.style.left = `${Math.max(0, Math.min(left + 12, room))}px`
      },
    },
  }
}
