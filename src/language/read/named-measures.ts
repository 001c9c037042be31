/** Numbers that are told by the name of an attribute beside them: 度数200, 58口径. */
import type { Value } from '../measures.ts'
import { attributeNamed, type AttributeValues } from '../profile.ts'
import type { Measure } from '../understanding.ts'
import type { Place } from './claims.ts'
import type { NumberWord } from './numbers.ts'

export const measureOf = ({ low, high, unit }: Value): Measure =>
  ({ low, high: Number.isFinite(high) ? high : null, unit })

const ATTRIBUTE_NAME_MAX = 5
/** What people call attributes. */
const SPOKEN_NAMES: Readonly<Record<string, string>> = {
  高刷: '刷新率', 高刷新: '刷新率', 帧率: '刷新率', 帧数: '刷新率', 电量: '电池容量',
}
/** How far a number may be from all values of an attribute, and still be one. */
const VALUES_FACTOR = 2

/** 度数200, 刷新率不低于165: what the goods state stands before the number by its name. */
export function namedBefore(text: string, end: number, value: number, kinds: readonly string[]):
{ start: number, attribute: AttributeValues } | undefined {
  const [run = ''] = /[\p{Script=Han}]{2,5}(?:是|为|要)?$/u.exec(
    text.slice(Math.max(0, end - ATTRIBUTE_NAME_MAX - 1), end)) ?? []
  const word = run.replace(/[是为要]$/, '')
  for (let from = 0; from + 2 <= word.length; from += 1) {
    const attribute = attributeNamed(kinds, SPOKEN_NAMES[word.slice(from)] ?? word.slice(from))
    if (!attribute) continue
    const all = [...attribute.written.keys()]
    const isValue = value * VALUES_FACTOR >= Math.min(...all)
      && value <= Math.max(...all) * VALUES_FACTOR
    if (isValue) return { start: end - run.length + from, attribute }
  }
  return undefined
}

/** 58口径: a number of the goods with its name behind it. */
export function namedBehind(
  text: string, { start, end, low }: NumberWord, kinds: readonly string[],
): (Place & { readonly measure: Measure }) | undefined {
  const [said = '', name = ''] = /^ ?(?:的)?(\p{Script=Han}{2,4}?)(?=$|[ ,.;。!?的])/u.exec(
    text.slice(end, end + ATTRIBUTE_NAME_MAX + 2)) ?? []
  const value = name === '' ? undefined : attributeNamed(kinds, name)?.written.get(low)
  return value && { start, end: end + said.length, measure: measureOf(value) }
}
