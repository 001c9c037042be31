/** What a title and the fields of an item say of it: what matching and wishes both go by. */
import { masked } from './read/claims.ts'
import { LRUCache } from 'lru-cache'
import type { Item } from '../../adapters/contract.ts'
import { fold } from './fold.ts'
import { type Audience, categoryOf } from '../goods/taxonomy.ts'
import { audiencesIn } from './audience.ts'
import { brandsIn, brandsOfField, type FoundBrand } from './facts/brands.ts'
import {
  type Appearance, isColour, appearanceIn, isMaterial, materialsIn,
} from './facts/appearance.ts'
import { type Models, modelsIn } from './facts/models.ts'
import { isUsed, productTypeOf } from './facts/product-type.ts'
import { packIn, type Pack } from './facts/packs.ts'
import { sizesIn, sizesOf, type Sizes, type Values } from './facts/sizes.ts'
import { DEVICES } from './profile.ts'
import { namesIn } from './read/names.ts'

/** What goods of a kind hold of its values, by the places of the attributes that were asked for. */
export interface HeldValues {
  readonly kind: string
  readonly sets: ReadonlySet<string>[]
  /** As goods of another kind. */
  readonly before: HeldValues | undefined
}

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
  /** Read by `held-values.ts` and kept here. */
  held: HeldValues | undefined
}

const DEVICE = /内存|固态|手机|电脑|笔记本|平板|存储|闪存|u盘|iphone|ipad|galaxy|硬盘|\d ?\+ ?\d+ ?g/

export type Said = Pick<Item, 'title' | 'brand' | 'category'> & {
  /** Values of its specification. */
  readonly specs?: string
  /** What its description says besides; made when it is first asked for, where that takes time. */
  readonly prose?: string | (() => string)
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

export const readFacts = (said: Said): Facts => new ReadFacts(said)

/** A search by one wish asks little of what goods say: each fact is read when it is first asked. */
class ReadFacts implements Facts {
  readonly text: string
  held: HeldValues | undefined
  private readonly brand: string | null
  private readonly category: string | null
  private readonly specs: string
  private prose: Said['prose']
  private readonly read: { -readonly [Name in keyof Facts]?: Facts[Name] } = {}
  private foundBrands: readonly FoundBrand[] | undefined
  private withoutSizes = ''

  constructor({ title, brand, category, specs = '', prose }: Said) {
    this.text = fold(title).replace(/\s+/g, ' ').trim()
    this.brand = brand
    this.category = category
    this.specs = fold(specs)
    this.prose = prose
  }

  get said() { return this.read.said ??= this.readSaid() }
  get stated() { return this.read.stated ??= `${this.both} ${fold(this.brand ?? '')}` }
  get brands() { return this.read.brands ??= this.readBrands() }
  get lead() {
    if (this.read.lead === undefined) this.read.lead = leadOf(this.text, this.kinds)
    return this.read.lead
  }
  get models() { return this.read.models ?? this.readModels().models }
  get variants() { return this.read.variants ?? this.readModels().variants }
  get years() { return this.read.years ?? this.readModels().years }
  get kinds() { return this.read.kinds ?? this.readType().kinds }
  get moreKinds() { return this.read.moreKinds ?? this.readType().moreKinds }
  get isAccessory() { return this.read.isAccessory ?? this.readType().isAccessory }
  get isPart() { return this.read.isPart ?? this.readType().isPart }
  get isStuffed() { return this.read.isStuffed ?? this.readType().isStuffed }
  get sizes() { return this.read.sizes ??= sizesOf(this.values) }
  get values() { return this.read.values ?? this.readValues() }
  get pack() { return this.read.pack ??= packIn(this.rest) }
  get colours() { return this.read.colours ?? this.readAppearance().colours }
  get shades() { return this.read.shades ?? this.readAppearance().shades }
  get materials() { return this.read.materials ??= materialsIn(this.both) }
  get audiences() { return this.read.audiences ??= audiencesOf(this.text, this.specs) }
  get isUsed() { return this.read.isUsed ??= isUsed(this.text) }
  get tokens() { return this.read.tokens ??= this.readTokens() }

  /** Title and specification. */
  private get both(): string { return this.specs === '' ? this.text : `${this.text} ${this.specs}` }

  private get found(): readonly FoundBrand[] { return this.foundBrands ??= brandsIn(this.text) }

  /** The title without its sizes. */
  private get rest(): string {
    if (this.read.values === undefined) this.readValues()
    return this.withoutSizes
  }

  private readSaid(): string {
    const { brand, category, prose = '' } = this
    // What was read takes less than what it was read from.
    this.prose = undefined
    return [this.both, fold(brand ?? ''), fold(category ?? ''),
      fold(typeof prose === 'string' ? prose : prose())].join(' ')
  }

  private readBrands(): ReadonlySet<string> {
    const fields = brandsOfField(this.brand)
    // What a case is for is not its brand.
    return new Set([...fields, ...this.isAccessory && fields.length > 0 ? []
      : this.found.map(({ key }) => key)])
  }

  private readModels(): Models {
    const models = modelsIn(this.rest, this.found)
    Object.assign(this.read, models)
    return models
  }

  private readType(): Type {
    // 叮壳 is a brand that sells no case.
    const { isAccessory, isPart, isStuffed, head, names } =
      productTypeOf(masked(this.text, this.found))
    const type: Type = {
      isAccessory, isPart, isStuffed,
      kinds: new Map(isStuffed ? [] : head?.senses.map(({ kind, weight }) => [kind, weight])),
      moreKinds: names.flatMap(({ senses }) => senses.map(({ kind }) => kind)),
    }
    Object.assign(this.read, type)
    return type
  }

  private get isDevice(): boolean {
    return DEVICE.test(this.text) || [...this.kinds.keys()].some((kind) =>
      DEVICES.has(categoryOf(kind)))
  }

  private readValues(): Values {
    const { isDevice } = this
    const ofTitle = sizesIn(this.text, isDevice)
    this.withoutSizes = ofTitle.rest
    return this.read.values = this.specs === '' ? ofTitle.values
      : sizesIn(this.both, isDevice).values
  }

  private readAppearance(): Appearance {
    const appearance = appearanceIn(this.both)
    Object.assign(this.read, appearance)
    return appearance
  }

  private readTokens(): ReadonlySet<string> {
    // Sizes of the title alone, whatever the specification says.
    const { values, rest } = sizesIn(this.text, this.isDevice)
    return tokensOf(rest, sizesOf(values))
  }
}

type Type = Pick<Facts, 'isAccessory' | 'isPart' | 'isStuffed' | 'kinds' | 'moreKinds'>

/** 适用性别 says it; a title also names whom one could give it to. */
function audiencesOf(text: string, specs: string): Audience[] {
  const said = audiencesIn(specs)
  return [...new Set((said.length > 0 ? said : audiencesIn(text)).map(({ audience }) => audience))]
}

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
