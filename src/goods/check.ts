/** Whether a line of a catalogue file may enter the catalogue. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { compile } from '../validate.ts'
import { cleanLine, cleanText } from './clean.ts'
import { CatalogueLine } from './line.ts'

export type Checked =
  | { readonly line: CatalogueLine, readonly reason?: undefined }
  | { readonly line?: undefined, readonly reason: string }

const isValid = compile(CatalogueLine)

const refused = (reason: string): Checked => ({ reason })

/** Cleans the text first: bounds hold for what will be shown, not for what is thrown away. */
export function checkLine(value: unknown): Checked {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refused('is not an object')
  }
  const given = cleaned(value as Record<string, unknown>)
  if (!isValid(given)) return refused(reasonOf(isValid.errors?.[0]))
  const line = given as unknown as CatalogueLine
  const reason = line.supply === 'own' ? ownProblem(line) : mallProblem(line)
  return reason ? refused(reason) : { line }
}

function ownProblem(line: CatalogueLine): string | undefined {
  if (line.merchant_id === 0) return 'merchant_id must name the merchant of an own item'
  if (line.coupon) return 'coupon is for affiliate supplies: our own price is the price'
  if (line.external_id) return 'external_id is for affiliate supplies'
  return undefined
}

function mallProblem(line: CatalogueLine): string | undefined {
  if (line.merchant_id !== 0) return 'merchant_id must be 0 for an affiliate supply'
  if (line.stock !== undefined) return 'stock is for own items: a mall keeps its own'
  if (!line.external_id) return 'external_id must say which item of the platform it is'
  if (line.coupon && line.coupon.amount >= line.retail_price) {
    return 'coupon must be smaller than the price'
  }
  return undefined
}

/** Not the kind, which is a slug of the taxonomy or nothing. */
const ONE_LINE = ['title', 'brand', 'shop'] as const
const MANY_LINES = ['agent_desc', 'aftersale_rules'] as const

function cleaned(given: Record<string, unknown>): Record<string, unknown> {
  // Object.entries and not a spread assignment: a key `__proto__` stays a key, and is refused.
  const line: Record<string, unknown> = Object.fromEntries(Object.entries(given))
  for (const name of ONE_LINE) line[name] = clean(line[name], cleanLine)
  for (const name of MANY_LINES) line[name] = clean(line[name], cleanText)
  if (line['kind'] === undefined) delete line['kind']
  if (Array.isArray(line['specs'])) {
    line['specs'] = line['specs'].map((spec: unknown) =>
      typeof spec === 'object' && spec !== null
        ? Object.fromEntries(Object.entries(spec)
          .map(([key, text]) => [key, clean(text, cleanLine)]))
        : spec)
  }
  return line
}

const clean = (value: unknown, how: (text: string) => string): unknown =>
  typeof value === 'string' ? how(value) : value

/** Names our own fields only: a foreign name is somebody else's text. */
function reasonOf(error: ErrorObject | undefined): string {
  if (!error) return 'is not valid'
  const where = error.instancePath.slice(1).replaceAll('/', '.')
  const place = where ? `${where} ` : ''
  switch (error.keyword) {
    case 'required': return `${place}lacks ${String(error.params['missingProperty'])}`
    case 'additionalProperties': return `${place}has a field that is not known`
    case 'enum': return `${place}must be one of ${error.params['allowedValues'].join(', ')}`
    case 'pattern': return `${place}does not have the form that it must have`
    default: return `${place}${error.message ?? 'is not valid'}`
  }
}
