import { Command } from 'commander'
import { createAccounts } from '../accounts/keys.ts'
import { ConfigError } from '../config.ts'
import { Refusal } from '../errors.ts'
import { readTiers } from '../gate/limits.ts'
import type { Durable } from '../redis/durable.ts'
import { withDurable, type AtWork, type Workplace } from './ledger.ts'

/** `agentmall key create|revoke` */
export function keyCommands(atWork: AtWork): Command {
  const command = new Command('key').description('API keys')

  command.command('create')
    .description('make an agent with a key, which is shown once')
    .option('--tier <tier>', 'tier of the agent', 't1')
    .option('--label <text>', 'what the key is for', 'made by the operator')
    .option('--account <id>', 'account it belongs to; a new one without')
    .action(async ({ tier, label, account }: { tier: string, label: string, account?: string }) => {
      const tiers = Object.keys(readTiers()).filter((name) => name !== 'keyless')
      if (!tiers.includes(tier)) throw new ConfigError(`--tier must be ${tiers.join(', ')}.`)
      await atWork((place) => withDurable(place, async (durable) => {
        const { apiKey, agent } = await accountsOf(place, durable)
          .createKey({ tier, label, ...(account && { account }) })
          .catch((error: unknown) => {
            throw error instanceof Refusal ? new ConfigError(error.message) : error
          })
        process.stdout.write(`${JSON.stringify({ api_key: apiKey, agent_ref: agent, tier })}\n`)
      }))
    })

  command.command('revoke <key-or-agent>')
    .description('revoke a key, or all keys of an agent; in force on every node within a second')
    .action((keyOrAgent: string) => atWork((place) => withDurable(place, async (durable) => {
      const revoked = await accountsOf(place, durable).revoke(keyOrAgent)
      process.stdout.write(`${JSON.stringify({ revoked })}\n`)
      if (revoked === 0) throw new ConfigError('There is no active key of that name.')
    })))

  return command
}

const accountsOf = ({ ledger, secrets, log }: Workplace, durable: Durable) =>
  createAccounts({ ledger, durable, secrets, log, takeTrial: async () => undefined })
