/**
 * The fence between versions: the ledger keeps the highest format that was written to it and the
 * lowest format of code that may run on it. docs/decisions.md says when the numbers are raised.
 */
import { ConfigError } from '../config.ts'
import type { RedisClient } from './connect.ts'
import { ledger as keys } from './keys.ts'
import { defineScript } from './script.ts'

export interface Format {
  /** What this code writes. */
  readonly format: number
  /** Code of a lower format must not run on a ledger that this code has written to. */
  readonly readerMin: number
}

/** Raise `format` by one with each change of what is kept on the ledger. */
export const FORMAT: Format = { format: 2, readerMin: 2 }

const ledgerFormat = defineScript('ledger-format', ['ledger_format'], ['format', 'reader_min'],
  ([format, readerMin]: [number, number]): Format => ({ format, readerMin }))

/** Records this code's format; throws a ConfigError where the ledger needs newer code. */
export async function assertFormat(ledger: RedisClient, own: Format = FORMAT): Promise<void> {
  const known = await ledgerFormat.run(ledger, { ledger_format: keys.format },
    { format: own.format, reader_min: own.readerMin })
  const refusal = formatRefusal(known, own)
  if (refusal !== undefined) throw new ConfigError(refusal)
}

/** Why this code must not run on the ledger; undefined when it may. Writes nothing. */
export async function unreadable(
  ledger: RedisClient, own: Format = FORMAT,
): Promise<string | undefined> {
  return formatRefusal(await readFormat(ledger), own)
}

/** Zeros for a ledger without one, which older code or nobody wrote to. */
export async function readFormat(ledger: RedisClient): Promise<Format> {
  const [format, readerMin] = await ledger.hmget(keys.format, 'format', 'reader')
  return { format: Number(format), readerMin: Number(readerMin) }
}

const formatRefusal = (known: Format, own: Format): string | undefined =>
  (known.readerMin <= own.format ? undefined
    : `This ledger has format ${known.format} and needs code of format ${known.readerMin} or `
      + `later; this version has ${own.format}: start the newer version.`)
