import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { operations } from '../operations/index.ts'
import { problemsOf } from '../validate.ts'
import { consoleOperations } from './operations/index.ts'
import { consoleMarkdown } from './reference.ts'

test('names and routes are unique, and none is an agent\'s', () => {
  const names = [...operations, ...consoleOperations].map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const routes = consoleOperations.map(({ route }) => route)
  expect(new Set(routes).size).toBe(routes.length)
  expect(operations.filter(({ access }) => access !== 'anyone' && access !== 'key')).toEqual([])
})

describe.each(consoleOperations.map((operation) => ({ name: operation.name, operation })))(
  '$name', ({ operation }) => {
    test('only a session calls it, and no GET changes anything', () => {
      expect(['visitor', 'owner']).toContain(operation.access)
      expect(operation.route.startsWith('GET ')).toBe(operation.effect === 'read')
      expect(operation.handle).toBeTypeOf('function')
    })

    test('its example is a valid input', () => {
      expect(problemsOf(operation.input, structuredClone(operation.example))).toEqual([])
    })
  })

test('docs/console-api.md says what the table says (npm run docs writes it)', () => {
  const file = new URL('../../docs/console-api.md', import.meta.url)
  expect(readFileSync(file, 'utf8')).toBe(consoleMarkdown())
})
