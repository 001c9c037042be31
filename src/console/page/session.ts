/** Who is signed in, and what only the page's memory may hold. */
import { computed, signal } from '@preact/signals'
import type { Service, Session } from './types.ts'

/** Undefined until it is loaded; null without a session. */
export const session = signal<Session | null | undefined>(undefined)

/** Addresses and tools; undefined until they are loaded. */
export const service = signal<Service | undefined>(undefined)

/** The agent of the account that examples call as, by its public id. */
export const chosenAgent = signal<string | undefined>(undefined)

/** Keys that were made while the page is open, by agent. Closing the page forgets them. */
const madeKeys = signal<Readonly<Record<string, string>>>({})

/** A key that was pasted; examples use it before any other. It is never stored either. */
export const pastedKey = signal('')

/** The key that examples use; empty where the page has none for the chosen agent. */
export const apiKey = computed(() =>
  pastedKey.value || (madeKeys.value[chosenAgent.value ?? ''] ?? ''))

interface NewKey {
  readonly agent: string
  readonly label: string
  readonly key: string
}

/** A key that was shown and not yet confirmed as saved. */
export const newKey = signal<NewKey | undefined>(undefined)

interface NewSecret {
  readonly webhook: string
  readonly url: string
  readonly secret: string
  /** Until when the one before it signs, too. */
  readonly oldEndsAt?: string
}

/** A signing secret that was shown and not yet confirmed as saved. */
export const newSecret = signal<NewSecret | undefined>(undefined)

/** Shows the key until it is confirmed as saved; examples use it from now on. */
export function keepNewKey(created: NewKey): void {
  newKey.value = created
  madeKeys.value = { ...madeKeys.value, [created.agent]: created.key }
  chosenAgent.value = created.agent
  pastedKey.value = ''
}

/** The end of the session leaves a key or a secret on the screen: it is shown only once. */
export const isKeyOnScreen = signal(false)

/** How a session ended, for the sign-in page. */
export type Farewell = 'ended' | 'signed_out' | 'everywhere' | 'deleted'
export const farewell = signal<Farewell | undefined>(undefined)

export function forgetEverything(how: Farewell): void {
  // Without a session nothing ended, and the first reason holds.
  if (session.value) farewell.value = how
  session.value = null
  chosenAgent.value = undefined
  madeKeys.value = {}
  pastedKey.value = ''
  if (!isKeyOnScreen.value) forgetUnsaved()
}

export function forgetUnsaved(): void {
  newKey.value = undefined
  newSecret.value = undefined
}

const PLACEHOLDER = '<API_KEY>'
const SHOWN_LENGTH = 8

/** Enough to recognise the key, too little to copy it from a screen. */
export const shownKey = (): string =>
  (apiKey.value === '' ? PLACEHOLDER : `${apiKey.value.slice(0, SHOWN_LENGTH)}…`)

export const copiedKey = (): string => apiKey.value || PLACEHOLDER
