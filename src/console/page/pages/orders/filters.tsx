/** What a list of orders is narrowed by; every choice is in the address. */
import { useEffect, useRef } from 'preact/hooks'
import { t, term } from '../../i18n/text.ts'
import { CommitField } from '../../parts/commit-field.tsx'
import { SelectField } from '../../parts/field.tsx'
import { changeQuery } from '../../router.ts'
import type { Agent, Order, Purchase } from '../../types.ts'
import { filtersIn } from './address.ts'

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
/** Before it there is no service. */
const FIRST_DAY = '2020-01-01'
const LAST_DAY = '2099-12-31'
const WIDE = '(min-width: 761px)'

interface FiltersProps {
  readonly kind: 'own' | 'malls'
  readonly asked: URLSearchParams
  readonly agents: readonly Agent[]
}

/** On a phone they are folded away, unless some are set. */
export function Filters({ kind, asked, agents }: FiltersProps) {
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
