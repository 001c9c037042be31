/** A drawn picture for an item that brings none: the same item always looks the same. */
import { escapeHtml } from '../html.ts'
import { CATEGORY_ICONS } from './icons.ts'

export interface Drawable {
  readonly title: string
  readonly category_id: number
  /** Variants of one product look alike. */
  readonly group_id?: string
}

const SIZE = 640
const LINES_MAX = 3
/** Widths in half Han characters, which is about what Latin letters take. */
const LINE_WIDTH_MAX = 28

/** SVG text; view 1 shows the item, 2 a detail of it, 3 its name. */
export function drawItem({ title, category_id, group_id }: Drawable, view: number): string {
  const seed = hashOf(group_id ?? title)
  const hue = (category_id * 15 + seed % 30) % 360
  const scene = view === 2 ? closeUp : view === 3 ? nameCard : front
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}" role="img">`
    + `<title>${escapeHtml(title)}</title>`
    + '<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1">'
    + `<stop offset="0" stop-color="hsl(${hue} 60% 94%)"/>`
    + `<stop offset="1" stop-color="hsl(${(hue + 40) % 360} 55% 82%)"/></linearGradient></defs>`
    + `<rect width="${SIZE}" height="${SIZE}" fill="url(#g)"/>`
    + `${scene({ title, seed, hue, icon: CATEGORY_ICONS[category_id - 1] ?? '' })}</svg>`
}

interface Scene {
  readonly title: string
  readonly seed: number
  readonly hue: number
  readonly icon: string
}

const front = (scene: Scene): string =>
  `${bubbles(scene)}<ellipse cx="320" cy="440" rx="150" ry="18" fill="#000" opacity=".08"/>`
  + drawing(scene, 'translate(176 130) scale(12)', 1.1) + caption(scene, 530, 24)

const closeUp = (scene: Scene): string =>
  `${bubbles(scene)}${drawing(scene, `translate(-60 -40) rotate(${scene.seed % 30 - 15} 320 320) `
    + 'scale(31)', 0.8)}`

const nameCard = (scene: Scene): string =>
  `${bubbles(scene)}<rect x="60" y="200" width="520" height="260" rx="24" fill="#fff" `
  + `opacity=".8"/>${drawing(scene, 'translate(272 90) scale(4)', 1.4)}${caption(scene, 300, 30)}`

const drawing = ({ hue, icon }: Scene, transform: string, width: number): string =>
  `<g transform="${transform}"><path d="${icon}" fill="hsl(${hue} 70% 98%)" `
  + `stroke="hsl(${hue} 45% 32%)" stroke-width="${width}" stroke-linejoin="round" `
  + 'stroke-linecap="round"/></g>'

const caption = ({ title, hue }: Scene, top: number, size: number): string =>
  wrap(title).map((line, index) => `<text x="320" y="${top + index * size * 1.4}" `
    + `font-size="${size}" text-anchor="middle" fill="hsl(${hue} 45% 22%)" `
    + `font-family="system-ui,sans-serif">${escapeHtml(line)}</text>`).join('')

const bubbles = ({ seed, hue }: Scene): string =>
  Array.from({ length: 5 }, (_, index) => {
    const place = hashOf(`${seed}:${index}`)
    return `<circle cx="${place % SIZE}" cy="${(place >>> 8) % SIZE}" `
      + `r="${40 + (place >>> 16) % 90}" fill="hsl(${hue} 70% 70%)" opacity=".14"/>`
  }).join('')

/** Breaks anywhere, as Chinese does, but not inside a Latin word that fits on a line. */
function wrap(title: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const piece of title.match(/[!-~]{1,20}|\s+|./gu) ?? []) {
    if (widthOf(line + piece) > LINE_WIDTH_MAX && line.trim()) {
      lines.push(line.trim())
      line = ''
    }
    line += piece
  }
  if (line.trim()) lines.push(line.trim())
  return lines.length > LINES_MAX ? [...lines.slice(0, LINES_MAX - 1), `${lines[LINES_MAX - 1]}…`]
    : lines
}

const widthOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (character > '\u2e7f' ? 2 : 1), 0)

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  }
  return hash
}
