/** What a title and the fields of an item say of it: what matching and wishes both go by. */
import { masked } from './read/claims.ts'
import { LRUCache } from 'lru-cache'
import type { Item } from '../../adapters/contract.ts'
import { fold } from './fold.ts'
import { type Audience, categoryOf } from '../goods/taxonomy.ts'
import { audiencesIn } from './audience.ts'
import { Alike } from './alike.ts'
import { brandsIn, brandsOfField } from './facts/brands.ts'
import {
  type Appearance, isColour, appearanceIn, isMaterial, materialsIn,
} from './facts/appearance.ts'
import { type Models, modelsIn } from './facts/models.ts'
import { isUsed, productTypeOf } from './facts/product-type.ts'
import {
  alikeModels, alikeSets, alikeTypes, alikeValues, type Noted, readNote, type TitleType,
} from './facts/noted.ts'
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

/** Without it nothing is told by what G is: a gram, or storage. */
const MAY_BE_GRAMS = /\d.{0,3}g(?![a-z])/
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

/** `note` is what was noted of the same title, brand and specification; empty where nothing was. */
export const readFacts = (said: Said, note = ''): Facts =>
  new ReadFacts(saidTextOf(said), said.brand, readNote(note))

/** Facts of goods whose text was kept with what was noted of them. */
export const notedFacts = (text: SaidText, noted: Noted): Facts => new ReadFacts(text, null, noted)

/** All that goods say, folded: title, specification, brand, category, and what else is said. */
export interface SaidText {
  readonly said: string
  /** Where in it the title ends, title and specification, and all that is stated. */
  readonly textEnd: number
  readonly bothEnd: number
  readonly statedEnd: number
}

export function saidTextOf({ title, brand, category, specs = '', prose = '' }: Said): SaidText {
  const text = fold(title).replace(/\s+/g, ' ').trim()
  const both = specs === '' ? text : `${text} ${fold(specs)}`
  const stated = `${both} ${fold(brand ?? '')}`
  return { said: `${stated} ${fold(category ?? '')} ${fold(prose)}`, textEnd: text.length,
    bothEnd: both.length, statedEnd: stated.length }
}

/**
 * A search by one wish asks little of what goods say: each fact is read when it is first asked. A
 * node keeps tens of thousands of these: the texts are parts of one, what many goods say alike is
 * kept once, and nothing that facts were read from is kept.
 */
class ReadFacts implements Facts {
  readonly said: string
  held: HeldValues | undefined = undefined
  /** Asked for where none is noted. */
  private readonly brand: string | null
  private readonly textEnd: number
  private readonly bothEnd: number
  private readonly statedEnd: number
  private type: TitleType | undefined
  private known: ReadonlySet<string> | undefined
  private read: Values | undefined
  private named: Models | undefined
  private appearance: Appearance | undefined = undefined
  private rest: Rest | undefined = undefined

  constructor(
    { said, textEnd, bothEnd, statedEnd }: SaidText, brand: string | null, noted?: Noted,
  ) {
    this.said = said
    this.textEnd = textEnd
    this.bothEnd = bothEnd
    this.statedEnd = statedEnd
    this.brand = brand
    this.type = noted?.type
    this.known = noted?.brands
    this.read = noted?.values
    this.named = noted?.models
  }

  get text() { return this.said.slice(0, this.textEnd) }
  get stated() { return this.said.slice(0, this.statedEnd) }
  get brands() { return this.known ??= this.readBrands() }
  get kinds() { return this.typed.kinds }
  get moreKinds() { return this.others.moreKinds ??= this.readMoreKinds() }
  get isAccessory() { return this.typed.isAccessory }
  get isPart() { return this.typed.isPart }
  get isStuffed() { return this.typed.isStuffed }
  get values() { return this.read ??= this.readValues() }
  get colours() { return this.seen.colours }
  get shades() { return this.seen.shades }
  get materials() { return this.others.materials ??= alikeSets.share(materialsIn(this.both)) }
  get audiences() { return this.others.audiences ??= this.readAudiences() }
  get pack() { return this.others.pack ??= packIn(this.sizesOfTitle.rest) }
  get sizes() { return this.others.sizes ??= sizesOf(this.values) }
  get lead() {
    if (this.others.lead === undefined) this.others.lead = leadOf(this.text, this.kinds)
    return this.others.lead
  }
  get models() { return this.modelNames.models }
  get variants() { return this.modelNames.variants }
  get years() { return this.modelNames.years }
  get isUsed() { return this.others.isUsed ??= isUsed(this.text) }
  get tokens() { return this.others.tokens ??= this.readTokens() }

  /** Title and specification. */
  private get both(): string { return this.said.slice(0, this.bothEnd) }
  private get typed(): TitleType { return this.type ??= this.readType() }
  private get seen(): Appearance {
    return this.appearance ??= alikeAppearances.share(appearanceIn(this.both))
  }
  private get others(): Rest { return this.rest ??= {} }
  private get modelNames(): Models { return this.named ??= this.readModels() }

  private get sizesOfTitle() { return this.sizesIn(this.text) }

  private sizesIn(text: string) {
    // What the goods are takes as long to read as all their sizes.
    return sizesIn(text, MAY_BE_GRAMS.test(text) && this.isDevice)
  }

  private get isDevice(): boolean {
    return DEVICE.test(this.text) || [...this.kinds.keys()].some((kind) =>
      DEVICES.has(categoryOf(kind)))
  }

  private readType(): TitleType {
    const { isAccessory, isPart, isStuffed, head } = typeIn(this.text)
    return alikeTypes.share({ isAccessory, isPart, isStuffed,
      kinds: new Map(isStuffed ? [] : head?.senses.map(({ kind, weight }) => [kind, weight])) })
  }

  private readMoreKinds(): readonly string[] {
    return typeIn(this.text).names.flatMap(({ senses }) => senses.map(({ kind }) => kind))
  }

  private readBrands(): ReadonlySet<string> {
    const fields = brandsOfField(this.brand)
    const others = brandsIn(this.text).map(({ key }) => key).filter((key) => !fields.includes(key))
    // What a case is for is not its brand.
    const isFor = fields.length > 0 && others.length > 0 && this.isAccessory
    return alikeSets.share(new Set(isFor ? fields : [...fields, ...others]))
  }

  private readModels(): Models {
    return alikeModels.share(modelsIn(this.sizesOfTitle.rest, brandsIn(this.text)))
  }

  private readValues(): Values {
    return alikeValues.share(this.sizesIn(this.both).values)
  }

  private readAudiences(): readonly Audience[] {
    return alikeAudiences.share(audiencesOf(this.text, this.both.slice(this.textEnd + 1)))
  }

  private readTokens(): ReadonlySet<string> {
    // Sizes of the title alone, whatever the specification says.
    const { values, rest } = this.sizesOfTitle
    return tokensOf(rest, sizesOf(values))
  }
}

/** 叮壳 is a brand that sells no case. */
const typeIn = (text: string) => productTypeOf(masked(text, brandsIn(text)))

/** What few searches ask of their goods. */
interface Rest {
  materials?: ReadonlySet<string>
  audiences?: readonly Audience[]
  pack?: Pack
  sizes?: Sizes
  lead?: string | null
  moreKinds?: readonly string[]
  isUsed?: boolean
  tokens?: ReadonlySet<string>
}

const alikeAudiences = new Alike((audiences: readonly Audience[]) => audiences.join('|'))
const alikeAppearances = new Alike(({ colours, shades }: Appearance) =>
  `${[...colours].join('|')}/${[...shades].join('|')}`)

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
