/** What thousands of goods say alike is kept once, and not for each of them. */

/** Beyond it all of them are forgotten, which costs memory and no more. */
const ALIKE_MAX = 5000

/** `keyOf` is equal for values that nobody needs to tell apart; nobody may change one. */
export class Alike<T> {
  private readonly keyOf: (value: T) => string
  private readonly known = new Map<string, T>()

  constructor(keyOf: (value: T) => string) {
    this.keyOf = keyOf
  }

  share(value: T): T {
    const key = this.keyOf(value)
    const known = this.known.get(key)
    if (known !== undefined) return known
    if (this.known.size >= ALIKE_MAX) this.known.clear()
    this.known.set(key, value)
    return value
  }
}
