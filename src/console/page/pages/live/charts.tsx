import { useState } from 'preact/hooks'
import { count, dayName, yuan, yuanBrief } from '../../format.ts'
import { t, term } from '../../i18n/text.ts'
import { Chart } from '../../parts/chart.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Table } from '../../parts/table.tsx'
import type { Activity } from '../../types.ts'
import { GROUPS, METRICS, seriesOf, totalOf, type Group, type Metric } from './series.ts'

interface ChartsProps {
  readonly activity: Activity
  readonly names: ReadonlyMap<string, string>
}

/** One number by day, as a whole or by source or agent; the same as a table. */
export function Charts({ activity, names }: ChartsProps) {
  const [metric, setMetric] = useState<Metric>('commission')
  const [group, setGroup] = useState<Group>('all')
  const { days, lines } = seriesOf(activity, metric, group)
  const format = metric === 'commission' ? yuan : count
  const nameOf = (name: string): string => (group === 'agent' ? names.get(name) ?? name
    : group === 'source' ? term('source', name) : t(`metric.${metric}`))
  const shown = lines.map((line) => ({ ...line, name: nameOf(line.name) }))
  const rows = days.map((day, place) => ({ day, values: lines.map(({ values }) => values[place]) }))
    .filter(({ values }) => values.some((value) => value !== 0)).toReversed()
  return (
    <div class="card">
      <div class="chart-choices">
        <Choice label={t('chart.metric')} value={metric} onChange={setMetric}
          options={METRICS.map((name) => [name, t(`metric.${name}`)] as const)} />
        <Choice label={t('chart.group')} value={group} onChange={setGroup}
          options={GROUPS.map((name) => [name, t(`group.${name}`)] as const)} />
      </div>
      <Chart label={t('chart.label', { metric: t(`metric.${metric}`) })}
        days={days} lines={shown} format={format}
        formatBrief={metric === 'commission' ? yuanBrief : count} />
      <ul class="legend">
        {shown.map((line, at) => (
          <li key={line.name}><span class={`swatch line-${at}`} />{line.name}
            <strong class="numbers">{format(totalOf(line))}</strong></li>
        ))}
      </ul>
      <details>
        <summary>{t('chart.table')}</summary>
        <Table caption={t('chart.table')} head={[t('day'), ...shown.map(({ name }) => name)]}
          numbers={shown.map((_, at) => at + 1)}
          rows={rows.map(({ day, values }) => ({
            key: day, cells: [dayName(day), ...values.map((value) => format(value ?? 0))],
          }))} />
      </details>
    </div>
  )
}
