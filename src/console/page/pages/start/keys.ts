/** The key as examples have it. */
import { apiKey } from '../../session.ts'

const PLACEHOLDER = '<API_KEY>'
const SHOWN_LENGTH = 8

/** Enough to tell which, not enough to be read off a screen. */
export const shownKey = (): string =>
  (apiKey.value === '' ? PLACEHOLDER : `${apiKey.value.slice(0, SHOWN_LENGTH)}…`)

export const copiedKey = (): string => apiKey.value || PLACEHOLDER
