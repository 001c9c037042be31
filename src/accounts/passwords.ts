/** Passwords: argon2id, peppered, so many at a time. */
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { PASSWORD_HASHING } from '../config.ts'
import { Refusal } from '../contract/errors.ts'
import { isWeakPassword } from './weak-passwords.ts'

const LENGTH_MIN = 10
const LENGTH_MAX = 128
const WEAK = 'is among the first passwords that somebody tries: take a few words in a row'
/** Each takes 19 MiB and a core for a moment: more at once would only slow each other down. */
const AT_ONCE = 2
/** Who would wait longer than about a second is told to come back. */
const WAITING_MAX = 32

/** As costly to try as anybody's, and no password has it. */
const NOBODYS = '$argon2id$v=19'
  + `$m=${PASSWORD_HASHING.memoryCost},t=${PASSWORD_HASHING.timeCost},`
  + `p=${PASSWORD_HASHING.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

export interface Passwords {
  /** Refuses what is too short, too long, not writable, or what everybody tries first. */
  assertUsable(password: string, path?: string): void
  hash(password: string): Promise<string>
  /** Without a hash it is false, after the same work. */
  matches(password: string, hashed: string | undefined): Promise<boolean>
}

/** `pepper`: without it a stolen ledger is of no use for guessing. */
export function createPasswords(pepper: Buffer): Passwords {
  const options = { ...PASSWORD_HASHING, secret: pepper }
  const limit = pLimit(AT_ONCE)

  function bounded<T>(work: () => Promise<T>): Promise<T> {
    if (limit.pendingCount >= WAITING_MAX) {
      return Promise.reject(new Refusal('unavailable', { retry_after_s: 1 }))
    }
    return limit(work)
  }

  return {
    assertUsable(password, path = 'password') {
      const { length } = [...password]
      const problem = length < LENGTH_MIN ? `must have at least ${LENGTH_MIN} characters`
        : length > LENGTH_MAX ? `must have at most ${LENGTH_MAX} characters`
          : /\p{Cc}|\p{Cs}/u.test(password) ? 'must not contain control characters'
            : isWeakPassword(password) ? WEAK : undefined
      if (problem) throw new Refusal('invalid_request', { fields: [{ path, problem }] })
    },
    hash: (password) => bounded(() => hash(password.normalize('NFKC'), options)),
    async matches(password, hashed) {
      // What no password can be costs no work, known address or not.
      if (password.length > LENGTH_MAX * 2) return false
      const isRight = await bounded(() =>
        verify(hashed ?? NOBODYS, password.normalize('NFKC'), options))
      return isRight && hashed !== undefined
    },
  }
}
