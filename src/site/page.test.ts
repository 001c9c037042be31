import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PAGE_COLOURS, THEME_SCRIPT } from './page.ts'

const source = (name: string): string =>
  readFileSync(new URL(`../console/page/${name}`, import.meta.url), 'utf8')

test('every colour is one of the console', () => {
  const console = Object.fromEntries([...source('styles/theme.css').matchAll(
    /--([\w-]+): light-dark\((#\w+), (#\w+)\);/g)]
    .map(([, name, light, dark]) => [name, [light, dark]]))
  expect(PAGE_COLOURS).toEqual(Object.fromEntries(
    Object.keys(PAGE_COLOURS).map((name) => [name, console[name]])))
})

test('the theme is read under the console\'s storage key', () => {
  const [, name] = /const THEME = '([^']+)'/.exec(source('preferences.ts')) ?? []
  expect(THEME_SCRIPT).toContain(`getItem('${name}')`)
})
