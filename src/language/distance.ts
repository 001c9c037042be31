/**
 * How many characters two words differ in, with two swapped neighbours as one difference (optimal
 * string alignment); `most + 1` as soon as it is sure to be above `most`.
 */
export function distance(left: string, right: string, most: number): number {
  if (Math.abs(left.length - right.length) > most) return most + 1
  let [before, above] = [[] as number[], Array.from({ length: right.length + 1 }, (_, at) => at)]
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    let least = row
    for (let at = 1; at <= right.length; at += 1) {
      const isSame = left[row - 1] === right[at - 1]
      let cost = Math.min((above[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1,
        (above[at - 1] ?? 0) + (isSame ? 0 : 1))
      const isSwap = row > 1 && at > 1 && left[row - 1] === right[at - 2]
        && left[row - 2] === right[at - 1]
      if (isSwap) cost = Math.min(cost, (before[at - 2] ?? 0) + 1)
      current.push(cost)
      least = Math.min(least, cost)
    }
    if (least > most) return most + 1
    ;[before, above] = [above, current]
  }
  return above[right.length] ?? most + 1
}

const LETTER_A = 'a'.charCodeAt(0)

/** A bit for each letter that the word has. */
export const lettersOf = (word: string): number => [...word].reduce((letters, letter) =>
  letters | (1 << (letter.charCodeAt(0) - LETTER_A)), 0)

/** No more than three: what is above makes no difference. */
export function bitsOf(letters: number): number {
  let [rest, count] = [letters, 0]
  for (; rest !== 0 && count < 3; count += 1) rest &= rest - 1
  return count
}

export function sameStart(left: string, right: string): number {
  let length = 0
  while (length < left.length && left[length] === right[length]) length += 1
  return length
}
