/** Accounts as the operator's commands work with them. */
import { createAccounts, type Accounts } from '../accounts/keys.ts'
import { createAccountOperator, type AccountOperator } from '../accounts/operator.ts'
import { createViews, type Views } from '../accounts/views.ts'
import { ConfigError } from '../config.ts'
import { Refusal } from '../contract/errors.ts'
import { readTiers } from '../limits/limits.ts'
import type { Durable } from '../redis/durable.ts'
import { withDurable, type AtWork, type Workplace } from './ledger.ts'

export interface AccountsPlace extends Workplace {
  readonly durable: Durable
  readonly accounts: Accounts
  readonly operator: AccountOperator
  readonly views: Views
  /** Best effort, like all that concerns views. */
  refreshView(account: string): Promise<void>
}

/** A refusal becomes one sentence for the operator. */
export function withAccounts(
  atWork: AtWork, work: (place: AccountsPlace) => Promise<void>,
): Promise<void> {
  return atWork((place) => withDurable(place, async (durable) => {
    const { ledger, secrets, log } = place
    const accounts = createAccounts({
      ledger, durable, secrets, log, takeTrial: async () => undefined,
    })
    const views = viewsOf(place)
    try {
      await work({
        ...place, durable, accounts, views,
        operator: createAccountOperator({ ledger, durable, secrets, accounts }),
        refreshView: (account) => views.refresh(account).catch((error: Error) => {
          log.warn({ error: error.message }, 'an account\'s view is behind')
        }),
      })
    } catch (error) {
      throw error instanceof Refusal && error.error !== 'unavailable'
        ? new ConfigError(sentenceOf(error)) : error
    } finally {
      await views.close()
    }
  }))
}

export const viewsOf = ({ ledger, shelf, shelfUrl, secrets, log }: Workplace): Views =>
  createViews({ ledger, shelf, shelfUrl, secrets, log })

export function assertTier(tier: string, what: string): void {
  const tiers = Object.keys(readTiers()).filter((name) => name !== 'keyless')
  if (!tiers.includes(tier)) throw new ConfigError(`${what} must be ${tiers.join(', ')}.`)
}

function sentenceOf({ error, message, detail }: Refusal): string {
  if (error === 'withdrawal_refused') return detail.hint ?? message
  if (error !== 'not_found') return message
  const into = detail['merged_into']
  return into === undefined ? 'There is no such account or agent.'
    : `This trial was merged into ${String(into)}: set the terms there.`
}
