/** What buyer, merchant and carrier would do, for somebody who tries things out. */
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { t } from '../../i18n/text.ts'
import { ProblemNotice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import type { Order, SandboxMove } from '../../types.ts'
import { useAction } from '../../use-load.ts'

type Status = Order['status']

/** In which statuses a move can be made; the service has the last word. */
const FROM: Readonly<Record<SandboxMove, readonly Status[]>> = {
  pay: ['pending_payment'],
  accept: ['paid'],
  ship: ['merchant_accepted'],
  deliver: ['shipped'],
  complete: ['delivered'],
  delay: ['paid', 'merchant_accepted', 'shipped', 'delivered', 'refunding'],
  refund: ['paid', 'merchant_accepted', 'shipped', 'delivered'],
  restore_quota: ['delivered', 'completed', 'refunding', 'refunded'],
}
const MOVES = Object.keys(FROM) as SandboxMove[]

export function SandboxControls({ order, onMoved }: {
  readonly order: Order
  onMoved(): Promise<void>
}) {
  const { order_no, status } = order
  const [done, setDone] = useState<SandboxMove>()
  const action = useAction(async (move: SandboxMove) => {
    setDone(undefined)
    try {
      await call('POST', `/orders/${order_no}/moves`, { move })
      setDone(move)
    } finally {
      // Also after a refusal: then the order is not where the page thought.
      await onMoved()
    }
  })
  return (
    <Section title={t('sandbox.title')} lead={t('sandbox.lead')}>
      <div class="moves">
        {MOVES.map((move) => (
          <button key={move} type="button"
            class={move === 'refund' ? 'button danger' : 'button'}
            disabled={!FROM[move].includes(status)} aria-disabled={action.isBusy}
            onClick={() => void action.run(move)}>{t(`sandbox.${move}`)}</button>
        ))}
      </div>
      <p class="soft moved" role="status">
        {done && t('sandbox.done', { move: t(`sandbox.${done}`) })}</p>
      <ProblemNotice problem={action.problem} />
    </Section>
  )
}
