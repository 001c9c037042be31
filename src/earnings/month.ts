/** Months as earnings count them: by China's time, which has no summer time. */
import { isoTime } from '../contract/time.ts'

const CHINA_MS = 8 * 3_600_000
const DAY = /^20\d\d-\d\d-\d\d$/
const MONTH = /^(20\d\d)-(0[1-9]|1[0-2])$/

/** "2026-11" */
export const monthOf = (ms: number): string => dayOf(ms).slice(0, 7)

/** "2026-11-21" */
export const dayOf = (ms: number): string => isoTime(ms + CHINA_MS).slice(0, 10)

/** Its first moment; undefined where it is no day. */
export function startOfDay(day: string): number | undefined {
  const start = DAY.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN
  return Number.isNaN(start) || isoTime(start).slice(0, 10) !== day ? undefined : start - CHINA_MS
}

/** Months that the days from one to another are in, both included. */
export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = []
  const last = to.slice(0, 7)
  for (let month = from.slice(0, 7); month <= last;) {
    months.push(month)
    const [year, number] = month.split('-').map(Number) as [number, number]
    month = isoTime(Date.UTC(year, number)).slice(0, 7)
  }
  return months
}

/** From its first moment to the next month's; undefined where it is no month. */
export function monthBounds(month: string): { start: number, end: number } | undefined {
  const [, year, number] = MONTH.exec(month) ?? []
  if (year === undefined || number === undefined) return undefined
  return {
    start: Date.UTC(Number(year), Number(number) - 1) - CHINA_MS,
    end: Date.UTC(Number(year), Number(number)) - CHINA_MS,
  }
}
