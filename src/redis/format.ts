/**
 * The fence between versions: the ledger keeps the highest format that was written to it and the
 * lowest format of code that may run on it. docs/decisions/ledger.md says when they are raised.
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
export const FORMAT: Format = { format: 7, readerMin: 4 }

interface Fence extends Format {
  readonly isRestoring: boolean
}

const ledgerFormat = defineScript('ledger-format', ['ledger_format'], ['format', 'reader_min'],
  ([format, readerMin, restoring]: [number, number, number]): Fence =>
    ({ format, readerMin, isRestoring: restoring === 1 }))

/** Records this code's format; throws a ConfigError where this code must not run. */
export async function assertFormat(ledger: RedisClient, own: Format = FORMAT): Promise<void> {
  const known = await ledgerFormat.run(ledger, { ledger_format: keys.format },
    { format: own.format, reader_min: own.readerMin })
  const refusal = fenceRefusal(known, own)
  if (refusal !== undefined) throw new ConfigError(refusal)
}

/** Why this code must not run on the ledger; undefined when it may. Writes nothing. */
export async function unreadable(
  ledger: RedisClient, own: Format = FORMAT,
): Promise<string | undefined> {
  const [format, reader, restoring] =
    await ledger.hmget(keys.format, 'format', 'reader', 'restoring')
  return fenceRefusal({
    format: Number(format), readerMin: Number(reader), isRestoring: restoring != null,
  }, own)
}

/** Zeros for a ledger without one, which older code or nobody wrote to. */
export async function readFormat(ledger: RedisClient): Promise<Format> {
  const [format, readerMin] = await ledger.hmget(keys.format, 'format', 'reader')
  return { format: Number(format), readerMin: Number(readerMin) }
}

/** Keeps every node and command off until `endRestore`, also after a restore that was cut off. */
export async function beginRestore(ledger: RedisClient): Promise<void> {
  await ledger.hset(keys.format, 'restoring', 1)
}

/** `restored` is the format of what is on the ledger now. */
export async function endRestore(ledger: RedisClient, restored: Format): Promise<void> {
  await ledger.multi()
    .hset(keys.format, 'format', restored.format, 'reader', restored.readerMin)
    .hdel(keys.format, 'restoring').exec()
}

export const formatRefusal = (known: Format, own: Format = FORMAT): string | undefined =>
  (known.readerMin <= own.format ? undefined
    : `This ledger has format ${known.format} and needs code of format ${known.readerMin} or `
      + `later; this version has ${own.format}: start the newer version.`)

const fenceRefusal = (known: Fence, own: Format): string | undefined =>
  (known.isRestoring ? 'A restore of this ledger was begun and has not ended: run agentmall '
    + 'restore again with --replace-ledger.' : formatRefusal(known, own))
