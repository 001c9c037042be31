import { Command } from 'commander'
import { ConfigError } from '../config.ts'
import { trace, type TraceLine } from '../earnings/trace.ts'
import { yuanText, type Mode } from '../contract/money.ts'
import type { AtWork } from './ledger.ts'
import { print } from './print.ts'

/** `agentmall trace ORDER|WITHDRAWAL` */
export function traceCommand(atWork: AtWork): Command {
  return new Command('trace')
    .description('the way of every fen, from an order to its payout or back')
    .argument('<name>', 'an order number, a platform\'s line (mall_b:…) or a withdrawal\'s id')
    .option('--json', 'each line as JSON')
    .action((name: string, { json }: { json?: boolean }) => atWork(async ({ ledger }) => {
      let isKnown = false
      for await (const line of trace(ledger, name)) {
        isKnown = true
        if (json) print(line)
        else process.stdout.write(`${traceText(line)}\n`)
      }
      if (!isKnown) throw new ConfigError('There is no order and no withdrawal of that name.')
    }))
}

const pretendedText = (mode: Mode): string => (mode === 'live' ? '' : ', pretended money')

export function traceText(line: TraceLine): string {
  switch (line.what) {
    case 'order':
      return `order ${line.order} of ${line.account}: ${yuanText(line.amount)}, ${line.state}`
        + pretendedText(line.mode)
    case 'entry': {
      const legs = Object.entries(line.legs)
        .map(([book, fen]) => `${book} ${fen > 0 ? '+' : ''}${fen}`).join(', ')
      const rate = line.bps === undefined ? '' : ` at ${line.bps} basis points`
      return `  ${line.at} ${line.id} in ${line.account}: ${legs || 'no money'}${rate}`
    }
    case 'lot':
      return `lot ${line.subject}: ${line.state}, ${yuanText(line.commission)}`
        + `${line.month === null ? '' : ` earned in ${line.month}`}, ${yuanText(line.left)} left`
    case 'take':
      return `  ${yuanText(line.fen)} of order ${line.order} went to ${line.taker}`
    case 'withdrawal':
      return `withdrawal ${line.withdrawal} of ${line.account}: ${yuanText(line.amount)}, `
        + `${line.state}${pretendedText(line.mode)}, `
        + (line.payout_month === null ? 'in no payout file'
          : `in the payout file of ${line.payout_month}`)
    case 'debt':
      return `debt of ${line.subject}: ${yuanText(line.amount)} had been taken when it was `
        + `reversed, ${yuanText(line.missing)} of it is still to be paid by later lots`
  }
}
