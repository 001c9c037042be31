/** The key that a sandbox hands to whoever starts it, kept beside the embedded Redis. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Accounts } from './keys.ts'

export interface SandboxKey {
  readonly file: string
  /** There when it was made just now: it is shown once. */
  readonly apiKey?: string
}

/** The kept key while it still works, else a new one. */
export async function sandboxKey(accounts: Accounts, dataDir: string): Promise<SandboxKey> {
  const file = join(dataDir, 'sandbox-key')
  if (existsSync(file)) {
    const kept = readFileSync(file, 'utf8').trim()
    if (await accounts.lookup(kept)) return { file }
  }
  const { apiKey } = await accounts.createKey({ tier: 't1', label: 'sandbox' })
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(file, `${apiKey}\n`, { mode: 0o600 })
  return { file, apiKey }
}
