import { Command } from 'commander'
import { showProgress } from '../progress.ts'
import { ACCOUNT_INVARIANTS } from '../verify/account-invariants.ts'
import { EARNINGS_CHECKED } from '../verify/earnings-invariants.ts'
import { ELSEWHERE_INVARIANTS } from '../verify/elsewhere.ts'
import { LEDGER_INVARIANTS } from '../verify/ledger-invariants.ts'
import { ORDER_INVARIANTS } from '../verify/order-invariants.ts'
import { PARTITION_INVARIANTS } from '../verify/partition-invariants.ts'
import { MENDED_BY } from '../verify/report.ts'
import { verifyLedger, type VerifyReport } from '../verify/verify.ts'
import type { AtWork } from './ledger.ts'
import { print } from './print.ts'

/** `agentmall verify`: the exit status is 1 when anything is wrong. */
export function verifyCommand(atWork: AtWork): Command {
  return new Command('verify')
    .description('hold the ledger against every invariant, while everything runs')
    .option('--json', 'the report as one line of JSON')
    .option('--list', 'say what is checked, and check nothing')
    .action(async ({ json, list }: { json?: boolean, list?: boolean }) => {
      if (list) {
        process.stdout.write(listed())
        return
      }
      await atWork(async (place) => {
        const show = showProgress()
        const report = await verifyLedger(place, {
          onProgress: (done, total) => show('Verifying', done, total),
        }).finally(() => show.end())
        if (json) print(report)
        else process.stdout.write(told(report))
        if (report.violations.length > 0) process.exitCode = 1
      })
    })
}

function listed(): string {
  const rows = [
    ...[...PARTITION_INVARIANTS, ...ORDER_INVARIANTS]
      .map(({ invariant, says }): [string, string] => [invariant, says]),
    ...Object.entries({
      ...ELSEWHERE_INVARIANTS, ...LEDGER_INVARIANTS, ...EARNINGS_CHECKED,
      ...ACCOUNT_INVARIANTS,
    }),
  ]
  return rows.map(([invariant, says]) => `${invariant}: ${says}\n`).join('')
}

function told({ checked, violations, warnings }: VerifyReport): string {
  return [
    `Checked: ${Object.entries(checked).map(([what, count]) => `${count} ${what}`).join(', ')}.`,
    ...warnings.map((warning) => `Note: ${warning}`),
    ...violations.map(({ invariant, subject, detail }) =>
      `WRONG ${invariant} ${subject}: ${detail}`),
    violations.length === 0 ? 'No violation.' : `${violations.length} violations.`,
    ...mendedBy(violations),
    '',
  ].join('\n')
}

/** One line for each command that puts some of them right. */
function mendedBy(violations: VerifyReport['violations']): string[] {
  const commands = new Map<string, Set<string>>()
  for (const { invariant } of violations) {
    const command = MENDED_BY[invariant] ?? RUNBOOK
    commands.set(command, (commands.get(command) ?? new Set()).add(invariant))
  }
  return [...commands].map(([command, invariants]) =>
    `To mend ${[...invariants].join(', ')}: ${command}`)
}

const RUNBOOK = 'see "Books and lists after a lost master" in docs/reliability.md'
