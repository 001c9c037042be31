/** Input checking: one compiled schema an operation, and problems said in our own words. */
import addFormats from 'ajv-formats'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TSchema } from 'typebox'
import { ConfigError, readConfigFile } from './config.ts'
import { Refusal, type FieldProblem } from './contract/errors.ts'

const PROBLEMS_MAX = 20
const PATH_LENGTH_MAX = 80
/** Deeper values than any schema has are refused as unknown fields; no need to walk them. */
const TEXT_DEPTH_MAX = 6

/** Fields by which clients try to state what the server computes. */
const COMPUTED = new Set([
  'price', 'unit_price', 'retail_price', 'final_price', 'amount', 'goods_amount', 'total',
  'grand_total', 'payable', 'freight', 'discount', 'status', 'order_no', 'commission',
])

/** Where the values of a field are listed, for who sends one that is none. */
const LISTED_AT: Readonly<Record<string, string>> = {
  category_id: ': GET /v1/categories lists them',
}

export function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true, useDefaults: true, strict: true, ownProperties: true,
    keywords: ['secret', 'restOnly'],
    // An error then knows its schema, and the example that stands there.
    verbose: true,
  })
  // The package's CommonJS default export, as ESM sees it.
  ;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  return ajv
}

const ajv = createAjv()
const compiled = new WeakMap<TSchema, ValidateFunction>()

export function compile(schema: TSchema): ValidateFunction {
  const known = compiled.get(schema)
  if (known) return known
  const check = ajv.compile(schema)
  compiled.set(schema, check)
  return check
}

/** A mistake in a file of `config` stops the start with one sentence. */
export function checkConfigFile(
  name: string, schema: TSchema, content: unknown = readConfigFile(name),
): void {
  const [problem] = problemsOf(schema, content)
  if (problem) throw new ConfigError(`config/${name}: ${problem.path} ${problem.problem}.`)
}

/**
 * All problems of the input; fills in defaults. An empty list means that it fits. `reader` is the
 * name of an operation that only reads, whose fields are filters.
 */
export function problemsOf(schema: TSchema, input: unknown, reader?: string): FieldProblem[] {
  const check = compile(schema)
  const problems: FieldProblem[] = []
  try {
    if (!check(input)) problems.push(...problemsFrom(check.errors ?? [], reader))
  } catch {
    // Comparing entries of a list calls their toString, which a caller may have set to null.
    problems.push({ path: '', problem: 'has an object where none is taken' })
  }
  textProblems(input, [], problems)
  problems.push(...blankProblems(schema, input))
  return unique(problems).slice(0, PROBLEMS_MAX)
}

/** Required texts that may not be empty, by their schema. */
const requiredTexts = new WeakMap<TSchema, readonly string[]>()

function requiredTextsOf(schema: TSchema): readonly string[] {
  const known = requiredTexts.get(schema)
  if (known) return known
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, { readonly minLength?: number }>, required?: readonly string[]
  }
  const found = required.filter((name) => properties[name]?.minLength === 1)
  requiredTexts.set(schema, found)
  return found
}

/** Spaces alone are as little as nothing: no query can be asked for by them. */
function blankProblems(schema: TSchema, input: unknown): FieldProblem[] {
  if (typeof input !== 'object' || input === null) return []
  return requiredTextsOf(schema).flatMap((name) => {
    const value = (input as Record<string, unknown>)[name]
    return typeof value === 'string' && value !== '' && value.trim() === ''
      ? [{ path: name, problem: 'must not be blank' }] : []
  })
}

/** What hosts and generated clients send in a field that is left out. */
const BLANKS = { null: null, text: '', list: [] } as const
type Blank = keyof typeof BLANKS
/** Optional fields of a schema, each with the blanks that are values of it. */
const optionals = new WeakMap<TSchema, ReadonlyMap<string, ReadonlySet<Blank>>>()

