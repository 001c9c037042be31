import { call } from '../api.ts'
import { moment, yuan } from '../format.ts'
import { t, term } from '../i18n/text.ts'
import { useLive } from '../live.ts'
import { Facts, type Fact } from '../parts/facts.tsx'
import { Icon } from '../parts/icon.tsx'
import { Show } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { Status } from '../parts/status.tsx'
import { href } from '../router.ts'
import type { Purchase } from '../types.ts'
import { useLoad, useSoon } from '../use-load.ts'
import { listAddress } from './orders/address.ts'
import { commissionText } from './orders/rows.tsx'

/** What a user bought at a platform, as the platform reported it last. */
export function PurchasePage({ id }: { readonly id: string }) {
  const purchase = useLoad(() => call<Purchase>('GET', `/purchases/${encodeURIComponent(id)}`))
  const readAgain = useSoon(purchase.reload)
  useLive(({ type, data }) => {
    if (type === 'reset' || (type === 'commission' && data.about === id)) readAgain()
  })
  const back = listAddress.value.includes('kind=malls') ? listAddress.value : '/orders?kind=malls'
  return (
    <Page title={t('purchase.title')} lead={<code>{id}</code>} actions={
      <a class="button" href={href(back)}><Icon name="left" />{t('purchase.back')}</a>}>
      <Show from={purchase}>
        {(data) => (
          <div class="narrow-card">
            <Facts amount={data.amount} facts={factsOf(data)}
              status={<Status group="mall" word={data.status} />} />
          </div>
        )}
      </Show>
    </Page>
  )
}

const factsOf = (one: Purchase): Fact[] => [
  [t('item'), <>{one.title}{one.qty > 1 && <span class="soft"> × {one.qty}</span>}</>],
  [t('source'), term('source', one.source)],
  [t('purchase.number'), <code>{one.mall_order_no}</code>],
  [t('purchase.item'), one.item_id && <code>{one.item_id}</code>],
  [t('agent'), one.agent_label || <code>{one.agent}</code>],
  [t('commission'), one.commission && commissionText(one.commission)],
  [t('purchase.ordered'), one.ordered_at && moment(one.ordered_at)],
  [t('purchase.paid'), one.paid_at && moment(one.paid_at)],
  [t('changed'), moment(one.updated_at)],
  [t('purchase.unit'), one.qty > 1 && yuan(Math.round(one.amount / one.qty))],
]
