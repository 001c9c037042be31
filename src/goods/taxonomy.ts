/** The taxonomy in config/taxonomy: what kinds of goods there are, and what is true of them. */
import { readdirSync } from 'node:fs'
import { Type, type Static } from 'typebox'
import { ConfigError, readConfigFile } from '../config.ts'
import { prepared } from '../language/prepared.ts'
import { checkConfigFile } from '../validate.ts'
import { CLOSED } from '../contract/fields.ts'

const FOLDER = new URL('../../config/taxonomy/', import.meta.url)

const Word = Type.String({ minLength: 1, maxLength: 60 })
/** A need takes more words. */
const Need = Type.String({ minLength: 1, maxLength: 80 })
const Slug = Type.String({ pattern: '^[a-z][a-z0-9_]{1,58}$' })

export const AUDIENCES = ['men', 'women', 'boys', 'girls', 'kids', 'baby', 'elderly', 'pregnant',
  'cat', 'dog'] as const
export type Audience = (typeof AUDIENCES)[number]

const Attribute = Type.Object({
  name_zh: Word,
  name_en: Word,
  /** As written in titles: L, W, mAh, 克. */
  unit: Type.Optional(Word),
  /** Either the values there are, or a numeric range. */
  values: Type.Optional(Type.Array(Type.Union([Type.Number(), Word]), { minItems: 1 })),
  range: Type.Optional(Type.Object({
    min: Type.Number(), max: Type.Number(), step: Type.Number({ exclusiveMinimum: 0 }),
  }, CLOSED)),
  /** Values that shoppers ask for most: more goods have them. */
  popular: Type.Optional(Type.Array(Type.Union([Type.Number(), Word]), { minItems: 1 })),
  in_title: Type.Boolean(),
  /** What differs between the variants of one product: colour, size. */
  variant: Type.Optional(Type.Boolean()),
  /** Which value anybody would rather have, where that is agreed: more mAh, fewer decibels. */
  better: Type.Optional(Type.Union([Type.Literal('high'), Type.Literal('low')])),
  /** 0..1: how far a higher or later value moves the price up its range. */
  price_weight: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
}, CLOSED)

const Kind = Type.Object({
  kind: Slug,
  /** The noun that ends a title. */
  name_zh: Word,
  name_en: Word,
  /** Other names of the same thing. */
  aliases: Type.Array(Word, { minItems: 1 }),
  /** What else people call it: dialect, trade and old words. No description has them. */
  other_names: Type.Optional(Type.Array(Word)),
  /** Names of other goods, which nobody sells here and which it comes nearest: 沙发套 of a 沙发垫. */
  near_names: Type.Optional(Type.Array(Word)),
  /** Wider words for which it is one right answer among several: 灯, snack. */
  broader: Type.Optional(Type.Array(Word)),
  /** How people tell what they need it for, without its name. */
  needs: Type.Optional(Type.Array(Need)),
  /** Whom the whole kind is for. */
  audience: Type.Optional(Type.Union(AUDIENCES.map((one) => Type.Literal(one)))),
  /** Kinds of which it is an accessory, a part or a consumable. */
  parts_of: Type.Optional(Type.Array(Slug)),
  /** Whom it is typically given to: mother, boy, colleague. */
  gift_for: Type.Optional(Type.Array(Word)),
  /** Fen. */
  price: Type.Object({
    min: Type.Integer({ minimum: 100 }), max: Type.Integer({ minimum: 100 }),
  }, CLOSED),
  /** `#` is a digit and `@` a capital letter; null for goods that have no model. */
  model: Type.Union([Word, Type.Null()]),
  attributes: Type.Array(Attribute, { minItems: 2, maxItems: 8 }),
  features: Type.Array(Word, { minItems: 8 }),
  scenes: Type.Array(Word, { minItems: 3 }),
  packs: Type.Optional(Type.Array(Word, { minItems: 1 })),
  ship_within_hours: Type.Array(Type.Integer({ minimum: 1, maximum: 720 }), { minItems: 1 }),
}, CLOSED)

const Brand = Type.Object({
  zh: Word,
  latin: Word,
  tier: Type.Union([Type.Literal('budget'), Type.Literal('mid'), Type.Literal('premium')]),
}, CLOSED)

const Category = Type.Object({
  category_id: Type.Integer({ minimum: 1, maximum: 24 }),
  name_zh: Word,
  name_en: Word,
  aftersale_rules: Type.String({ minLength: 10, maxLength: 200 }),
  brands: Type.Array(Brand, { minItems: 14 }),
  /** Real brands by which shoppers ask, and which nobody sells here; each with all its names. */
  other_brands: Type.Optional(Type.Array(Type.Array(Word, { minItems: 1 }))),
  /** Names that stand for a brand and a kind at once: ipad. */
  product_lines: Type.Optional(Type.Record(Word, Type.Object({ brand: Word, kind: Slug }, CLOSED))),
  /** A value of an attribute → what else people call it. */
  value_names: Type.Optional(Type.Record(Word, Type.Array(Word, { minItems: 1 }))),
  /** How shoppers ask for values and features, in their words: 两头都能插. */
  value_phrases: Type.Optional(Type.Record(Word, Type.Array(Word, { minItems: 1 }))),
  kinds: Type.Array(Kind, { minItems: 12 }),
}, CLOSED)

