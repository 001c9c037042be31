import { settlementDate, yuan } from '../../format.ts'
import { t } from '../../i18n/text.ts'
import type { Earnings } from '../../types.ts'

/** In the order in which money goes through them. */
const BOOKS = ['pending', 'confirmed', 'withdrawable', 'reserved', 'paid'] as const

export const Balances = ({ balances, settlesAt }: {
  readonly balances: Earnings['balances']
  readonly settlesAt: string
}) => (
  <ol class="balances">
    {BOOKS.map((book) => (
      <li key={book} class={book}>
        <h2>{t(`book.${book}`)}</h2>
        <p class="amount" data-testid={`balance-${book}`}>{yuan(balances[book])}</p>
        <p class="soft">{t(book === 'withdrawable' && balances[book] < 0
          ? 'book.withdrawable.debt' : `book.${book}.lead`,
        { date: settlementDate(settlesAt) })}</p>
      </li>
    ))}
  </ol>
)
