/**
 * A row for each attribute that the kinds of the items have: battery, noise, material. Shelf items
 * state them as specifications; of a mall's item its title says what it says.
 */
import { fold } from '../../language/fold.ts'
import { valuesOf, type Attribute, type KnownKind } from '../../goods/taxonomy.ts'
import type { Candidate } from '../candidate.ts'
import { kindOfItem, type Row } from './rows.ts'

interface Stated {
  readonly text: string
  /** The higher the better; null where nobody could say. */
  readonly rank: number | null
}

export function attributeRows(candidates: readonly Candidate[]): Row[] {
  const kinds = candidates.map(kindOfItem)
  const known = new Map(kinds.flatMap((kind) => kind?.attributes ?? [])
    .map((one) => [one.name_zh, one] as const))
  // What one of them states alone tells nothing apart.
  if (kinds.filter(Boolean).length < Math.min(2, candidates.length)) return []
  const statedOf = new Map(candidates.map((candidate, at) =>
    [candidate, statementsOf(candidate, kinds[at])]))
  return [...known.values()].map(({ name_zh, name_en, better }): Row => {
    const isFair = isOneScale(kinds.flatMap((kind) =>
      kind?.attributes.find((one) => one.name_zh === name_zh) ?? []))
    return {
      attribute: `${name_zh} (${name_en})`.slice(0, 60),
      ...better && isFair && { better },
      value: (candidate) => statedOf.get(candidate)?.get(name_zh)?.text ?? null,
      rank: (candidate) => isFair ? statedOf.get(candidate)?.get(name_zh)?.rank ?? null : null,
    }
  })
}

/** Numbers of one unit, or places in one list: hours are not days. */
const isOneScale = (attributes: readonly Attribute[]): boolean => {
  const [first, ...others] = attributes
  return others.every((one) => one === first || (one.unit === first?.unit
    && one.better === first?.better
    && [one, first].every((each) => each && typeof valuesOf(each)[0] === 'number')))
}

/** Each attribute takes its words away, so that no other is read from them. */
function statementsOf(
  { facts, item }: Candidate, kind: KnownKind | undefined,
): ReadonlyMap<string, Stated> {
  const found = new Map<string, Stated>()
  let text = `${fold(item.specs ?? '')} ${facts.text}`
  for (const attribute of kind?.attributes ?? []) {
    const stated = statedIn(text, attribute)
    if (!stated) continue
    found.set(attribute.name_zh, stated)
    text = text.replace(fold(stated.text), ' ')
  }
  return found
}

function statedIn(text: string, attribute: Attribute): Stated | undefined {
  const { unit = '' } = attribute
  const values = valuesOf(attribute)
  // The longest first: 12GB+256GB before 256GB.
  const found = values.map((value, place) => ({ value, place, text: `${value}${unit}` }))
    .sort((one, other) => other.text.length - one.text.length)
    .find((one) => stands(text, fold(one.text)))
  return found && { text: found.text, rank: rankOf(attribute, found.value, found.place) }
}

function rankOf({ better }: Attribute, value: string | number, place: number): number | null {
  if (!better) return null
  const height = typeof value === 'number' ? value : place
  return better === 'high' ? height : -height
}

/** As a whole: 5W stands in no 15W. */
function stands(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const isCut = (/^[\da-z.]/.test(value) && /[\da-z.]/.test(text.charAt(at - 1)))
      || (/[\da-z]$/.test(value) && /[\da-z]/.test(text.charAt(at + value.length)))
    if (!isCut) return true
  }
  return false
}
