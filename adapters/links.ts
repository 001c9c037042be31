/** Links of other people: with a scheme, and on a host that is known to be theirs. */
const WEB = /^https?:\/\/[^\s"<>\\]{1,2000}$/

/** Adds the scheme that platforms leave out; null for what is no web link. */
export function webLink(text: string | null | undefined): string | null {
  const trimmed = (text ?? '').trim()
  const link = trimmed.startsWith('//') ? `https:${trimmed}` : trimmed
  return WEB.test(link) && URL.canParse(link) ? link : null
}

/** "mall-b.example/detail/1.html" → with https; for fields that never carry a scheme. */
export const schemeless = (text: string | null | undefined): string | null =>
  text ? webLink(/^(https?:)?\/\//.test(text) ? text : `https://${text}`) : null

/**
 * The parsed link when its host is one of `hosts` or below one. A link with a user name or a port
 * of its own is refused: people misread the first, and the platforms have no use for either.
 */
export function linkOn(hosts: readonly string[], text: string): URL | null {
  const link = webLink(text)
  if (link === null) return null
  const url = new URL(link)
  if (url.username !== '' || url.password !== '') return null
  return hosts.some((host) => url.host === host || url.host.endsWith(`.${host}`)) ? url : null
}

/** Schemes that run or read something where they are opened. */
const UNSAFE = new Set(
  ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'content:'])

export const opensApp = (text: string): boolean =>
  URL.canParse(text) && !UNSAFE.has(new URL(text).protocol)
