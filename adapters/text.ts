/**
 * Foreign text and links. Text: nothing in it is hidden from a reader, and none is longer than
 * agreed. Links: with a scheme, and on a host that is known to be the platform's.
 */

// oxlint-disable-next-line no-control-regex -- the pattern searches for them
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
/** Zero-width, direction, filler, tag and private characters, variation selectors, surrogates. */
const UNSEEN = new RegExp('['
  + '\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e'
  + '\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff'
  + '\\p{Noncharacter_Code_Point}\\p{Private_Use}\\p{Surrogate}'
  + '\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]', 'gu')
/** Highlighting that some platforms put into titles. */
const MARKUP = /<\/?(?:em|b|i|span|font|strong|br)(?:\s[^<>]{0,120})?\/?>/gi

/**
 * Marks that chat templates and tool protocols put between speakers, who speaks, and names of tools
 * with the word that calls them: what an agent could take for another speaker's words.
 */
const FORGED = new RegExp([
  '<\\|[^|<>]{0,64}\\|>',
  '<<\\s*/?\\s*sys\\s*>>',
  '\\[\\s*/?\\s*(?:inst|system_prompt|tool_calls?|available_tools|tool_results?)\\s*\\]',
  '<\\s*/?\\s*(?:system|assistant|user|human|developer|instructions?|prompt|function_calls?'
  + '|invoke|parameter|tool(?:_[a-z]+)?|antml:[a-z_]+)(?:\\s[^<>]{0,120})?/?\\s*>',
  '</?s>',
  '(?<![a-z])(?:system|assistant|developer)(?: (?:prompt|message))? ?[:：]',
  '(?<![a-z])(?:(?:call|invoke|use|run|execute) (?:the )?(?:tool )?|调用(?:工具)? ?)?'
  + '(?<![a-z0-9_])[a-z]{2,20}(?:_[a-z]{2,20}){1,4}(?![a-z0-9_])',
].join('|'), 'gi')

export function withoutForged(text: string): string {
  let clean = text
  // Taking one mark out may leave another: `<|<|x|>|>`.
  for (let before = ''; before !== clean;) {
    before = clean
    clean = clean.replace(FORGED, ' ')
  }
  return clean
}

/** One clean line of at most `length` characters; empty when nothing remains. */
export function cleanText(text: string, length: number): string {
  // Cutting first bounds the work; NFKC makes one character into eighteen at most.
  const plain = text.slice(0, length * 8).replace(UNSEEN, '').normalize('NFKC')
    .replace(MARKUP, '').replace(CONTROL, ' ').replace(UNSEEN, '').replace(/\s+/g, ' ')
  const line = withoutForged(plain).replace(/\s+/g, ' ').trim()
  return line.length <= length ? line : line.slice(0, length).replace(UNSEEN, '').trimEnd()
}

export const textOrNull = (text: string | null | undefined, length: number): string | null =>
  cleanText(text ?? '', length) || null

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

/** Schemes that run or read something where somebody opens them. */
const UNSAFE = new Set(
  ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'content:'])

export const opensApp = (text: string): boolean =>
  URL.canParse(text) && !UNSAFE.has(new URL(text).protocol)
