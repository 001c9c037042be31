/** Heads of pages and sections, facts about one thing, and statuses. */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { yuan } from '../format.ts'
import { term } from '../i18n/text.ts'

interface PageProps {
  readonly title: string
  readonly lead?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

export function Page({ title, lead, actions, children }: PageProps) {
  useEffect(() => { document.title = `${title} · agentmall` }, [title])
  return (
    <>
      <header class="page-head">
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  )
}

interface SectionProps {
  readonly title: string
  readonly lead?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}

export const Section = ({ title, lead, actions, children }: SectionProps) => (
  <section class="section">
    <header>
      <div>
        <h2>{title}</h2>
        {lead && <p class="soft">{lead}</p>}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </header>
    {children}
  </section>
)

/** A fact without a value is left out. */
export type Fact = readonly [name: string, value: ComponentChildren]

interface FactsProps {
  readonly amount: number
  readonly status: ComponentChildren
  readonly facts: readonly Fact[]
  readonly children?: ComponentChildren
}

/** An amount, its status, and further facts. */
export const Facts = ({ amount, status, facts, children }: FactsProps) => (
  <div class="card facts">
    <header>
      <p class="amount">{yuan(amount)}</p>
      {status}
    </header>
    <dl>{facts.filter(([, value]) => value).map(([name, value]) => (
      <div key={name}><dt>{name}</dt><dd>{value}</dd></div>
    ))}</dl>
    {children}
  </div>
)

/** The colour of a status, beside its word. */
const TONES: Readonly<Record<string, 'good' | 'busy' | 'bad' | 'calm'>> = {
  pending_payment: 'busy', paid: 'good', merchant_accepted: 'good', shipped: 'good',
  delivered: 'good', completed: 'calm', closed: 'calm', refunding: 'bad', refunded: 'bad',
  active: 'good', ending: 'busy', revoked: 'calm',
  pending: 'busy', received: 'good', settled: 'calm', invalid: 'bad',
  requested: 'busy', exported: 'busy', returning: 'bad', failed: 'bad',
  unproven: 'busy', disabled: 'bad', done: 'good', later: 'busy', dropped: 'bad', gone: 'bad',
}

export const Status = ({ group, word }: { readonly group: string, readonly word: string }) => (
  <span class={`status ${TONES[word] ?? 'calm'}`}>{term(group, word)}</span>
)
