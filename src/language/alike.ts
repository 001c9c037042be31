/** What thousands of goods say alike is kept once, and not for each of them. */

/** Beyond it all of them are forgotten, which costs memory and no more. */
const ALIKE_MAX = 5000

export class Alike<T> {
  /** Equal for values that nobody needs to tell apart; nobody may change one. */
  readonly keyOf: (value: T) => string
  private readonly known = new Map<string, T>()

  constructor(keyOf: (value: T) => string) {
    this.keyOf = keyOf
  }

  share(value: T): T {
    const key = this.keyOf(value)
    return this.known.get(key) ?? this.keep(key, value)
  }

  /** The value of that key, made of it where it is not known. */
  of(key: string, make: (key: string) => T): T {
    // A part of a text keeps all of the text, a copy does not.
    return this.known.get(key) ?? this.keep(Buffer.from(key).toString(), make(key))
  }

  private keep(key: string, value: T): T {
    if (this.known.size >= ALIKE_MAX) this.known.clear()
    this.known.set(key, value)
    return value
  }
}
