/** Pictures beside goods that are written: 西瓜🍉, 生日蛋糕🎉. */
import { masked, type Place } from './claims.ts'
import { shownBy } from './emoji.ts'
import { isPartOf } from './heads.ts'
import { namesIn } from './names.ts'
import type { Reading } from './reading.ts'

const PICTURE = /\p{Extended_Pictographic}/u
/** 🎸和琴包 names both. */
const JOINED_BEFORE = /(?:[和跟与、+&]|还有|and|plus) ?$/
const JOINED_BEHIND = /^ ?(?:[和跟与、+&]|还有|and|plus)/

/** It without the pictures that only decorate it. */
export function withoutDecoration(reading: Reading): Reading {
  const { sentence, text, starts, ends } = reading
  if (!PICTURE.test(sentence)) return reading
  const isDrawn = ({ start, end }: Place): boolean => starts[start] === starts[end - 1]
    && shownBy(sentence.slice(starts[start], ends[start])) !== undefined
  const names = namesIn(text)
  const written = names.filter((name) => !isDrawn(name))
  const drawn = written.length === 0 ? [] : names.filter((name) => isDrawn(name)
    && !JOINED_BEFORE.test(text.slice(0, name.start)) && !JOINED_BEHIND.test(text.slice(name.end))
    // 📱 壳 is a case of it.
    && !written.some((one) => isPartOf(one, name)))
  return drawn.length === 0 ? reading : { ...reading, text: masked(text, drawn) }
}
