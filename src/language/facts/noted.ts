/**
 * What takes longest to read of a title, as one line: the shelf keeps it beside the texts of goods.
 * It names the state of the sources that wrote it: those of another state read the title again.
 */
import { Alike } from '../alike.ts'
import type { Facts } from '../facts.ts'
import type { Range } from '../measures.ts'
import { sourcesState } from '../sources-state.ts'
import type { Models } from './models.ts'
import type { Values } from './sizes.ts'

export type TitleType = Pick<Facts, 'isAccessory' | 'isPart' | 'isStuffed' | 'kinds'>

export interface Noted extends Pick<Facts, 'brands' | 'values'> {
  readonly type: TitleType
  readonly models: Models
}

const BETWEEN_FACTS = '\t'
const SET = '|'
const PART = '/'
const ENTRY = '='
const RANGE = '~'
const SEPARATORS = /[\t\n|/=~,]/

const setOf = (text: string): ReadonlySet<string> => new Set(text === '' ? [] : text.split(SET))
const textOf = (set: Iterable<string>): string => [...set].join(SET)

const flagsOf = ({ isAccessory, isPart, isStuffed }: TitleType): number =>
  Number(isAccessory) + 2 * Number(isPart) + 4 * Number(isStuffed)

function typeOf(text: string): TitleType {
  const [flags, kinds = ''] = text.split(PART)
  return {
    isAccessory: (Number(flags) & 1) > 0, isPart: (Number(flags) & 2) > 0,
    isStuffed: (Number(flags) & 4) > 0,
    kinds: new Map([...setOf(kinds)].map((one): [string, number] => {
      const [kind = '', weight] = one.split(ENTRY)
      return [kind, Number(weight)]
    })),
  }
}

const typeText = (type: TitleType): string =>
  `${flagsOf(type)}${PART}${textOf([...type.kinds].map((one) => one.join(ENTRY)))}`

const rangeText = ({ low, high }: Range): string =>
  low === high ? String(low) : `${low}${RANGE}${high}`

function rangeOf(text: string): Range {
  const [low = 0, high = low] = text.split(RANGE).map(Number)
  return { low, high }
}

const valuesText = (values: Values): string => textOf([...values].map(([unit, ranges]) =>
  `${unit}${ENTRY}${ranges.map(rangeText).join()}`))

const valuesOf = (text: string): Values => new Map([...setOf(text)].map((one) => {
  const [unit = '', ranges = ''] = one.split(ENTRY)
  return [unit, ranges.split(',').map(rangeOf)]
}))

export const alikeSets = new Alike<ReadonlySet<string>>(textOf)
export const alikeTypes = new Alike<TitleType>(typeText)
export const alikeValues = new Alike<Values>(valuesText)

const modelsText = ({ models, variants, years }: Models): string =>
  [models, variants, years].map(textOf).join(PART)

function modelsOf(text: string): Models {
  const [models = '', variants = '', years = ''] = text.split(PART)
  const shared = (one: string): ReadonlySet<string> => alikeSets.of(one, setOf)
  return { models: shared(models), variants: shared(variants), years: shared(years) }
}

export const alikeModels = new Alike<Models>(modelsText)

/** Empty where a word has a character that parts them. */
export function noteOf(facts: TitleType & Models & Pick<Facts, 'brands' | 'values'>): string {
  const words = [facts.kinds.keys(), facts.brands, facts.values.keys(), facts.models,
    facts.variants, facts.years].flatMap((one) => [...one])
  if (words.some((word) => word === '' || SEPARATORS.test(word))) return ''
  return [sourcesState(), typeText(facts), textOf(facts.brands), valuesText(facts.values),
    modelsText(facts)].join(BETWEEN_FACTS)
}

/** Undefined of a line that sources of another state have written. */
export function readNote(note: string): Noted | undefined {
  if (!note.startsWith(sourcesState())) return undefined
  const [, type, brands, values, models] = note.split(BETWEEN_FACTS)
  if (type === undefined || brands === undefined || values === undefined || models === undefined) {
    return undefined
  }
  return { type: alikeTypes.of(type, typeOf), brands: alikeSets.of(brands, setOf),
    values: alikeValues.of(values, valuesOf), models: alikeModels.of(models, modelsOf) }
}
