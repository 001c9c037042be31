/** What buyer, merchant and carrier would do, for somebody who tries things out. */
import { useState } from 'preact/hooks'
import { call } from '../../api.ts'
import { t } from '../../i18n/text.ts'
import { ProblemNotice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import type { Order, SandboxMove } from '../../types.ts'
import { useAction } from '../../use-load.ts'
import { stepName, stepTime } from './timeline.tsx'

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
/** An after-sale that is open has to end first. */
const WITHOUT_AFTERSALE: readonly SandboxMove[] = ['complete', 'refund']

function isPossible(move: SandboxMove, { status, upcoming }: Order): boolean {
  if (move === 'delay' && !upcoming.some(({ at }) => at !== undefined)) return false
  const hasOpen = upcoming.some(({ aftersale_status }) => aftersale_status !== undefined)
  return FROM[move].includes(status) && !(hasOpen && WITHOUT_AFTERSALE.includes(move))
}

export function SandboxControls({ order, onMoved }: {
  readonly order: Order
  onMoved(): Promise<void>
}) {
  const [done, setDone] = useState<SandboxMove>()
  const action = useAction(async (move: SandboxMove) => {
    setDone(undefined)
    try {
      await call('POST', `/orders/${order.order_no}/moves`, { move })
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
            disabled={!isPossible(move, order)} aria-disabled={action.isBusy}
            onClick={() => void action.run(move)}>{t(`sandbox.${move}`)}</button>
        ))}
      </div>
      <div class="soft moved" role="status">
        {done && <p>{t('sandbox.done', { move: t(`sandbox.${done}`) })}</p>}
        {order.upcoming.filter(({ at }) => at !== undefined).map((step) => (
          <p key={stepName(step)}>{t('sandbox.next', {
            step: stepName(step), time: stepTime(step.at ?? ''),
          })}</p>
        ))}
      </div>
      <ProblemNotice problem={action.problem} />
    </Section>
  )
}
