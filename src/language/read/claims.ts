/** Who has taken which characters: each belongs to one part of the understanding. */
export interface Place {
  readonly start: number
  readonly end: number
}

export interface Claims {
  readonly isFree: (start: number, end: number) => boolean
  /** Takes the characters unless one of them is taken; says whether it did. */
  readonly take: (place: Place) => boolean
  /** Takes whatever is still free between the two. */
  readonly occupy: (place: Place) => void
  readonly release: (place: Place) => void
  /** Stretches of free characters. */
  readonly free: () => Place[]
}

export function createClaims(length: number): Claims {
  const taken = new Uint8Array(length)
  const isFree = (start: number, end: number): boolean => {
    for (let at = start; at < end; at += 1) if (taken[at] === 1) return false
    return end > start
  }
  const occupy = ({ start, end }: Place): void => { taken.fill(1, start, end) }
  return {
    isFree, occupy,
    release: ({ start, end }) => { taken.fill(0, start, end) },
    take(place) {
      const free = isFree(place.start, place.end)
      if (free) occupy(place)
      return free
    },
    free() {
      const places: Place[] = []
      let start = 0
      for (let at = 0; at <= length; at += 1) {
        if (at < length && taken[at] === 0) continue
        if (at > start) places.push({ start, end: at })
        start = at + 1
      }
      return places
    },
  }
}

/** A text with what stands at the places taken out, and nothing moved. */
export const masked = (text: string, places: readonly Place[], by = ' '): string =>
  places.reduce((rest, { start, end }) =>
    rest.slice(0, start) + by.repeat(end - start) + rest.slice(end), text)

export const overlaps = (left: Place, right: Place): boolean =>
  left.start < right.end && right.start < left.end

/** What lies around a place between the nearest `signs`, of which each is matched globally. */
export function clauseAround(text: string, { start, end }: Place, signs: RegExp): Place {
  const found = [...text.matchAll(signs)].map(({ 0: sign, index }) =>
    ({ start: index, end: index + sign.length }))
  return { start: found.findLast((sign) => sign.end <= start)?.end ?? 0,
    end: found.find((sign) => sign.start >= end)?.start ?? text.length }
}
