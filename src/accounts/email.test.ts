import { expect, test } from 'vitest'
import { maskEmail, normalEmail } from './email.ts'

test.each([
  ['  Someone@Example.COM ', 'someone@example.com'],
  ['ｓomeone@example.com', 'someone@example.com'],
  ['a.b+c@mail.example.co', 'a.b+c@mail.example.co'],
  ["o'neil@bücher.example", "o'neil@bücher.example"],
  [`${'a'.repeat(64)}@b.example`, `${'a'.repeat(64)}@b.example`],
])('%j is %j', (given, email) => {
  expect(normalEmail(given)).toBe(email)
  expect(normalEmail(email)).toBe(email)
})

test('a mask keeps the first character and the domain', () => {
  expect(maskEmail('someone@example.com')).toBe('s***@example.com')
  expect(maskEmail('s@example.com')).toBe('s***@example.com')
})
