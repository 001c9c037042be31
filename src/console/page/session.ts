/** Who is at the page, and what only its memory may hold. */
import { computed, signal } from '@preact/signals'
import type { Service, Session } from './types.ts'

/** Undefined until it is known; null for somebody who has to sign in. */
export const session = signal<Session | null | undefined>(undefined)

/** Addresses and tools; undefined until they are loaded. */
export const service = signal<Service | undefined>(undefined)

/** The agent of the account that examples call as, by its public id. */
export const chosenAgent = signal<string | undefined>(undefined)

/** Keys that were made while the page is open, by agent. Closing the page forgets them. */
const madeKeys = signal<Readonly<Record<string, string>>>({})

/** One that somebody brought along goes before them. It is never stored either. */
export const pastedKey = signal('')

/** The key that examples use; empty where the page has none for the chosen agent. */
export const apiKey = computed(() =>
  pastedKey.value || (madeKeys.value[chosenAgent.value ?? ''] ?? ''))

export interface NewKey {
  readonly agent: string
  readonly label: string
  readonly key: string
}

/** A key that was shown and whose owner has not said yet that it is saved. */
export const newKey = signal<NewKey | undefined>(undefined)

/** Until its owner says that it is saved; examples use it from now on. */
export function keepNewKey(created: NewKey): void {
  newKey.value = created
  madeKeys.value = { ...madeKeys.value, [created.agent]: created.key }
  chosenAgent.value = created.agent
  pastedKey.value = ''
}

/** While it is, the end of the session does not take the key away: there is no second look. */
export const isKeyOnScreen = signal(false)

/** How a session ended: the sign-in page says it. */
export type Farewell = 'ended' | 'signed_out' | 'everywhere' | 'deleted'
export const farewell = signal<Farewell | undefined>(undefined)

export function forgetEverything(how: Farewell): void {
  // Whoever was not signed in has not been signed out, and the first word about it holds.
  if (session.value) farewell.value = how
  session.value = null
  chosenAgent.value = undefined
  madeKeys.value = {}
  pastedKey.value = ''
  if (!isKeyOnScreen.value) newKey.value = undefined
}
