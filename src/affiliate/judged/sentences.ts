/** Sentences made from the taxonomy, each with what it wants. */
import { taxonomy, type Kind } from '../../goods/taxonomy.ts'
import { universeProduct, type UniverseProduct } from '../../goods/universe.ts'
import type { Wanted } from './grade.ts'
import { SEED } from './items.ts'

export interface JudgedSentence {
  readonly say: string
  readonly form: string
  readonly wanted: Wanted
}

/** A product that exists, so that every sentence has an answer. */
type Form = (product: UniverseProduct) => Omit<JudgedSentence, 'form'> | null

const shown = ({ attributes }: UniverseProduct) =>
  attributes.filter(({ attribute }) => attribute.in_title)
const kindsOf = ({ kind }: UniverseProduct): string[] => [kind.kind]
const priceFor = ({ basePrice }: UniverseProduct): number => Math.ceil(basePrice * 1.2 / 1000) * 10
const aliasOf = ({ aliases, name_zh }: Kind): string =>
  aliases.find((alias) => /^\p{Script=Han}+$/u.test(alias)
    && [...taxonomy().kinds.values()].filter((one) =>
      one.aliases.includes(alias) || one.name_zh === alias).length === 1) ?? name_zh

const FORMS: Readonly<Record<string, Form>> = {
  'one value': (product) => {
    const [one] = shown(product)
    return one ? { say: `${one.text}的${product.kind.name_zh}`,
      wanted: { kinds: kindsOf(product), values: { [one.attribute.name_zh]: one.text } } } : null
  },
  'two values and a budget': (product) => {
    const [one, other] = shown(product)
    const yuan = priceFor(product)
    return one && other ? {
      say: `${aliasOf(product.kind)} ${one.text} ${other.text} ${yuan}元以内`,
      wanted: { kinds: kindsOf(product), max: yuan * 100, values: {
        [one.attribute.name_zh]: one.text, [other.attribute.name_zh]: other.text } },
    } : null
  },
  'a refused value': (product) => {
    const one = shown(product).find(({ attribute }) =>
      attribute.values?.some((value) => typeof value === 'string'))
    const other = one?.attribute.values?.find((value) => `${value}` !== one.text)
    return one && other !== undefined ? { say: `${product.kind.name_zh} 不要${other}`,
      wanted: { kinds: kindsOf(product), refused: { [one.attribute.name_zh]: `${other}` } } } : null
  },
  'a feature': (product) => ({
    say: `想买个${product.features[0]}的${aliasOf(product.kind)}`,
    wanted: { kinds: kindsOf(product), features: product.features.slice(0, 1) },
  }),
  'english with a budget': (product) => ({
    say: `${product.kind.name_en} under ${priceFor(product)} yuan`,
    wanted: { kinds: kindsOf(product), max: priceFor(product) * 100 },
  }),
  'a brand': (product) => ({
    say: `${product.brand.zh}的${product.kind.name_zh}`,
    wanted: { kinds: kindsOf(product), brand: product.brand.zh },
  }),
  'a model': (product) => product.model === null ? null : {
    say: `${product.brand.latin} ${product.model} ${product.kind.name_zh}`,
    wanted: { kinds: kindsOf(product), model: product.model, brand: product.brand.zh },
  },
  'good quality with a value': (product) => {
    const one = shown(product).at(-1)
    return one ? { say: `质量好的${aliasOf(product.kind)}，要${one.text}`,
      wanted: { kinds: kindsOf(product), values: { [one.attribute.name_zh]: one.text } } } : null
  },
}

/** The forms in turn, over kinds of all categories. */
export function judgedSentences(count: number): JudgedSentence[] {
  const sentences: JudgedSentence[] = []
  const forms = Object.entries(FORMS)
  // A step that is prime to both categories and kinds meets them all.
  for (let index = 0; sentences.length < count; index += 31) {
    const [form, make] = forms[sentences.length % forms.length] as [string, Form]
    const made = make(universeProduct(SEED, index % PRODUCTS))
    // Goods of a kind that differ in nothing that is said make the same sentence.
    if (made && !sentences.some(({ say }) => say === made.say)) sentences.push({ ...made, form })
  }
  return sentences
}

/** About twenty of each kind. */
export const PRODUCTS = 6000
