import { Command } from 'commander'
import { assertTier, withAccounts } from './accounts-at-work.ts'
import type { AtWork } from './ledger.ts'
import { print } from './print.ts'

/** `agentmall tier set AGENT TIER` */
export function tierCommands(atWork: AtWork): Command {
  const command = new Command('tier').description('what agents may do')
  command.command('set <agent> <tier>')
    .description('change an agent\'s tier; in force on every node within a second')
    .action(async (agent: string, tier: string) => {
      assertTier(tier, 'The tier')
      await withAccounts(atWork, async ({ operator, refreshView }) => {
        const { account } = await operator.setTier(agent, tier)
        await refreshView(account)
        print({ agent_ref: agent, account, tier })
      })
    })
  return command
}
