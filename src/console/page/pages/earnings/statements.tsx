import { monthName } from '../../format.ts'
import { t } from '../../i18n/text.ts'
import { Icon } from '../../parts/icon.tsx'
import type { Earnings } from '../../types.ts'

/** Months before them are folded away. */
const SHOWN = 6
/** Of an account that does not say since when it is there. */
const UNKNOWN_SHOWN = 12
/** Months are China's; the year has no other time there. */
const CHINA_MS = 8 * 3_600_000

/** "2026-11" as a number of months. */
const placeOf = (iso: string): number => {
  const at = new Date(Date.parse(iso) + CHINA_MS)
  return at.getUTCFullYear() * 12 + at.getUTCMonth()
}

const monthAt = (place: number): string =>
  `${Math.floor(place / 12)}-${String(place % 12 + 1).padStart(2, '0')}`

/** From the month that ends then back to the one in which the account was made. */
function monthsOf(end: string, since: string | null): string[] {
  const last = placeOf(end) - 1
  const count = since === null ? UNKNOWN_SHOWN : last - placeOf(since) + 1
  return Array.from({ length: Math.max(1, count) }, (_, back) => monthAt(last - back))
}

export function Statements({ until, since }: {
  readonly until: string
  readonly since: Earnings['since']
}) {
  const months = monthsOf(until, since)
  const earlier = months.slice(SHOWN)
  return (
    <>
      <Months months={months.slice(0, SHOWN)} running={months[0]} />
      {earlier.length > 0 && (
        <details>
          <summary>{t('statements.earlier')}</summary>
          <Months months={earlier} />
        </details>
      )}
    </>
  )
}

const Months = ({ months, running }: {
  readonly months: readonly string[]
  readonly running?: string | undefined
}) => (
  <ul class="statements card">
    {months.map((month) => (
      <li key={month}>
        <span>
          {monthName(month)}
          {month === running && <span class="soft"> {t('statements.now')}</span>}
        </span>
        <a class="button small" href={`/console/api/statements/${month}`}
          download aria-label={`${t('statements.get')}: ${month}`}>
          <Icon name="download" />{t('statements.get')}</a>
      </li>
    ))}
  </ul>
)