/**
 * Hosts that send every field fill what they leave out with null, "" or []: each is as absent,
 * unless it is a value of the field. What changes is a copy.
 */
export function withoutBlanks(schema: TSchema, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || settled.has(input)) return input
  const blank = new Set<string>()
  for (const [name, taken] of optionalsOf(schema)) {
    const kind = blankOf((input as Record<string, unknown>)[name])
    if (kind !== undefined && !taken.has(kind)) blank.add(name)
  }
  if (blank.size === 0) return input
  return Object.fromEntries(Object.entries(input).filter(([name]) => !blank.has(name)))
}

function blankOf(value: unknown): Blank | undefined {
  if (value === null) return 'null'
  if (value === '') return 'text'
  return Array.isArray(value) && value.length === 0 ? 'list' : undefined
}

function optionalsOf(schema: TSchema): ReadonlyMap<string, ReadonlySet<Blank>> {
  const known = optionals.get(schema)
  if (known) return known
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, TSchema>, required?: readonly string[]
  }
  const found = new Map(Object.entries(properties).filter(([name]) => !required.includes(name))
    .map(([name, property]) => {
      const takes = compile({ ...property, default: undefined })
      const taken = (Object.keys(BLANKS) as Blank[]).filter((blank) => takes(BLANKS[blank]))
      return [name, new Set(taken)]
    }))
  optionals.set(schema, found)
  return found
}

/** What fits, and cannot change any more. */
const settled = new WeakMap<object, TSchema>()

/** Checks an input that is going to be used many times: from then on it is frozen. */
export function settle<T extends object>(schema: TSchema, input: T): Readonly<T> {
  assertValid(schema, input)
  settled.set(Object.freeze(input), schema)
  return input
}

/** Refuses with every problem at once. */
export function assertValid(schema: TSchema, input: unknown, reader?: string): void {
  if (settled.get(input as object) === schema) return
  const fields = problemsOf(schema, input, reader)
  if (fields.length === 0) return
  const keyOnly = fields.every((field) => field.path === 'idempotency_key')
  throw new Refusal(keyOnly ? 'idempotency_key_required' : 'invalid_request', { fields })
}

/** Of a field that takes several forms all are named at once, and that none fits is not said. */
function problemsFrom(errors: readonly ErrorObject[], reader?: string): FieldProblem[] {
  return errors.flatMap((error) => {
    const { keyword, instancePath } = error
    const others = errors.filter((other) => other.instancePath === instancePath)
    if (keyword === 'anyOf') return others.length > 1 ? [] : [toProblem(error, reader)]
    if (keyword !== 'pattern') return [toProblem(error, reader)]
    const forms = others.filter((other) => other.keyword === 'pattern')
    return forms[0] === error ? [{ path: join(placeOf(error)), problem: formProblem(forms) }] : []
  })
}

const placeOf = ({ instancePath }: ErrorObject): string[] =>
  instancePath.split('/').slice(1).map(unescapePointer)

function formProblem(errors: readonly ErrorObject[]): string {
  const [words, examples] = [wordsOf(errors), examplesOf(errors)]
  return `does not have the right form${words && ` (${words})`}${
    examples && `, such as ${examples}`}`
}

/** What the schema says of the field: only there does it stand what it is. */
const wordsOf = (errors: readonly ErrorObject[]): string =>
  listed(errors.map(({ parentSchema }) => parentSchema?.['description'] as string | undefined))

const examplesOf = (errors: readonly ErrorObject[]): string =>
  listed(errors.map(({ parentSchema = {} }) => parentSchema['secret'] === true ? undefined
    : (parentSchema['examples'] as readonly string[] | undefined)?.[0]))

const listed = (texts: readonly (string | undefined)[]): string =>
  [...new Set(texts.filter((text) => text !== undefined))].join(' or ')

