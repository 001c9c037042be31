/** What a person who runs the service reads when it cannot go on: one sentence, no stack. */

/** Its message says what is wrong and what to do about it. */
export class KnownFailure extends Error {}

const DISK = 'make room there, or set DATA_DIR and TMPDIR to folders elsewhere'
const RIGHTS = 'give this user the right to, or set DATA_DIR to a folder of its own'

/** By the system's code: what is wrong with a file or folder, and what to do. */
const SYSTEM: Readonly<Record<string, readonly [wrong: string, todo: string]>> = {
  ENOSPC: ['The disk is full', DISK],
  EDQUOT: ['The disk quota is used up', DISK],
  EROFS: ['The file system cannot be written', RIGHTS],
  EACCES: ['Permission is denied', RIGHTS],
  EPERM: ['The system does not permit it', RIGHTS],
}

/** Undefined for a defect of ours, which needs its stack. */
export function sentenceOf(error: unknown): string | undefined {
  if (error instanceof KnownFailure) return error.message
  const { code = '', path } = error as NodeJS.ErrnoException
  const [wrong, todo] = SYSTEM[code] ?? []
  return wrong && `${wrong}${path === undefined ? '' : ` (${path})`}: ${todo}.`
}
