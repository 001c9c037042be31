/** What a title and the fields of an item say of it: what matching and wishes both go by. */
import { masked } from './read/claims.ts'
import { LRUCache } from 'lru-cache'
import type { Item } from '../../adapters/contract.ts'
import { fold } from './fold.ts'
import { taxonomy, type Audience } from '../goods/taxonomy.ts'
import { audiencesIn } from './audience.ts'
import { brandsIn, brandsOfField, type FoundBrand } from './facts/brands.ts'
import { isColour, appearanceIn, isMaterial, materialsIn } from './facts/appearance.ts'
import { modelsIn } from './facts/models.ts'
import { isUsed, productTypeOf } from './facts/product-type.ts'
import { packIn, type Pack } from './facts/packs.ts'
import { sizesIn, type Sizes, type Values } from './facts/sizes.ts'
import { DEVICES } from './profile.ts'
import { namesIn } from './read/names.ts'

export interface Facts {
  /** The title, folded. */
  readonly text: string
  /** Title, brand and category, folded: where a wish is looked for. */
  readonly said: string
  /** Title, specification and brand: what is refused is looked for in no prose. */
  readonly stated: string
  readonly brands: ReadonlySet<string>
  /** The first word, where it may be a brand that no list has. */
  readonly lead: string | null
  readonly models: ReadonlySet<string>
  readonly variants: ReadonlySet<string>
  readonly years: ReadonlySet<string>
  /** Kind → how surely the title's noun names it, 0..1. */
  readonly kinds: ReadonlyMap<string, number>
  /** Of the other names in the title. */
  readonly moreKinds: readonly string[]
  readonly sizes: Sizes
  readonly values: Values
  readonly pack: Pack
  readonly colours: ReadonlySet<string>
  readonly shades: ReadonlySet<string>
  readonly materials: ReadonlySet<string>
  readonly audiences: readonly Audience[]
  readonly isAccessory: boolean
  readonly isPart: boolean
  readonly isUsed: boolean
  /** Names goods of many shelves: what it sells nobody knows. */
  readonly isStuffed: boolean
  /** Words, sizes and pairs of characters, for how alike two titles are. */
  readonly tokens: ReadonlySet<string>
}

const DEVICE = /内存|固态|手机|电脑|笔记本|平板|存储|闪存|u盘|iphone|ipad|galaxy|硬盘|\d ?\+ ?\d+ ?g/

export type Said = Pick<Item, 'title' | 'brand' | 'category'> & {
  /** Values of its specification. */
  readonly specs?: string
  /** What its description says besides. */
  readonly prose?: string
}

/** The same goods come again and again; reading one costs a tenth of a millisecond. */
const KNOWN_MAX = 5000
const known = new LRUCache<string, Facts>({ max: KNOWN_MAX })

/** A pure function of the three fields. */
export function factsOf(said: Said): Facts {
  const { title, brand, category, specs = '' } = said
  const key = `${title}\n${brand ?? ''}\n${category ?? ''}\n${specs}`
  const found = known.get(key) ?? readFacts(said)
  known.set(key, found)
  return found
}

export function readFacts({ title, brand, category, specs = '', prose = '' }: Said): Facts {
  const text = fold(title).replace(/\s+/g, ' ').trim()
  const found = brandsIn(text)
  // 叮壳 is a brand that sells no case.
  const { isAccessory, isPart, isStuffed, head, names } = productTypeOf(withoutBrands(text, found))
  const kinds = new Map(isStuffed ? [] : head?.senses.map(({ kind, weight }) => [kind, weight]))
  const isDevice = DEVICE.test(text) || [...kinds.keys()].some((kind) =>
    DEVICES.has(taxonomy().kinds.get(kind)?.category_id ?? 0))
  const { sizes, values, rest } = sizesIn(text, isDevice)
  const both = specs === '' ? text : `${text} ${fold(specs)}`
  const fields = brandsOfField(brand)
  return {
    text,
    said: [both, fold(brand ?? ''), fold(category ?? ''), fold(prose)].join(' '),
    stated: `${both} ${fold(brand ?? '')}`,
    // What a case is for is not its brand.
    brands: new Set([...fields, ...isAccessory && fields.length > 0 ? []
      : found.map(({ key }) => key)]),
    ...modelsIn(rest, found),
    kinds, isAccessory, isPart, isStuffed,
    ...specs === '' ? { sizes, values } : valuesOf(both, isDevice),
    audiences: audiencesOf(text, fold(specs)),
    moreKinds: names.flatMap(({ senses }) => senses.map(({ kind }) => kind)),
    lead: leadOf(text, kinds),
    pack: packIn(rest),
    ...appearanceIn(both),
    materials: materialsIn(both),
    isUsed: isUsed(text),
    tokens: tokensOf(rest, sizes),
  }
}

/** 适用性别 says it; a title also names whom one could give it to. */
function audiencesOf(text: string, specs: string): Audience[] {
  const said = audiencesIn(specs)
  return [...new Set((said.length > 0 ? said : audiencesIn(text)).map(({ audience }) => audience))]
}

function valuesOf(text: string, isDevice: boolean): Pick<Facts, 'sizes' | 'values'> {
  const { sizes, values } = sizesIn(text, isDevice)
  return { sizes, values }
}

const withoutBrands = (text: string, brands: readonly FoundBrand[]): string =>
  masked(text, brands)

function leadOf(text: string, kinds: ReadonlyMap<string, number>): string | null {
  const [word = ''] = /^\p{Script=Han}{2,6}(?= )/u.exec(text) ?? []
  const isName = namesIn(word).length > 0 && kinds.size > 0
  return word === '' || isName || isMaterial(word) || isColour(word) ? null : word
}

const TOKENS = /[a-z0-9]+(?:\.[0-9]+)?|\p{Script=Han}+/gu

/** `rest` is without the sizes, which are the same in every unit. */
function tokensOf(rest: string, sizes: Sizes): Set<string> {
  const tokens = new Set([...sizes].flatMap(([unit, values]) =>
    [...values].map((value) => `${value} ${unit}`)))
  for (const [run] of rest.matchAll(TOKENS)) {
    if (/^[a-z0-9]/.test(run) || run.length === 1) tokens.add(run)
    else for (let at = 0; at + 1 < run.length; at += 1) tokens.add(run.slice(at, at + 2))
  }
  return tokens
}
