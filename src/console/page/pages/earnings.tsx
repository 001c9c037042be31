import { useState } from 'preact/hooks'
import { call } from '../api.ts'
import { settlementDate, yuan } from '../format.ts'
import { t } from '../i18n/text.ts'
import { Show } from '../parts/loaded.tsx'
import { Page, Section } from '../parts/page.tsx'
import type { Earnings, Withdrawal } from '../types.ts'
import { useLoad } from '../use-load.ts'
import { Balances } from './earnings/balances.tsx'
import { SandboxMonth } from './earnings/sandbox-month.tsx'
import { Statements } from './earnings/statements.tsx'
import { Withdraw } from './earnings/withdraw.tsx'
import { Withdrawals } from './earnings/withdrawals.tsx'

const BPS = 100

export function EarningsPage() {
  const earnings = useLoad(() => call<Earnings>('GET', '/earnings'))
  const withdrawals = useLoad(() =>
    call<{ withdrawals: Withdrawal[] }>('GET', '/withdrawals'))
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  const readAgain = async (): Promise<void> => {
    await Promise.all([earnings.reload(), withdrawals.reload()])
  }
  return (
    <Page title={t('page.earnings')} lead={earnings.data && t('earnings.lead', {
      rate: earnings.data.rate_bps / BPS, date: settlementDate(earnings.data.settles_at),
    })}>
      <Show from={earnings}>
        {(data) => {
          const { balances: { withdrawable, reserved }, withdrawal_minimum: minimum } = data
          const why = reserved > 0 ? t('withdraw.open')
            : withdrawable < minimum ? t('withdraw.minimum', { amount: yuan(minimum) }) : undefined
          return (
            <>
              <Balances balances={data.balances} settlesAt={data.settles_at} />
              {data.mode === 'sandbox'
                && <SandboxMonth confirmed={data.balances.confirmed} onDone={readAgain} />}
              <Section title={t('withdrawals.title')} lead={why ?? t('withdrawals.lead')}
                actions={(
                  <button type="button" class="button primary" disabled={why !== undefined}
                    onClick={() => setOpen(true)}>{t('withdraw.title')}</button>
                )}>
                <Show from={withdrawals}>
                  {({ withdrawals: list }) => <Withdrawals list={list} onMoved={readAgain} />}
                </Show>
              </Section>
              <Section title={t('statements.title')} lead={t('statements.lead')}>
                <Statements until={data.settles_at} since={data.since} />
              </Section>
              {isOpen && (
                <Withdraw withdrawable={withdrawable} minimum={minimum} onClose={close}
                  onDone={() => {
                    close()
                    void readAgain()
                  }} />
              )}
            </>
          )
        }}
      </Show>
    </Page>
  )
}
