/** Which values of a kind goods hold, by what they state and not by the letters of a title. */
import { taxonomy } from '../goods/taxonomy.ts'
import { says } from './contains-word.ts'
import type { Facts } from './facts.ts'
import { fold } from './fold.ts'
import { phrases, type Phrases } from './read/phrases.ts'
import type { Value } from './understanding.ts'
import { attributesOf } from './values.ts'

const HAN = /\p{Script=Han}/u

/** Values of one attribute, as goods state them. */
interface OwnValues {
  /** Among the attributes of the kind. */
  readonly place: number
  /** How many attributes the kind has. */
  readonly count: number
  readonly long: Phrases
  /** Of one character, which stand by themselves: 猫. */
  readonly short: readonly string[]
  /** What goods hold of them: few different sets, which thousands of goods share. */
  readonly sets: Map<string, ReadonlySet<string>>
}

/** Beyond it a set is not shared. */
const SETS_MAX = 200

/** Kind → attribute → its own values. */
const own = new Map<string, ReadonlyMap<string, OwnValues>>()

function ownValues(kind: string): ReadonlyMap<string, OwnValues> {
  const known = own.get(kind)
  if (known) return known
  const found = taxonomy().kinds.get(kind)
  const attributes = found ? attributesOf(found) : []
  const values = new Map(attributes.map(({ name, values: list }, place) => {
    const texts = list.map((value) => fold(value))
    return [name, { place, count: attributes.length,
      long: phrases(texts.filter(({ length }) => length > 1)),
      short: texts.filter((text) => text.length === 1 && HAN.test(text)),
      sets: new Map<string, ReadonlySet<string>>() }]
  }))
  // Others than those of the taxonomy are without end.
  if (found) own.set(kind, values)
  return values
}

/** The values of the attribute that goods of the kind state. */
function valuesHeld(kind: string, values: OwnValues, facts: Facts): ReadonlySet<string> {
  let held = facts.held
  while (held && held.kind !== kind) held = held.before
  if (!held) {
    // As long as it will be: a list that grows takes room for sixteen more.
    const sets = Array.from<ReadonlySet<string>>({ length: values.count })
    facts.held = held = { kind, sets, before: facts.held }
  }
  return held.sets[values.place] ??= readHeld(kind, values, facts)
}

function readHeld(kind: string, { long, short, sets }: OwnValues, { stated }: Facts) {
  const texts = new Set([
    ...heldIn(long, stated), ...short.filter((text) => ` ${stated} `.includes(` ${text} `)),
  ])
  // Of 纯牛奶 零乳糖 the first is the name of the goods, though some have no other value.
  if (texts.size > 1) texts.delete(fold(taxonomy().kinds.get(kind)?.name_zh ?? ''))
  const key = [...texts].join('|')
  const known = sets.get(key)
  if (known) return known
  if (sets.size < SETS_MAX) sets.set(key, texts)
  return texts
}

/**
 * 台式机 is what memory is for that says so as a word of its own, though 笔记本加内存 is said
 * besides; and what 无糖可选 says may be had is not in these goods.
 */
function heldIn(values: Phrases, stated: string): string[] {
  const found = values.find(stated).filter(({ end }) => !stated.startsWith('可选', end))
  const whole = found.filter(({ start, end }) =>
    /^ ?$/.test(stated.charAt(start - 1)) && /^ ?$/.test(stated.charAt(end)))
  return (whole.length > 0 ? whole : found).map(({ phrase }) => phrase)
}

export type Holding = 'has' | 'other' | 'unknown'

/** Whether goods of the kind have one of the values, or another of the same attributes. */
export function holds(kind: string, values: readonly Value[], facts: Facts): Holding {
  const attributes = ownValues(kind)
  let isOther = true
  for (const { text, attribute } of values) {
    const asked = attribute === null ? undefined : attributes.get(attribute)
    const own = asked && valuesHeld(kind, asked, facts)
    if (own ? own.has(text) : says(facts.said, text)) return 'has'
    if (!own || own.size === 0) isOther = false
  }
  return isOther ? 'other' : 'unknown'
}
