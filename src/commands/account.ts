import { Command } from 'commander'
import { createOwners } from '../accounts/accounts.ts'
import { makeResetLink } from '../accounts/address-proofs.ts'
import type { ClosingOptions } from '../accounts/closing.ts'
import { createPasswords } from '../accounts/passwords.ts'
import { ConfigError } from '../config.ts'
import { assertTier, withAccounts } from './accounts-at-work.ts'
import type { AtWork } from './ledger.ts'
import { print } from './print.ts'

const LISTED_MAX = 1000

interface ListOptions {
  readonly tier?: string
  readonly label?: string
  readonly state?: string
  readonly limit: string
}

/** `agentmall account list|find|show|reset-link|delete` */
export function accountCommands(atWork: AtWork): Command {
  const command = new Command('account').description('accounts and their agents')

  command.command('list')
    .description('find accounts, one a line; from the shelf, which may be a moment behind')
    .option('--tier <tier>', 'with an agent of this tier')
    .option('--label <words>', 'with an agent whose label has these words')
    .option('--state <state>', 'active, merged, closing or deleted')
    .option('--limit <number>', `at most so many, up to ${LISTED_MAX}`, '100')
    .action(async ({ limit, ...query }: ListOptions) => {
      if (query.tier !== undefined) assertTier(query.tier, '--tier')
      if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > LISTED_MAX) {
        throw new ConfigError(`--limit must be a whole number from 1 to ${LISTED_MAX}.`)
      }
      await withAccounts(atWork, async ({ views }) => {
        for (const found of await views.search({ ...query, limit: Number(limit) })) print(found)
      })
    })

  command.command('find')
    .description('the account that signs in with an address')
    .requiredOption('--email <address>', 'as its owner writes it')
    .action(({ email }: { email: string }) => withAccounts(atWork, async ({ operator }) => {
      const account = await operator.find(email)
      if (account === undefined) throw new ConfigError('No account signs in with that address.')
      print(await operator.show(account) ?? { account })
    }))

  command.command('show <account>')
    .description('an account as the ledger has it')
    .action((account: string) => withAccounts(atWork, async ({ operator }) => {
      const shown = await operator.show(account)
      if (!shown) throw new ConfigError('There is no such account.')
      print(shown)
    }))

  command.command('reset-link')
    .description('a link that sets a new password, for an hour and once; for its owner alone')
    .requiredOption('--email <address>', 'as its owner writes it')
    .action(({ email }: { email: string }) => withAccounts(atWork, async (place) => {
      const account = await place.operator.find(email)
      const link = account && await makeResetLink(place, account)
      if (!link) throw new ConfigError('No account signs in with that address.')
      print({ account, link })
    }))

  command.command('delete <account>')
    .description('end its keys, forget who it was and free its address; its books stay')
    .option('--forfeit', 'also when there is money left in it, which nobody can withdraw then')
    .option('--write-off', 'also when it owes what was paid out to it and taken back later')
    .action((account: string, options: ClosingOptions) => withAccounts(atWork, async (place) => {
      const { ledger, durable, secrets, mode, accounts } = place
      const owners = createOwners({
        ledger, durable, secrets, mode, accounts,
        passwords: createPasswords(secrets.passwordPepper),
        throttle: { take: async () => {} },
      })
      if (!await owners.close(account, options)) throw new ConfigError('There is no such account.')
      await place.refreshView(account)
      print({ account, state: 'deleted' })
    }))
  return command
}
