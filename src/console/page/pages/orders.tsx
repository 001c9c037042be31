/** Orders of the account, or purchases at malls: filters in the address, and a list in pages. */
import { useEffect, useRef } from 'preact/hooks'
import { call, useLive, useLoad, useSoon } from '../api.ts'
import { ago, count, moment, yuan } from '../format.ts'
import { t, term } from '../i18n/text.ts'
import { CommitField, SelectField } from '../parts/form.tsx'
import { Icon } from '../parts/icon.tsx'
import { Empty, Show } from '../parts/notice.tsx'
import { Page, Status } from '../parts/page.tsx'
import { Paging, Table, Tabs } from '../parts/table.tsx'
import { changeQuery, href, path, query } from '../router.ts'
import type {
  Agent, CommissionInfo, Order, OrdersAnswer, OrderRow, Purchase, PurchasesAnswer,
} from '../types.ts'
import { commissionText, listAddress, OrderLink, purchaseAddress } from './order.tsx'

const PAGE_SIZE = 20
const FILE_ROWS_MAX = 10_000
const KINDS = ['own', 'malls'] as const

/** Names in the address that are sent to the API. */
const ASKED = ['status', 'source', 'agent', 'from', 'to', 'q', 'sort', 'page'] as const

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


const STATUSES = [
  'pending_payment', 'paid', 'merchant_accepted', 'shipped', 'delivered', 'completed', 'closed',
  'refunding', 'refunded',
] as const satisfies readonly Order['status'][]

const MALL_STATUSES = [
  'pending', 'paid', 'received', 'settled', 'invalid', 'unknown',
] as const satisfies readonly Purchase['status'][]

const SOURCES = ['mall_a', 'mall_b', 'mall_c', 'food'] as const satisfies
  readonly Purchase['source'][]

const SORTS = ['newest', 'oldest', 'amount_desc', 'amount_asc'] as const
/** Earlier than any order. */
const FIRST_DAY = '2020-01-01'
const LAST_DAY = '2099-12-31'
const WIDE = '(min-width: 761px)'

interface FiltersProps {
  readonly kind: 'own' | 'malls'
  readonly asked: URLSearchParams
  readonly agents: readonly Agent[]
}

/** Every choice is in the address. On a phone filters are folded away. */
function Filters({ kind, asked, agents }: FiltersProps) {
  const box = useRef<HTMLDetailsElement>(null)
  const set = filtersIn(asked)
  useEffect(() => {
    const wide = matchMedia(WIDE)
    const follow = (): void => { if (box.current && wide.matches) box.current.open = true }
    if (box.current) box.current.open = wide.matches
    wide.addEventListener('change', follow)
    return () => wide.removeEventListener('change', follow)
  }, [])
  const change = (name: string) => (value: string): void => changeQuery({ [name]: value, page: '' })
  const field = (name: string) => ({ value: asked.get(name) ?? '', onChange: change(name) })
  const typed = (name: string) => ({ value: asked.get(name) ?? '', onCommit: change(name) })
  return (
    <details class="filters" ref={box}>
      <summary>{set > 0 ? t('filters.set', { n: set }) : t('filters')}</summary>
      <form class="filter-fields" onSubmit={(event) => event.preventDefault()}>
        <CommitField type="search" label={t('filters.search')} maxLength={64} {...typed('q')}
          placeholder={t(kind === 'own' ? 'filters.search.own' : 'filters.search.malls')} />
        {kind === 'malls' && (
          <SelectField label={t('source')} {...field('source')} options={[
            ['', t('filters.any')], ...SOURCES.map((name) => [name, term('source', name)] as const),
          ]} />
        )}
        <SelectField label={t('status')} {...field('status')} options={[
          ['', t('filters.any')],
          ...(kind === 'own' ? STATUSES.map((name) => [name, term('order', name)] as const)
            : MALL_STATUSES.map((name) => [name, term('mall', name)] as const)),
        ]} />
        {(agents.length > 1 || asked.has('agent')) && (
          <SelectField label={t('agent')} {...field('agent')} options={[
            ['', t('orders.all')], ...agents.map(({ agent, label }) => [agent, label] as const),
          ]} />
        )}
        <CommitField type="date" label={t('filters.from')} min={FIRST_DAY}
          max={asked.get('to') ?? LAST_DAY} {...typed('from')} />
        <CommitField type="date" label={t('filters.to')} min={asked.get('from') ?? FIRST_DAY}
          max={LAST_DAY} {...typed('to')} />
        <SelectField label={t('sort')} value={asked.get('sort') ?? 'newest'}
          onChange={(value) => change('sort')(value === 'newest' ? '' : value)}
          options={SORTS.map((name) => [name, t(`sort.${name}`)] as const)} />
      </form>
    </details>
  )
}

/** The number of filters that are set. */
const filtersIn = (asked: URLSearchParams): number =>
  [...asked.keys()].filter((name) => name !== 'page' && name !== 'sort').length

const clearFilters = (): void =>
  changeQuery(Object.fromEntries(ASKED.map((name) => [name, ''])))

/** Events after which a list may have changed; a platform's order shows as a commission. */
const LIST_EVENTS: readonly string[] = ['order', 'commission', 'reset']
type Listed = { kind: 'own', page: OrdersAnswer } | { kind: 'malls', page: PurchasesAnswer }

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
  useLive(({ type }) => { if (LIST_EVENTS.includes(type)) readAgain() })
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

/** A notice where the list covers only a part of the orders. */
function Bounds({ page, isOldest }: {
  readonly page: OrdersAnswer | PurchasesAnswer
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

/** The column of amounts. The style sheet relies on one order of columns in all lists. */
const AMOUNT = 4

const OrderRows = ({ items }: { readonly items: readonly OrderRow[] }) => (
  <Table caption={t('page.orders')} isBrief numbers={[AMOUNT]} head={[
    t('order'), t('item'), t('agent'), t('status'), t('amount'), t('created'),
  ]} rows={items.map((order) => ({
    key: order.order_no,
    cells: [
      <OrderLink orderNo={order.order_no} />,
      <span class="title">{order.items.map(({ title, qty }) => times(title, qty)).join(', ')}
      </span>,
      order.agent_label || order.agent,
      <Status group="order" word={order.status} />,
      <Amount amount={order.amount} commission={order.commission} />,
      <When at={order.created_at} />,
    ],
  }))} />
)

const PurchaseRows = ({ items }: { readonly items: readonly Purchase[] }) => (
  <Table caption={t('orders.malls')} isBrief numbers={[AMOUNT]} head={[
    t('order'), t('item'), t('agent'), t('status'), t('amount'), t('changed'),
  ]} rows={items.map((one) => ({
    key: one.purchase,
    cells: [
      <a href={href(purchaseAddress(one.purchase))}>
        <span class="source">{term('source', one.source)}</span> <code>{one.mall_order_no}</code>
      </a>,
      <span class="title">{times(one.title, one.qty)}</span>,
      one.agent_label || one.agent,
      <Status group="mall" word={one.status} />,
      <Amount amount={one.amount} commission={one.commission} />,
      <When at={one.updated_at} />,
    ],
  }))} />
)

const times = (title: string, qty: number): string => (qty > 1 ? `${title} × ${qty}` : title)

const Amount = ({ amount, commission }: {
  readonly amount: number
  readonly commission: CommissionInfo | undefined
}) => (
  <>
    {yuan(amount)}
    {commission && (
      <small class={`brought ${commission.state}`} title={commissionText(commission)}>
        +{yuan(commission.amount)}</small>
    )}
  </>
)

const When = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={moment(at)}>{ago(at)}</time>
)
