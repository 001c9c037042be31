/** Pictures beside goods that are written: 西瓜🍉, 生日蛋糕🎉. */
import { categoryOf } from '../../goods/taxonomy.ts'
import { masked, type Place } from './claims.ts'
import { shownBy } from './emoji.ts'
import { isPartOf, isSaidOf } from './heads.ts'
import { type Name, namesIn } from './names.ts'
import type { Reading } from './reading.ts'

const PICTURE = /\p{Extended_Pictographic}/u
/** 🎸和琴包 names both. */
const JOINED_BEFORE = /(?:[和跟与、+&]|还有|and|plus) ?$/
const JOINED_BEHIND = /^ ?(?:[和跟与、+&]|还有|and|plus)/

/** Shown with whatever is wished for a feast. */
const FESTIVE = /[🎉🎁🎀🎊✨]/u

/** It without the pictures that only decorate it. */
export function withoutDecoration(reading: Reading): Reading {
  const { sentence, text, starts, ends } = reading
  if (!PICTURE.test(sentence)) return reading
  const shown = ({ start }: Place): string => sentence.slice(starts[start], ends[start])
  const isDrawn = (name: Place): boolean => starts[name.start] === starts[name.end - 1]
    && shownBy(shown(name)) !== undefined
  const names = namesIn(text)
  const written = names.filter((name) => !isDrawn(name))
  const isBeside = (name: Name, one: Name): boolean => one.start !== name.end
    && (isAlike(name, one) || FESTIVE.test(shown(name)))
    // 📱 壳 is a case of it, and 🍌 小米蕉 says which.
    && !isPartOf(one, name) && !isSaidOf(name, one)
  const drawn = names.filter((name) => isDrawn(name) && written.some((one) => isBeside(name, one))
    && !JOINED_BEFORE.test(text.slice(0, name.start)) && !JOINED_BEHIND.test(text.slice(name.end)))
  return drawn.length === 0 ? reading : { ...reading, text: masked(text, drawn) }
}

/** On one shelf. */
const isAlike = (one: Name, other: Name): boolean => one.senses.some(({ kind }) =>
  other.senses.some((sense) => categoryOf(sense.kind) === categoryOf(kind)))
