import { term } from '../i18n/text.ts'

/** How a status is to be read at a glance; its word says it, too. */
const MOODS: Readonly<Record<string, 'good' | 'busy' | 'bad' | 'calm'>> = {
  pending_payment: 'busy', paid: 'good', merchant_accepted: 'good', shipped: 'good',
  delivered: 'good', completed: 'calm', closed: 'calm', refunding: 'bad', refunded: 'bad',
  active: 'good', ending: 'busy', revoked: 'calm',
  pending: 'busy', received: 'good', settled: 'calm', invalid: 'bad',
  requested: 'busy', exported: 'busy', returning: 'bad', failed: 'bad',
}

export const Status = ({ group, word }: { readonly group: string, readonly word: string }) => (
  <span class={`status ${MOODS[word] ?? 'calm'}`}>{term(group, word)}</span>
)
