import { useEffect } from 'preact/hooks'
import { call } from '../api.ts'
import { count } from '../format.ts'
import { t } from '../i18n/text.ts'
import { useLive } from '../live.ts'
import { Icon } from '../parts/icon.tsx'
import { Show } from '../parts/loaded.tsx'
import { Empty } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { Paging } from '../parts/paging.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { changeQuery, path, query } from '../router.ts'
import type { Agent, OrderPage, PurchasePage } from '../types.ts'
import { useLoad, useSoon } from '../use-load.ts'
import { ASKED, clearFilters, filtersIn, listAddress } from './orders/address.ts'
import { Filters } from './orders/filters.tsx'
import { OrderRows, PurchaseRows } from './orders/rows.tsx'

const PAGE_SIZE = 20
const FILE_ROWS_MAX = 10_000
const KINDS = ['own', 'malls'] as const
/** Events after which a list may have changed; platforms' orders are told of by commissions. */
const NEWS: readonly string[] = ['order', 'commission', 'reset']
const ORDERS_ONLY = { own: ['source'], malls: [] } as const

export function OrdersPage() {
  const params = new URLSearchParams(query.value)
  const kind = params.get('kind') === 'malls' ? 'malls' : 'own'
  const asked = new URLSearchParams(ASKED
    .filter((name) => !(ORDERS_ONLY[kind] as readonly string[]).includes(name))
    .flatMap((name) => (params.get(name) ? [[name, params.get(name) ?? '']] : [])))
  useEffect(() => { listAddress.value = path.value + query.value }, [query.value])
  const agents = useLoad(() => call<{ agents: Agent[] }>('GET', '/agents'))
  return (
    <Page title={t('page.orders')} lead={t('orders.lead')}>
      <Tabs label={t('orders.kind')} value={kind}
        options={KINDS.map((name) => [name, t(`orders.${name}`)] as const)}
        onChange={(next) => changeQuery({
          kind: next === 'own' ? '' : next, status: '', source: '', page: '', q: '',
        })}>
        <Filters kind={kind} asked={asked} agents={agents.data?.agents ?? []} />
        <List key={kind} kind={kind} asked={asked} />
      </Tabs>
    </Page>
  )
}

type Listed = { kind: 'own', page: OrderPage } | { kind: 'malls', page: PurchasePage }

interface ListProps {
  readonly kind: Listed['kind']
  readonly asked: URLSearchParams
}

function List({ kind, asked }: ListProps) {
  const address = kind === 'own' ? 'orders' : 'purchases'
  const text = asked.toString()
  const list = useLoad(async (): Promise<Listed> => {
    const page = await call('GET', `/${address}?limit=${PAGE_SIZE}&${text}`)
    return { kind, page } as Listed
  }, [text], { isKept: true })
  const readAgain = useSoon(list.reload)
  useLive(({ type }) => { if (NEWS.includes(type)) readAgain() })
  return (
    <Show from={list}>
      {(listed) => {
        const { page } = listed
        if (page.in_range === 0 && text === '') return <NothingYet kind={kind} />
        return (
          <>
            <div class="found">
              <p class="soft" role="status">{t('orders.found', { n: count(page.total) })}</p>
              {filtersIn(asked) > 0 && page.total > 0 && (
                <button type="button" class="button small quiet" onClick={clearFilters}>
                  {t('orders.clear')}</button>
              )}
              <a class="button small" download href={`/console/api/files/${address}?${text}`}>
                <Icon name="download" />{t('orders.file')}</a>
            </div>
            <Bounds page={page} isOldest={asked.get('sort') === 'oldest'} />
            {page.total === 0
              ? (
                <Empty title={t('orders.unmatched')}>
                  <button type="button" class="button" onClick={clearFilters}>
                    {t('orders.clear')}</button>
                </Empty>
              )
              : listed.kind === 'own' ? <OrderRows items={listed.page.items} />
                : <PurchaseRows items={listed.page.items} />}
            <Paging page={page.page} pages={Math.ceil(page.total / PAGE_SIZE)}
              onGo={(next) => {
                changeQuery({ page: next === 1 ? '' : String(next) })
                scrollTo(0, 0)
              }} />
          </>
        )
      }}
    </Show>
  )
}

/** What the list leaves out, so that nobody takes a part for all. */
function Bounds({ page, isOldest }: {
  readonly page: OrderPage | PurchasePage
  readonly isOldest: boolean
}) {
  const { looked_through: looked, in_range: all } = page
  if (looked >= all) return null
  return (
    <p class="notice bounds">
      {t(isOldest ? 'orders.bounds.oldest' : 'orders.bounds',
        { n: count(looked), all: count(all) })}
      {all > FILE_ROWS_MAX && ` ${t('orders.bounds.file', { n: count(FILE_ROWS_MAX) })}`}
    </p>
  )
}

const NothingYet = ({ kind }: Pick<ListProps, 'kind'>) => (kind === 'own'
  ? (
    <Empty title={t('orders.none')}>
      <Icon name="orders" />
      <p>{t('orders.none.lead')}</p>
      <a class="button primary" href="/console">{t('orders.none.go')}</a>
    </Empty>
  )
  : (
    <Empty title={t('purchases.none')}>
      <Icon name="click" />
      <p>{t('purchases.none.lead')}</p>
      <a class="button" href="/console">{t('live.none.go')}</a>
    </Empty>
  ))
