/** What the doctor found about one thing. */
export interface Finding {
  readonly about: string
  /** `warn` works, and is not what one wants; `fail` keeps the service from working. */
  readonly level: 'ok' | 'warn' | 'fail'
  readonly says: string
  /** What to do about it; absent where nothing has to be done. */
  readonly todo?: string
}

export const ok = (about: string, says: string): Finding => ({ about, level: 'ok', says })
export const warn = (about: string, says: string, todo: string): Finding =>
  ({ about, level: 'warn', says, todo })
export const fail = (about: string, says: string, todo: string): Finding =>
  ({ about, level: 'fail', says, todo })

/** One line of ours out of whatever was thrown. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
