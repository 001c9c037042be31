/** Money, times and names as people read them, in the language of the page; the page's clock. */
import { t } from './i18n/text.ts'
import { language } from './preferences.ts'

const locale = (): string => (language.value === 'zh' ? 'zh-CN' : 'en-GB')
const FEN = 100
/** A comma only between thousands: "12,5" is an error, and not 125. */
const AMOUNT = /^(\d{1,8}|\d{1,3}(?:,\d{3}){1,2})(?:\.(\d{1,2}))?$/
const SECOND_MS = 1000
const HOUR_S = 3600
const DAY_S = 86_400
const SHOWN_AS_AGO_S = 6 * HOUR_S

/** "¥12.34" of 1234 fen; the minus goes first. */
export function yuan(fen: number): string {
  const text = new Intl.NumberFormat(locale(), {
    minimumFractionDigits: 2, maximumFractionDigits: 2,
  }).format(Math.abs(fen) / FEN)
  return `${fen < 0 ? '−' : ''}¥${text}`
}

/** Without trailing zeros, for the scale of a chart. */
export const yuanBrief = (fen: number): string =>
  `${fen < 0 ? '−' : ''}¥${new Intl.NumberFormat(locale(), { maximumFractionDigits: 2 })
    .format(Math.abs(fen) / FEN)}`

/** Fen of "12.34"; undefined where it is no amount. */
export function fenOf(text: string): number | undefined {
  const match = AMOUNT.exec(text.trim())
  if (!match) return undefined
  return Number(match[1]?.replaceAll(',', '')) * FEN + Number((match[2] ?? '').padEnd(2, '0'))
}

/** As it is typed into a field. */
export const yuanInput = (fen: number | undefined): string =>
  (fen === undefined ? '' : (fen / FEN).toFixed(fen % FEN === 0 ? 0 : 2))

export const count = (value: number): string => new Intl.NumberFormat(locale()).format(value)

export const moment = (iso: string): string => new Intl.DateTimeFormat(locale(), {
  year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit',
}).format(new Date(iso))

/** With seconds, for events that follow within a minute. */
export const momentExact = (iso: string): string => new Intl.DateTimeFormat(locale(), {
  month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit',
}).format(new Date(iso))

export const clockTime = (iso: string): string => new Intl.DateTimeFormat(locale(), {
  hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false,
}).format(new Date(iso))

export const date = (iso: string): string => new Intl.DateTimeFormat(locale(), {
  year: 'numeric', month: 'short', day: 'numeric',
}).format(new Date(iso))

/** The day in China, where settlements are made. */
export const settlementDate = (iso: string): string => new Intl.DateTimeFormat(locale(), {
  year: 'numeric', month: 'short', day: 'numeric', timeZone: 'Asia/Shanghai',
}).format(new Date(iso))

/** "November 2026" of "2026-11". */
export const monthName = (month: string): string => new Intl.DateTimeFormat(locale(), {
  year: 'numeric', month: 'long', timeZone: 'UTC',
}).format(new Date(`${month}-01T00:00:00Z`))

/** "21 Nov" of "2026-11-21". */
export const dayName = (day: string): string => new Intl.DateTimeFormat(locale(), {
  month: 'short', day: 'numeric', timeZone: 'UTC',
}).format(new Date(`${day}T00:00:00Z`))

/** "3 min ago", and the date of what is longer ago. */
export function ago(iso: string): string {
  const seconds = Math.round((nowMs() - Date.parse(iso)) / SECOND_MS)
  if (seconds < 60) return t('time.now')
  if (seconds < HOUR_S) return t('time.minutes', { n: Math.floor(seconds / 60) })
  if (seconds < SHOWN_AS_AGO_S) return t('time.hours', { n: Math.floor(seconds / HOUR_S) })
  return seconds < DAY_S * 300 ? momentShort(iso) : date(iso)
}

const momentShort = (iso: string): string => new Intl.DateTimeFormat(locale(), {
  month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit',
}).format(new Date(iso))

/** Milliseconds since the epoch. */
export const nowMs = (): number => Date.now()

/** Milliseconds on a clock that never goes back; for measuring durations. */
export const monotonicMs = (): number => performance.now()
