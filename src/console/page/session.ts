/** Who is at the page, and what only its memory may hold. */
import { signal } from '@preact/signals'
import type { Service, Session } from './types.ts'

/** Undefined until it is known; null for somebody who has to sign in. */
export const session = signal<Session | null | undefined>(undefined)

/** Addresses and tools; undefined until they are loaded. */
export const service = signal<Service | undefined>(undefined)

/** The key that examples use. It is never stored: closing the page forgets it. */
export const apiKey = signal('')

export interface NewKey {
  readonly agent: string
  readonly label: string
  readonly key: string
}

/** A key that was shown and whose owner has not said yet that it is saved. */
export const newKey = signal<NewKey | undefined>(undefined)

/** While it is, the end of the session does not take the key away: there is no second look. */
export const isKeyOnScreen = signal(false)

export function forgetEverything(): void {
  session.value = null
  apiKey.value = ''
  if (!isKeyOnScreen.value) newKey.value = undefined
}
