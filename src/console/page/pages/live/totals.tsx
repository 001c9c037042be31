import { count, yuan } from '../../format.ts'
import { t } from '../../i18n/text.ts'
import type { Activity, ActivityRow } from '../../types.ts'

const NUMBERS = ['clicks', 'orders', 'amount', 'commission'] as const

export const sum = (rows: readonly ActivityRow[], name: (typeof NUMBERS)[number]): number =>
  rows.reduce((total, row) =>
    total + row[name] - (name === 'commission' ? row.reversed : 0), 0)

/** Today, beside what the whole span came to. */
export function Totals({ activity: { to, rows } }: { readonly activity: Activity }) {
  const today = rows.filter(({ day }) => day === to)
  const text = (name: (typeof NUMBERS)[number], some: readonly ActivityRow[]): string =>
    (name === 'amount' || name === 'commission' ? yuan : count)(sum(some, name))
  return (
    <dl class="totals">
      {NUMBERS.map((name) => (
        <div key={name}>
          <dt>{t(`live.today.${name}`)}</dt>
          <dd data-testid={`today-${name}`}>{text(name, today)}</dd>
          <dd class="soft">{t('live.span', { value: text(name, rows) })}</dd>
        </div>
      ))}
    </dl>
  )
}
