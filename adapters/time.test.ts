import { expect, test } from 'vitest'
import { fc, test as property } from '@fast-check/vitest'
import {
  chinaTime, DAY_MS, halvesOf, parseChinaDay, parseChinaTime, untilChinaMidnight, windowsOf,
} from './time.ts'

const FROZEN = Date.parse('2026-01-01T19:04:05Z')

test('China time is eight hours ahead, whatever zone the machine has', () => {
  expect(chinaTime(FROZEN)).toBe('2026-01-02 03:04:05')
  for (const text of ['2026-01-02 03:04:05', '2026-01-02 03:04:05.000+0800',
    '2026-01-02T03:04:05+08:00']) expect(parseChinaTime(text), text).toBe(FROZEN)
  expect(parseChinaDay('20260102')).toBe(Date.parse('2026-01-01T16:00:00Z'))
})

test('what is no time is null', () => {
  for (const text of ['', '0', '2026-13-40 00:00:00', '2026-01-02', null]) {
    expect(parseChinaTime(text)).toBeNull()
  }
  expect([parseChinaDay('0'), parseChinaDay('20261301')]).toEqual([null, null])
})

test('the quota day ends at midnight in China', () => {
  expect(untilChinaMidnight(Date.parse('2026-01-01T15:59:00Z'))).toBe(60_000)
  expect(untilChinaMidnight(Date.parse('2026-01-01T16:00:00Z'))).toBe(DAY_MS)
})

property.prop([fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 1, max: 1e8 }),
  fc.integer({ min: 1e6, max: 1e7 })])(
  'windows cover their span without a gap and none is too long', (from, length, max) => {
    const windows = windowsOf({ from, to: from + length }, max)
    expect(windows[0]?.from).toBe(from)
    expect(windows.at(-1)?.to).toBe(from + length)
    windows.forEach((window, at) => {
      expect(window.to - window.from).toBeLessThanOrEqual(max)
      if (at > 0) expect(window.from).toBe(windows[at - 1]?.to)
    })
  })

property.prop([fc.integer({ min: 0, max: 1e12 }), fc.integer({ min: 2001, max: 1e7 })])(
  'halves meet at a whole second within', (from, length) => {
    const [first, second] = halvesOf({ from, to: from + length })
    expect([first.from, second.to]).toEqual([from, from + length])
    expect(first.to).toBe(second.from)
    expect(first.to % 1000).toBe(0)
    expect(first.to).toBeGreaterThan(from)
    expect(first.to).toBeLessThan(from + length)
  })
