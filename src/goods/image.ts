/** A drawn picture for an item that brings none: the same item always looks the same. */
import escapeHtml from 'escape-html'

interface Drawable {
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

/** A line drawing for each category, on a field of 24 by 24. */
export const CATEGORY_ICONS: readonly string[] = [
  // phones, computers, accessories, appliances, household, kitchen
  'M7 2h10v20H7zM11 19h2',
  'M4 5h16v11H4zM2 20h20M9 16v4M15 16v4',
  'M4 14a8 8 0 0 1 16 0M3 14h4v6H3zM17 14h4v6h-4z',
  'M5 3h14v18H5zM5 8h14M12 17.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM8 5.5h2',
  'M5 8h14l-1.5 13h-11zM8 8a4 4 0 0 1 8 0',
  'M4 11h14v6a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4zM18 12h4M8 8V4M12 8V3M16 8V4',
  // textiles, furniture, clothes, shoes and bags, jewellery, beauty
  'M3 19v-9h18v9M3 16h18M6 10V6h12v4',
  'M5 12V6h14v6M3 12h4v4h10v-4h4v7H3zM6 19v2M18 19v2',
  'M8 3l4 2 4-2 6 4-3 4-2-1v11H7V10l-2 1-3-4z',
  'M4 8h16v12H4zM9 8V6a3 3 0 0 1 6 0v2M4 13h16',
  'M12 21a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM9 4h6l2 3-5 3-5-3z',
  'M9 10h6v11H9zM10 10V5l4-2v7M9 14h6',
  // washing, snacks, drinks, alcohol, fresh food, mother and baby
  'M9 3h5v4M9 5h8M8 9h8l1 12H7zM9.5 14h5',
  'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9 9h.1M14 8h.1M15 14h.1M10 15h.1',
  'M6 8h12l-1.5 13h-9zM5 8h14M13 8l2-6h3',
  'M8 3h8l-1 8a3 3 0 0 1-6 0zM12 14v6M8 21h8',
  'M12 7c-5-3-9 1-8 6s4 9 8 7c4 2 7-2 8-7s-3-9-8-6zM12 7c0-3 1-4 3-5',
  'M9 9h6l1 3v9H8v-9zM10 9V6h4v3M10.5 6c0-4 3-4 3 0M8 15h4M8 18h4',
  // toys, books, sports, cars, pets, health
  'M3 13h8v8H3zM13 13h8v8h-8zM8 4h8v8H8z',
  'M4 4h7l1 1 1-1h7v15h-7l-1 1-1-1H4zM12 5v15',
  'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3v18'
    + 'M5.5 6a9 9 0 0 0 0 12M18.5 6a9 9 0 0 1 0 12',
  'M3 16v-4l3-1 2-5h8l2 5 3 1v4zM7.5 18.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4z'
    + 'M16.5 18.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  'M12 20c-5 0-6-4-3-6l3-3 3 3c3 2 2 6-3 6zM6 11h.1M9.5 6h.1M14.5 6h.1M18 11h.1',
  'M10 3h4v7h7v4h-7v7h-4v-7H3v-4h7z',
]
