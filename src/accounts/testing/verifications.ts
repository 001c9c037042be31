/** What was done to try passwords, without measuring how long it took. */
import { verify } from '@node-rs/argon2'
import { vi } from 'vitest'

/**
 * Of each time since the last call, all that its duration depends on: parameters of the hash, the
 * lengths of salt and hash, the password's length. The test file mocks `@node-rs/argon2` with
 * `{ spy: true }`.
 */
export function verifications(): unknown[] {
  const { calls } = vi.mocked(verify).mock
  return calls.splice(0).map(([hashed, password, options]) => {
    const [, algorithm, version, costs, salt, hash] = String(hashed).split('$')
    return {
      algorithm, version, costs, salt: salt?.length, hash: hash?.length,
      password: password.length, options,
    }
  })
}