export type Attribute = Static<typeof Attribute>
export type Kind = Static<typeof Kind>
export type Brand = Static<typeof Brand>
export type Category = Static<typeof Category>

export type KnownKind = Omit<Kind, 'needs'> & {
  readonly category_id: number
  /** In its file, which names the commonest first. */
  readonly place: number
}

/** Phrases of shoppers are half of the files, and nothing that a process reads of them twice. */
type KnownCategory = Omit<Category, 'kinds' | 'value_names' | 'value_phrases'> & {
  readonly kinds: readonly Omit<Kind, 'needs'>[]
}

export interface Taxonomy {
  /** In the order of category_id, from 1. */
  readonly categories: readonly KnownCategory[]
  readonly kinds: ReadonlyMap<string, KnownKind>
}

let loaded: Taxonomy | undefined

/** Read once. Whoever starts the service checks it; each node takes it as it is. */
export function taxonomy(): Taxonomy {
  if (loaded) return loaded
  const ofBuild = prepared<Uint8Array | null>('taxonomy', () => null)
  const categories = ofBuild === null ? wholeCategories()
    : JSON.parse(Buffer.from(ofBuild).toString()) as KnownCategory[]
  const kinds = new Map(categories.flatMap(({ category_id, kinds: list }) =>
    list.map((kind, place): [string, KnownKind] =>
      [kind.kind, { ...kind, category_id, place }])))
  return loaded = { categories, kinds }
}

/** As JSON, of which a process keeps equal short texts once. */
export const makeTaxonomy = (): Uint8Array => Buffer.from(JSON.stringify(wholeCategories(),
  (name, value: unknown) => PHRASES.has(name) ? undefined : value))

const PHRASES: ReadonlySet<string> = new Set(['needs', 'value_names', 'value_phrases'])

let whole: readonly Category[] | undefined

/** All that the files say, for what a build is made of. */
export const wholeCategories = (): readonly Category[] => whole ??= readCategories()

const readCategories = (): Category[] => taxonomyFiles().map((file) =>
  readConfigFile(`taxonomy/${file}`) as Category)

/** The category_id of a kind; 0 of none that is known. */
export const categoryOf = (kind: string): number => taxonomy().kinds.get(kind)?.category_id ?? 0

let partsByWhole: ReadonlyMap<string, readonly string[]> | undefined

/** Kinds that are parts or accessories of any of these. */
export function partsOf(wholes: Iterable<string>): ReadonlySet<string> {
  const known = partsByWhole ??= readParts(taxonomy().kinds.values())
  return new Set([...wholes].flatMap((whole) => known.get(whole) ?? []))
}

function readParts(kinds: Iterable<KnownKind>): ReadonlyMap<string, readonly string[]> {
  const parts = new Map<string, string[]>()
  for (const { kind, parts_of = [] } of kinds) {
    for (const whole of parts_of) {
      const others = parts.get(whole) ?? []
      others.push(kind)
      parts.set(whole, others)
    }
  }
  return parts
}

/** A mistake in a file stops the start with one sentence. */
export function checkTaxonomy(): void {
  const files = taxonomyFiles()
  const known = new Set<string>()
  for (const [index, category] of readCategories().entries()) {
    checkConfigFile(`taxonomy/${files[index]}`, Category, category)
    if (category.category_id !== index + 1) {
      throw new ConfigError(`config/taxonomy/${files[index]}: category_id must be ${index + 1}.`)
    }
    for (const { kind, attributes } of category.kinds) {
      if (known.has(kind)) throw new ConfigError(`config/taxonomy: ${kind} is there twice.`)
      known.add(kind)
      for (const attribute of attributes) {
        const { name_en, values, range, popular = [] } = attribute
        if (Boolean(values) === Boolean(range)) {
          throw new ConfigError(`config/taxonomy: ${kind}.${name_en} needs values or a range.`)
        }
        const all = valuesOf(attribute)
        const unknown = popular.find((value) => !all.includes(value))
        if (unknown !== undefined) {
          throw new ConfigError(`config/taxonomy: ${kind}.${name_en} has no value ${unknown}.`)
        }
      }
    }
  }
}

const taxonomyFiles = (): string[] =>
  readdirSync(FOLDER).filter((name) => name.endsWith('.json')).toSorted()

/** Every value that an attribute can have, in the order in which they rise. */
export function valuesOf({ values, range }: Attribute): readonly (string | number)[] {
  if (values) return values
  if (!range) return []
  const steps = Math.floor((range.max - range.min) / range.step + 1e-9)
  return Array.from({ length: steps + 1 }, (_, step) =>
    Number((range.min + step * range.step).toFixed(4)))
}
