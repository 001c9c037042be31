/** Redis's wire format, as far as a client needs it that only counts answers. */

export function encodeCommand(words: readonly (string | number | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from(`*${words.length}\r\n`)]
  for (const word of words) {
    const bytes = Buffer.isBuffer(word) ? word : Buffer.from(String(word))
    parts.push(Buffer.from(`$${bytes.length}\r\n`), bytes, CRLF)
  }
  return Buffer.concat(parts)
}

const CRLF = Buffer.from('\r\n')
const [ARRAY, BULK, NEWLINE, MINUS, ZERO] = [0x2a, 0x24, 0x0a, 0x2d, 0x30]

/** Where the value that begins at `from` ends; −1 while bytes of it are missing. */
export function valueEnd(bytes: Buffer, from: number): number {
  let at = from
  // Values still to be passed: an array adds its members.
  for (let open = 1; open > 0; open -= 1) {
    const line = bytes.indexOf(NEWLINE, at)
    if (line < 0) return -1
    const type = bytes[at]
    const count = type === ARRAY || type === BULK ? numberAt(bytes, at + 1) : 0
    at = line + 1
    if (type === ARRAY) open += Math.max(count, 0)
    // Minus one stands for a value that is missing, and has no line of its own.
    if (type === BULK && count >= 0) at += count + 2
    if (at > bytes.length) return -1
  }
  return at
}

/** The number of a line. */
function numberAt(bytes: Buffer, from: number): number {
  if (bytes[from] === MINUS) return -1
  let number = 0
  for (let at = from; ; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO
    if (digit < 0 || digit > 9) return number
    number = number * 10 + digit
  }
}

export const isError = (bytes: Buffer): boolean => bytes[0] === MINUS
