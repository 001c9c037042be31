import { Command } from 'commander'
import { ConfigError } from '../config.ts'
import { exportCatalogue, type CatalogueFormat } from '../goods/catalogue-file.ts'
import { generateCatalogue } from '../goods/generate.ts'
import {
  importCatalogue, importFile, type ImportOptions, type ImportReport,
} from '../goods/import.ts'
import { changeStock } from '../goods/stock.ts'
import { setDelisted } from '../goods/store.ts'
import { productIdOf } from '../contract/ids.ts'
import { showProgress } from '../progress.ts'
import { print, type WithLedger } from './context.ts'

/** `agentmall goods import|export|seed|stock|delist|relist` */
export function goodsCommands(withLedger: WithLedger): Command {
  const command = new Command('goods').description('the catalogue')

  command.command('import <file>')
    .description('take in an NDJSON or CSV file; bad lines are refused one by one')
    .option('--format <format>', 'ndjson or csv, where the file name does not say')
    .option('--dry-run', 'check every line and write none')
    .action((file: string, { format, dryRun }: { format?: string, dryRun?: boolean }) =>
      withLedger((context) => withProgress((options) => importFile(context, file, {
        ...options, dryRun: dryRun ?? false, ...(format && { format: formatOf(format) }),
      }))))

  command.command('seed')
    .description('make sandbox items')
    .requiredOption('--items <count>', 'how many')
    .option('--seed <text>', 'another seed makes other items')
    .action(({ items, seed }: { items: string, seed?: string }) => {
      if (!/^[1-9][0-9]{0,6}$/.test(items)) {
        throw new ConfigError('--items must be from 1 to 9999999.')
      }
      return withLedger((context) => withProgress((options) => importCatalogue(context,
        generateCatalogue({ items: Number(items), seed: seed ?? context.config.catalogSeed }),
        options)))
    })

  command.command('export')
    .description('write the catalogue with its present stock to standard output')
    .option('--format <format>', 'ndjson or csv', 'ndjson')
    .action(({ format }: { format: string }) => withLedger(async ({ ledger }) => {
      await exportCatalogue(ledger, process.stdout, formatOf(format))
    }))

  command.command('stock <sku> <change>')
    .description('record a delivery or a loss, such as +40 or -3')
    .option('--id <id>', 'the same id is recorded once')
    .allowUnknownOption()
    .action((
      sku: string, change: string, { id }: { id?: string },
    ) => withLedger(async ({ ledger }) => {
      if (!/^[+-][0-9]{1,9}$/.test(change)) {
        throw new ConfigError('The change must be a signed whole number, such as +40 or -3.')
      }
      const result = await changeStock(ledger, productOf(sku), Number(change), id)
      print(result)
      if (!['recorded', 'repeated'].includes(result.outcome)) process.exitCode = 1
    }))

  for (const [name, isHidden] of [['delist', true], ['relist', false]] as const) {
    command.command(`${name} <sku>`)
      .description(isHidden ? 'hide an item; its orders stay' : 'show a hidden item again')
      .action((sku: string) => withLedger(async (context) => {
        if (!await setDelisted(context, productOf(sku), isHidden)) {
          throw new ConfigError('The catalogue has no such sku.')
        }
        print({ sku, delisted: isHidden })
      }))
  }
  return command
}

function formatOf(text: string): CatalogueFormat {
  if (text === 'ndjson' || text === 'csv') return text
  throw new ConfigError('--format must be ndjson or csv.')
}

function productOf(sku: string): number {
  const product = /^[1-9][0-9]{0,11}$/.test(sku) ? productIdOf(Number(sku)) : undefined
  if (product === undefined) throw new ConfigError('This is not a sku_id: take it from a search.')
  return product
}

/** Refused lines go to standard error with their numbers; the exit status tells of them. */
async function withProgress(
  work: (options: ImportOptions) => Promise<ImportReport>,
): Promise<void> {
  const show = showProgress()
  try {
    const { refusedLines, ...report } = await work({
      onProgress: ({ lines, bytesRead, bytes }) => {
        // A file's share is known by its bytes; what is made here, by its lines.
        if (bytes > 0) show('Importing', bytesRead, bytes)
        else show('Importing', lines, lines)
      },
    })
    show.end()
    for (const { number, reason } of refusedLines) {
      process.stderr.write(`line ${number}: ${reason}\n`)
    }
    const untold = report.refused - refusedLines.length
    if (untold > 0) process.stderr.write(`and ${untold} more\n`)
    print(report)
    if (report.refused > 0) process.exitCode = 1
  } finally {
    show.end()
  }
}
