import { expect, test } from 'vitest'
import { recover } from './maybe-promise.ts'

const mend = (error: unknown): string => `mended ${(error as Error).message}`

test('a value is given at once, and so is what an error thrown at once becomes', () => {
  expect(recover(() => 'value', mend)).toBe('value')
  expect(recover(() => { throw new Error('early') }, mend)).toBe('mended early')
})

test('a promise is waited for, and its error mended', async () => {
  expect(await recover(() => Promise.resolve('value'), mend)).toBe('value')
  expect(await recover(() => Promise.reject(new Error('late')), mend)).toBe('mended late')
})
