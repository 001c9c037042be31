/** The end of a month at a press, for somebody who tries things out. */
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { yuan } from '../../format.ts'
import { t } from '../../i18n/text.ts'
import { ProblemNotice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import type { Earnings, MonthEnd } from '../../types.ts'
import { useAction } from '../../use-load.ts'

export function SandboxMonth({ confirmed, onDone }: {
  readonly confirmed: Earnings['balances']['confirmed']
  onDone(): Promise<void>
}) {
  const [settled, setSettled] = useState<number>()
  const action = useAction(async () => {
    const { fen } = await call<MonthEnd>('POST', '/earnings/month-end', {})
    setSettled(fen)
    await onDone()
  })
  return (
    <Section title={t('sandbox.title')} lead={t('sandbox.money')} actions={(
      <button type="button" class="button" disabled={confirmed === 0}
        aria-disabled={action.isBusy} onClick={() => void action.run()}>
        {t('sandbox.month')}</button>
    )}>
      <p class="soft moved" role="status">
        {settled !== undefined && t('sandbox.month.done', { amount: yuan(settled) })}</p>
      <ProblemNotice problem={action.problem} />
    </Section>
  )
}
