/** Values of attributes as titles write them, with their units: XL and 3XL, 100g and 200g. */
import { LRUCache } from 'lru-cache'
import { taxonomy, valuesOf } from '../goods/taxonomy.ts'
import { fold } from './fold.ts'
import { phrases, type Phrases } from './read/phrases.ts'

const KNOWN_MAX = 400
const known = new LRUCache<string, readonly Phrases[]>({ max: KNOWN_MAX })

/** Whether two titles of goods of the kind state different values of one attribute. */
export const stateOthers = (kind: string, left: string, right: string): boolean =>
  left !== right && attributesOf(kind).some((values) => {
    const [one, other] = [statedIn(values, left), statedIn(values, right)]
    return one.size > 0 && other.size > 0 && ![...one].some((value) => other.has(value))
  })

/** For each attribute that has a list of values. */
function attributesOf(kind: string): readonly Phrases[] {
  const found = known.get(kind)
  if (found) return found
  const { attributes = [], packs = [] } = taxonomy().kinds.get(kind) ?? {}
  const lists = attributes.filter(({ values }) => values).map((attribute) =>
    valuesOf(attribute).map((value) => `${value}${attribute.unit ?? ''}`))
  const read = [...lists, packs].map((values) => phrases(values.map(fold)))
  known.set(kind, read)
  return read
}

const statedIn = (values: Phrases, text: string): Set<string> =>
  new Set(values.find(text).filter(({ start }) => !DECIMALS.test(text.slice(0, start)))
    .map(({ phrase }) => phrase))

/** 1.5L is not 5L. */
const DECIMALS = /\d\.$/