function toProblem(error: ErrorObject, reader?: string): FieldProblem {
  const at = placeOf(error)
  const params = error.params as Record<string, unknown>
  switch (error.keyword) {
    case 'required':
      return { path: join(at, params['missingProperty']), problem: 'is required' }
    case 'additionalProperties': {
      const name = String(params['additionalProperty'])
      return { path: join(at, name), problem: unknownProblem(name, error, reader) }
    }
    case 'minProperties': case 'maxProperties': {
      const names = Object.keys(error.parentSchema?.['properties'] as object)
      return { path: join(at), problem: `must have exactly one of ${names.join(', ')}` }
    }
    case 'format': {
      const examples = examplesOf([error])
      return { path: join(at), problem: `must be a valid ${String(params['format'])}${
        examples && `, such as ${examples}`}` }
    }
    default:
      return {
        path: join(at),
        problem: `${sentence(error.keyword, params)}${LISTED_AT[at.at(-1) ?? ''] ?? ''}`,
      }
  }
}

function unknownProblem(name: string, { parentSchema }: ErrorObject, reader?: string): string {
  if (!COMPUTED.has(name)) return 'is not a known field'
  if (reader === undefined) return 'is computed by the server: leave it out'
  const names = Object.keys((parentSchema?.['properties'] ?? {}) as object)
  return `is no filter of ${reader}${names.length > 0 ? `, which takes ${names.join(', ')}` : ''}`
}

function sentence(keyword: string, params: Record<string, unknown>): string {
  const limit = String(params['limit'])
  switch (keyword) {
    case 'type': return `must be ${article(String(params['type']))}`
    case 'minimum': return `must be at least ${limit}`
    case 'maximum': return `must be at most ${limit}`
    case 'minLength':
      return limit === '1' ? 'must not be empty' : `needs at least ${limit} characters`
    case 'maxLength': return `may have at most ${limit} characters`
    case 'minItems': return `needs at least ${limit} entries`
    case 'maxItems': return `may have at most ${limit} entries`
    case 'uniqueItems': return 'has an entry twice'
    case 'enum': return `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`
    default: return 'is not valid'
  }
}

const article = (type: string): string =>
  type.split(',').map((one) => (/^[aeiou]/.test(one) ? `an ${one}` : `a ${one}`)).join(' or ')

/** Control characters and lone surrogates have no business in any text that callers send. */
function textProblems(value: unknown, at: string[], found: FieldProblem[]): void {
  if (found.length > PROBLEMS_MAX || at.length > TEXT_DEPTH_MAX) return
  if (typeof value === 'string') {
    if (hasControl(value)) {
      found.push({ path: join(at), problem: 'must not have control characters' })
    } else if (!value.isWellFormed()) {
      found.push({ path: join(at), problem: 'must be valid Unicode' })
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value).slice(0, 100)) {
      at.push(name)
      textProblems((value as Record<string, unknown>)[name], at, found)
      at.pop()
    }
  }
}

const CONTROLS = String.raw`\x00-\x1f\x7f-\x9f`
const CONTROL = new RegExp(`[${CONTROLS}]`)
/** The form of any text that callers may send, for those who read schemas. */
export const PLAIN_TEXT = `^[^${CONTROLS}]*$`
const hasControl = (text: string): boolean => CONTROL.test(text)

/** Names come from the caller: shown back short and without control characters. */
function join(parts: readonly string[], name?: unknown): string {
  const path = (name === undefined ? parts : [...parts, String(name)]).join('.')
  return path.toWellFormed().replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '?').slice(0, PATH_LENGTH_MAX)
}

const unescapePointer = (part: string): string =>
  part.replaceAll('~1', '/').replaceAll('~0', '~')

function unique(problems: readonly FieldProblem[]): FieldProblem[] {
  const seen = new Set<string>()
  return problems.filter(({ path, problem }) => {
    const key = `${path}\n${problem}`
    return seen.has(key) ? false : Boolean(seen.add(key))
  })
}
