/** Accounts, their keys, tiers and terms, as the operator changes them. */
import { Command } from 'commander'
import type { ClosingOptions } from '../accounts/accounts.ts'
import { showAccount } from '../accounts/views.ts'
import { ConfigError } from '../config.ts'
import { Refusal } from '../contract/errors.ts'
import { BPS_MAX, setTerms } from '../earnings/records.ts'
import { assertTier, print, withAccounts, type WithLedger } from './context.ts'

const LISTED_MAX = 1000

interface ListOptions {
  readonly tier?: string
  readonly label?: string
  readonly state?: string
  readonly limit: string
}

/** `agentmall account list|find|show|reset-link|delete` */
export function accountCommands(withLedger: WithLedger): Command {
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
      await withAccounts(withLedger, async ({ views }) => {
        for (const found of await views.search({ ...query, limit: Number(limit) })) print(found)
      })
    })

  command.command('find')
    .description('the account that signs in with an address')
    .requiredOption('--email <address>', 'as its owner writes it')
    .action(({ email }: { email: string }) => withAccounts(withLedger, async (context) => {
      const account = await context.accounts.find(email)
      if (account === undefined) throw new ConfigError('No account signs in with that address.')
      print(await showAccount(context, account) ?? { account })
    }))

  command.command('show <account>')
    .description('an account as the ledger has it')
    .action((account: string) => withAccounts(withLedger, async (context) => {
      const shown = await showAccount(context, account)
      if (!shown) throw new ConfigError('There is no such account.')
      print(shown)
    }))

  command.command('reset-link')
    .description('a link that sets a new password, for an hour and once; for its owner alone')
    .requiredOption('--email <address>', 'as its owner writes it')
    .action(({ email }: { email: string }) => withAccounts(withLedger, async ({ accounts }) => {
      const account = await accounts.find(email)
      const link = account && await accounts.resetLink(account)
      if (!link) throw new ConfigError('No account signs in with that address.')
      print({ account, link })
    }))

  command.command('delete <account>')
    .description('end its keys, forget who it was and free its address; its books stay')
    .option('--forfeit', 'also when there is money left in it, which nobody can withdraw then')
    .option('--write-off', 'also when it owes what was paid out to it and taken back later')
    .action((
      account: string, options: ClosingOptions,
    ) => withAccounts(withLedger, async ({ accounts, refreshView }) => {
      const isClosed = await accounts.close(account, options)
      if (!isClosed) throw new ConfigError('There is no such account.')
      await refreshView(account)
      print({ account, state: 'deleted' })
    }))
  return command
}

/** `agentmall key create|revoke` */
export function keyCommands(withLedger: WithLedger): Command {
  const command = new Command('key').description('API keys')

  command.command('create')
    .description('make an agent with a key, which is shown once')
    .option('--tier <tier>', 'tier of the agent', 't1')
    .option('--label <text>', 'what the key is for', 'made by the operator')
    .option('--account <id>', 'account it belongs to; a new one without')
    .action(async ({ tier, label, account }: { tier: string, label: string, account?: string }) => {
      assertTier(tier, '--tier')
      await withAccounts(withLedger, async ({ apiKeys, refreshView }) => {
        const made = await apiKeys.createKey({ tier, label, ...(account && { account }) })
        await refreshView(made.account)
        print({ api_key: made.apiKey, agent_ref: made.agent, tier })
      })
    })

  command.command('revoke <key-or-agent>')
    .description('revoke a key, or all keys of an agent; in force on every node within a second')
    .action((keyOrAgent: string) => withAccounts(withLedger, async ({ apiKeys }) => {
      const revoked = await apiKeys.revoke(keyOrAgent)
      print({ revoked })
      if (revoked === 0) throw new ConfigError('There is no active key of that name.')
    }))

  return command
}

/** `agentmall tier set AGENT TIER` */
export function tierCommands(withLedger: WithLedger): Command {
  const command = new Command('tier').description('what agents may do')
  command.command('set <agent> <tier>')
    .description('change an agent\'s tier; in force on every node within a second')
    .action(async (agent: string, tier: string) => {
      assertTier(tier, 'The tier')
      await withAccounts(withLedger, async ({ agents, refreshView }) => {
        const { account } = await agents.setTier(agent, tier)
        await refreshView(account)
        print({ agent_ref: agent, account, tier })
      })
    })
  return command
}

/** `agentmall terms ACCOUNT --bps N` */
export function termsCommand(withLedger: WithLedger): Command {
  return new Command('terms')
    .description('the commission that was agreed with an account, for what is paid from now on')
    .argument('<account>')
    .requiredOption('--bps <number>', `basis points of the amount, 0 to ${BPS_MAX}`)
    .action(async (account: string, { bps }: { bps: string }) => {
      if (!/^\d{1,5}$/.test(bps) || Number(bps) > BPS_MAX) {
        throw new ConfigError(`--bps must be a whole number from 0 to ${BPS_MAX}.`)
      }
      await withAccounts(withLedger, async ({ durable }) => {
        const { code, account: into } = await setTerms(durable, account, Number(bps))
        if (code !== 'done') throw new Refusal('not_found', { ...(into && { merged_into: into }) })
        print({ account, bps: Number(bps) })
      })
    })
}
