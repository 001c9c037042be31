import { Command } from 'commander'
import { ConfigError } from '../config.ts'
import { assertTier, withAccounts } from './accounts-at-work.ts'
import type { AtWork } from './ledger.ts'
import { print } from './print.ts'

/** `agentmall key create|revoke` */
export function keyCommands(atWork: AtWork): Command {
  const command = new Command('key').description('API keys')

  command.command('create')
    .description('make an agent with a key, which is shown once')
    .option('--tier <tier>', 'tier of the agent', 't1')
    .option('--label <text>', 'what the key is for', 'made by the operator')
    .option('--account <id>', 'account it belongs to; a new one without')
    .action(async ({ tier, label, account }: { tier: string, label: string, account?: string }) => {
      assertTier(tier, '--tier')
      await withAccounts(atWork, async ({ accounts, refreshView }) => {
        const made = await accounts.createKey({ tier, label, ...(account && { account }) })
        await refreshView(made.account)
        print({ api_key: made.apiKey, agent_ref: made.agent, tier })
      })
    })

  command.command('revoke <key-or-agent>')
    .description('revoke a key, or all keys of an agent; in force on every node within a second')
    .action((keyOrAgent: string) => withAccounts(atWork, async ({ accounts }) => {
      const revoked = await accounts.revoke(keyOrAgent)
      print({ revoked })
      if (revoked === 0) throw new ConfigError('There is no active key of that name.')
    }))

  return command
}
