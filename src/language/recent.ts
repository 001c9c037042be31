/** What the same text was read as a moment ago: the readers of a sentence ask for it again. */

/** Of the last texts, from half of `max` to all; nobody may change what is given out. */
export function remembered<T>(max: number, read: (text: string) => T): (text: string) => T {
  let young = new Map<string, T>()
  let old = new Map<string, T>()
  return (text) => {
    const known = young.get(text)
    if (known !== undefined) return known
    const found = old.get(text) ?? read(text)
    if (young.size >= max / 2) [old, young] = [young, new Map()]
    young.set(text, found)
    return found
  }
}
