/** The order that a call is about: how it stands, and what moves it on in the sandbox. */
import { call } from '../../api.ts'
import { t } from '../../i18n/text.ts'
import { useLive } from '../../live.ts'
import { Icon } from '../../parts/icon.tsx'
import { ProblemNotice } from '../../parts/notice.tsx'
import { Status } from '../../parts/status.tsx'
import { service } from '../../session.ts'
import type { Order, SandboxMove } from '../../types.ts'
import { useAction, useLoad, useSoon } from '../../use-load.ts'

/** What buyer, merchant and carrier would do next. */
const NEXT: Partial<Record<Order['status'], SandboxMove>> = {
  pending_payment: 'pay', paid: 'accept', merchant_accepted: 'ship', shipped: 'deliver',
}

export function OrderBar({ orderNo }: { readonly orderNo: string }) {
  const order = useLoad(() => call<Order>('GET', `/orders/${encodeURIComponent(orderNo)}`),
    [orderNo])
  const readAgain = useSoon(order.reload)
  useLive(({ type, data }) => {
    if (type === 'reset' || (type === 'order' && data.order_no === orderNo)) readAgain()
  })
  const action = useAction(async (move: SandboxMove) => {
    try {
      await call('POST', `/orders/${orderNo}/moves`, { move })
    } finally {
      await order.reload()
    }
  })
  // Another account's, as with a pasted key: nothing is known of it here.
  if (!order.data) return null
  const { status, pay_url: cashier } = order.data
  const move = service.value?.sandbox ? NEXT[status] : undefined
  return (
    <div class="order-bar">
      <p>
        <a href={`/console/orders/${orderNo}`}><code>{orderNo}</code></a>{' '}
        <Status group="order" word={status} />
      </p>
      <div class="actions">
        {cashier && (
          <a class="button small" href={cashier} target="_blank" rel="noopener">
            {t('order.cashier')}<Icon name="external" /></a>
        )}
        {move && (
          <button type="button" class="button small" aria-disabled={action.isBusy}
            onClick={() => void action.run(move)}>{t(`sandbox.${move}`)}</button>
        )}
      </div>
      {move && <p class="field-hint">{t('try.moves')}</p>}
      <ProblemNotice problem={action.problem} />
    </div>
  )
}
