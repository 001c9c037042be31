import type { ComponentChildren } from 'preact'
import { yuan } from '../format.ts'

/** One without a value is left out. */
export type Fact = readonly [name: string, value: ComponentChildren]

interface FactsProps {
  readonly amount: number
  readonly status: ComponentChildren
  readonly facts: readonly Fact[]
  readonly children?: ComponentChildren
}

/** An amount and its status, and what there is to know beside them. */
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
