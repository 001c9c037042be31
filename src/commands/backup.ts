/** `agentmall backup` and `agentmall restore`. */
/** `agentmall backup` and `agentmall restore`. */
import { Command } from 'commander'
import { checkFiles, createArchive, readManifest } from '../backup/archive.ts'
import { backupLedger } from '../backup/backup.ts'
import { assertUsable, restoreLedger } from '../backup/restore.ts'
import { isoTime } from '../contract/time.ts'
import { ConfigError, type Config } from '../config.ts'
import { createSecrets } from '../secrets/derive.ts'
import type { Logger } from '../log.ts'
import { showProgress } from '../progress.ts'
import { keptSecret } from '../secrets/open.ts'
import { print, withDurable, withLedger, type WithLedger } from './context.ts'

export function backupCommand(here: WithLedger): Command {
  return new Command('backup')
    .description('copy the whole ledger into an empty folder, while everything runs')
    .argument('<folder>')
    .action((folder: string) => here(async (context) => {
      const show = showProgress()
      const archive = createArchive(folder)
      try {
        const { startedAt, finishedAt, records, files } = await backupLedger(context, archive,
          (done, total) => show('Records', Math.min(done, total), total))
        print({
          folder, all_until: isoTime(startedAt), nothing_after: isoTime(finishedAt), records,
          bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
        })
      } finally {
        show.end()
        await archive.close()
      }
    }))
}

export function restoreCommand(config: Config, log: Logger): Command {
  return new Command('restore')
    .description('fill an empty ledger from a backup and check it; every node must be stopped')
    .argument('<folder>')
    .option('--replace-ledger', 'remove what the ledger holds now')
    .option('--check', 'look whether the backup is whole, and write nothing')
    .action((folder: string, options: { replaceLedger?: boolean, check?: boolean }) =>
      (options.check ? check(folder)
        : restore(config, log, folder, options.replaceLedger ?? false)))
}

async function check(folder: string): Promise<void> {
  const manifest = readManifest(folder)
  await checkFiles(folder, manifest)
  print({ folder, whole: true, all_until: isoTime(manifest.startedAt), records: manifest.records })
}

async function restore(
  config: Config, log: Logger, folder: string, isToReplace: boolean,
): Promise<void> {
  const manifest = readManifest(folder)
  // Before a first start would make a new secret, and name it on the ledger.
  const secret = keptSecret(config)
  if (secret === undefined) {
    throw new ConfigError('There is no secret here: set SECRET to that of the ledger that was '
      + 'backed up, or put it into DATA_DIR/secret.')
  }
  assertUsable(manifest, secret)
  await withLedger(config, log, (context) => withDurable(context, async (durable) => {
    const show = showProgress()
    const to = { ...context, durable, secret }
    const { report, ...restored } = await restoreLedger(to, folder, manifest, {
      isToReplace, unpaidKeptMs: config.unpaidKeptMs,
      onRecords: (done, total) => show('Records', done, total),
    }).finally(() => show.end())
    print({
      ...restored, all_until: isoTime(manifest.startedAt),
      lost: `what was acknowledged after ${isoTime(manifest.finishedAt)}`,
      checked: report.checked, violations: report.violations,
    })
    if (report.violations.length > 0) process.exitCode = 1
    // The backup brings the ledger's keys along.
  }), { open: async () => createSecrets(secret), user: 'operator' })
}
