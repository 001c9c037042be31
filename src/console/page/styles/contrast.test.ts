/** What the eye needs of the stylesheets, computed from their colours. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const sheet = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')
/** WCAG 2.2, 1.4.11: what shows where a control is. */
const CONTROL_MIN = 3
const THEMES = ['light', 'dark'] as const
/** Whatever a field may stand on, and its own inside. */
const GROUNDS = ['ground', 'card', 'raised', 'sunken']

const colours = new Map([...sheet('theme.css').matchAll(
  /--([\w-]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\);/g)]
  .map(([, name = '', light = '', dark = '']) => [name, { light, dark }]))

function colour(name: string, theme: (typeof THEMES)[number]): string {
  const found = colours.get(name)
  if (!found) throw new Error(`The theme has no colour ${name}.`)
  return found[theme]
}

/** Of "rrggbb", by WCAG's definition. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [less = 0, more = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (more + 0.05) / (less + 0.05)
}

test('contrast is WCAG\'s', () => {
  expect(contrast('000000', 'ffffff')).toBe(21)
  expect(contrast('777777', 'ffffff')).toBeCloseTo(4.48, 2)
})

const [, border = ''] = /^input[^{]*\{[^}]*border: 1px solid var\(--([\w-]+)\)/m
  .exec(sheet('forms.css')) ?? []

test.for(THEMES.flatMap((theme) => GROUNDS.map((ground) => [theme, ground] as const)))(
  'the border of a field is seen, %s on %s', ([theme, ground]) => {
    expect(contrast(colour(border, theme), colour(ground, theme)))
      .toBeGreaterThanOrEqual(CONTROL_MIN)
  })
