/**
 * JSON whose long whole numbers stay exact: platforms' ids pass 2^53, where numbers lose digits.
 * Whole numbers of sixteen digits or more come out as text.
 */
const LONG = /\d{16}/

export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return LONG.test(text) ? JSON.parse(quoteLongNumbers(text)) : value
}

const NEXT = /"|-?\d{16,}(?![\d.eE])/g

/** Only for valid JSON: every quote that opens has one that closes. */
function quoteLongNumbers(text: string): string {
  const parts: string[] = []
  let copied = 0
  NEXT.lastIndex = 0
  for (let found = NEXT.exec(text); found; found = NEXT.exec(text)) {
    if (found[0] === '"') {
      NEXT.lastIndex = endOfString(text, found.index + 1)
    } else if (!/[\d.eE+]/.test(text[found.index - 1] ?? '')) {
      parts.push(text.slice(copied, found.index), `"${found[0]}"`)
      copied = NEXT.lastIndex
    }
  }
  return parts.join('') + text.slice(copied)
}

function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); ; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
}

/** An object with names, or null for any other value. */
export const record = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? value as Readonly<Record<string, unknown>> : null
