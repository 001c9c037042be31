import { monthName } from '../../format.ts'
import { t } from '../../i18n/text.ts'
import { Icon } from '../../parts/icon.tsx'

const SHOWN = 6
/** Months are China's; the year has no other time there. */
const CHINA_MS = 8 * 3_600_000

/** "2026-11" and those before it, of the month that ends then. */
function monthsBefore(end: string): string[] {
  const last = new Date(Date.parse(end) + CHINA_MS)
  return Array.from({ length: SHOWN }, (_, back) =>
    new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - 1 - back, 1))
      .toISOString().slice(0, 7))
}

export const Statements = ({ until }: { readonly until: string }) => (
  <ul class="statements card">
    {monthsBefore(until).map((month, at) => (
      <li key={month}>
        <span>
          {monthName(month)}{at === 0 && <span class="soft"> {t('statements.now')}</span>}
        </span>
        <a class="button small" href={`/console/api/statements/${month}`}
          download aria-label={`${t('statements.get')}: ${month}`}>
          <Icon name="download" />{t('statements.get')}</a>
      </li>
    ))}
  </ul>
)
