import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { CATEGORY_ICONS, drawItem } from './image.ts'

/** Tags with quoted attributes, and text without a bare < > or &. */
const TAG = /<[a-zA-Z]+(?: [a-zA-Z0-9:-]+="[^"<>]*")*\/?>|<\/[a-zA-Z]+>/
const DRAWN = new RegExp(`^(?:${TAG.source}|[^<>&]|&(?:amp|lt|gt|quot|#39);)*$`)

test('each category has a drawing of its own', () => {
  expect(new Set(CATEGORY_ICONS).size).toBe(24)
})

test('the same item always looks the same; its views, and other items, look different', () => {
  const item = { title: '保温杯', category_id: 6 }
  expect(drawItem(item, 1)).toBe(drawItem({ ...item }, 1))
  const others = [drawItem(item, 2), drawItem(item, 3), drawItem({ ...item, title: '茶杯' }, 1),
    drawItem({ ...item, category_id: 7 }, 1)]
  expect(new Set([drawItem(item, 1), ...others]).size).toBe(5)
})

test.prop([fc.string({ unit: 'grapheme', maxLength: 120 }), fc.integer({ min: 1, max: 24 }),
  fc.integer({ min: 1, max: 9 })])(
  'whatever the title, it is text in the drawing', (title, category_id, view) => {
    const svg = drawItem({ title, category_id }, view)
    expect(svg).toMatch(DRAWN)
    expect(svg.length).toBeLessThan(10_000)
  })

test('markup in a title is shown, not obeyed', () => {
  const svg = drawItem({ title: '</text><script>alert(1)</script>" onload="x', category_id: 1 }, 1)
  expect(svg).not.toContain('<script')
  expect(svg).not.toContain('" onload')
})
