/** Brands and models that are named, against those of goods. */
import type { Say } from './answer-language.ts'
import { says } from './contains-word.ts'
import { type Brand, getLexicon } from './lexicon.ts'
import { askedOf } from './relevance.ts'
import type { Slot } from './slot.ts'
import type { Understanding } from './understanding.ts'

/** 华为mate60 begins with a brand; its name is that of the caller's language. */
export function brandNamed(name: string, say: Say): Brand | undefined {
  const { brandOf, brands, lines } = getLexicon()
  const phrase = brands.at(name, 0)?.phrase ?? ''
  // 华为mate is a line of 华为.
  const brand = brandOf.get(name) ?? brandOf.get(lines.get(phrase)?.brand ?? phrase)
  return brand && { ...brand, name: say(brand.name, brand.latin) }
}

export function modelSlots(understood: Understanding): Slot[] {
  const { models } = askedOf(understood)
  const named = [...models].map((model): Slot => ({
    kind: 'model', name: model,
    state: ({ models: known }) => known.has(model) ? 'met' : 'unknown',
  }))
  // 5w40, cr2032 and wifi7 are no models, and said all the same.
  const codes = understood.keywords.filter(({ role }) => role === 'model')
    .flatMap(({ folded }) => folded.split(' '))
    .filter((word) => /\d/.test(word) && /[a-z]/.test(word)
      && !models.has(plainOf(word)))
  return [...named, ...codes.map(codeSlot)]
}

const plainOf = (text: string): string => text.replace(/[-_. ]/g, '')

const codeSlot = (code: string): Slot => ({
  kind: 'named', name: code,
  state: ({ said }) => says(plainOf(said), plainOf(code)) || plainOf(said).includes(plainOf(code))
    ? 'met' : 'unknown',
})

export const brandSlot = (key: string, name: string): Slot => ({
  kind: 'brand', name,
  state: ({ brands }) => brands.has(key) ? 'met' : brands.size > 0 ? 'against' : 'unknown',
})
