/** Whether a sentence puts goods with the values that it asks for before all others. */
import { taxonomy, valuesOf, type Attribute, type KnownKind } from '../../goods/taxonomy.ts'
import { readFacts } from '../facts.ts'
import { fitOf, planOf, type Plan } from '../fit.ts'
import { understand } from '../understand.ts'

export interface Said {
  readonly kind: string
  readonly attribute: string
  /** What the sentence asks for. */
  readonly values: readonly string[]
  /** What would do as well. */
  readonly also?: readonly string[]
  readonly say: string
}

function written(attribute: Attribute, value: string | number | undefined): string {
  const { unit = '' } = attribute
  return String(value).endsWith(unit) ? String(value) : `${value}${unit}`
}

/** How well goods fit that have this value, and of all else the first; -1 where refused. */
function fitOfValue(plan: Plan, kind: KnownKind, attribute: Attribute, value: string): number {
  const specs = kind.attributes.map((one) =>
    one === attribute ? value : written(one, valuesOf(one)[0])).join(' ')
  const facts = readFacts({ title: `${kind.name_zh} ${specs}`, brand: null, category: null, specs })
  const fit = fitOf(plan, facts, kind.kind)
  return fit === undefined ? -1 : fit.value * 10 + fit.rank
}

export function comeFirst(
  { kind: name, attribute: called, values, also = [], say }: Said,
): boolean {
  const kind = taxonomy().kinds.get(name)
  const attribute = kind?.attributes.find(({ name_zh }) => name_zh === called)
  if (!kind || !attribute) throw new Error(`${name} has no attribute ${called}.`)
  const all = valuesOf(attribute)
  const known = (value: string): boolean =>
    all.some((one) => String(one) === value || written(attribute, one) === value)
  if (!values.every(known)) throw new Error(`${name} has no value ${values.join(' or ')}.`)
  const understood = understand(say)
  if (understood.kinds[0]?.value !== name) return false
  const plan = planOf(understood)
  const wanted: number[] = []
  const others: number[] = [-1]
  for (const value of all) {
    const text = written(attribute, value)
    const isOf = (list: readonly string[]): boolean =>
      list.includes(text) || list.includes(String(value))
    if (isOf(also)) continue
    ;(isOf(values) ? wanted : others).push(fitOfValue(plan, kind, attribute, text))
  }
  return Math.min(...wanted) > Math.max(...others)
}
