/** Every field that has a form or a list of values says it to who sends something else. */
import { expect, test } from 'vitest'
import { consoleOperations } from '../console/operations/index.ts'
import { compile, problemsOf } from '../validate.ts'
import { operations } from './index.ts'

interface Schema {
  readonly pattern?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly secret?: boolean
  readonly properties?: Record<string, Schema>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

const isFormed = ({ pattern, format, enum: values }: Schema): boolean =>
  pattern !== undefined || format !== undefined || values !== undefined

/** Paths of the fields that have a form, with all of theirs. */
function formed(schema: Schema, path: readonly (string | number)[] = []): {
  path: readonly (string | number)[], schemas: readonly Schema[]
}[] {
  const { properties = {}, items, anyOf = [], secret } = schema
  const own = [schema, ...anyOf].filter(isFormed)
  return [
    ...own.length > 0 && secret !== true ? [{ path, schemas: own }] : [],
    ...Object.entries(properties).flatMap(([name, one]) => formed(one, [...path, name])),
    ...items ? formed(items, [...path, 0]) : [],
  ]
}

const WRONG = 'no such value §'

function withWrong(input: unknown, [name, ...rest]: readonly (string | number)[]): unknown {
  if (name === undefined) return WRONG
  const copy = typeof name === 'number' ? [...(Array.isArray(input) ? input : [])]
    : { ...(input as object | undefined) }
  const fields = copy as Record<string | number, unknown>
  fields[name] = withWrong(fields[name], rest)
  return copy
}

const rows = [...operations, ...consoleOperations].flatMap(({ name, input, example }) =>
  formed(input as Schema).map(({ path, schemas }) =>
    ({ title: `${name} ${path.join('.')}`, input, example, path, schemas })))

test('there are many', () => {
  expect(rows.length).toBeGreaterThan(40)
})

test.each(rows)('$title says what it takes', ({ input, example, path, schemas }) => {
  const problems = problemsOf(input, withWrong(example, path))
    .filter((one) => one.path === path.join('.')).map(({ problem }) => problem)
  expect(problems.length).toBeGreaterThan(0)
  for (const problem of problems) {
    expect(problem).toMatch(/such as \S|must be one of \S+, \S/)
    expect(problem).not.toMatch(/is not valid/)
    for (const shown of /such as (.+)$/.exec(problem)?.[1]?.split(' or ') ?? []) {
      expect(schemas.some((one) => compile(one as never)(shown))).toBe(true)
    }
  }
})
