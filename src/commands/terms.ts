import { Command } from 'commander'
import { ConfigError } from '../config.ts'
import { BPS_MAX } from '../earnings/terms.ts'
import { withAccounts } from './accounts-at-work.ts'
import type { AtWork } from './ledger.ts'
import { print } from './print.ts'

/** `agentmall terms ACCOUNT --bps N` */
export function termsCommand(atWork: AtWork): Command {
  return new Command('terms')
    .description('the commission that was agreed with an account, for what is paid from now on')
    .argument('<account>')
    .requiredOption('--bps <number>', `basis points of the amount, 0 to ${BPS_MAX}`)
    .action(async (account: string, { bps }: { bps: string }) => {
      if (!/^\d{1,5}$/.test(bps) || Number(bps) > BPS_MAX) {
        throw new ConfigError(`--bps must be a whole number from 0 to ${BPS_MAX}.`)
      }
      await withAccounts(atWork, async ({ operator }) => {
        await operator.setTerms(account, Number(bps))
        print({ account, bps: Number(bps) })
      })
    })
}
