import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { Refusal } from '../errors.ts'
import { createPasswords } from './passwords.ts'
import { verifications } from './testing/verifications.ts'

vi.mock(import('@node-rs/argon2'), { spy: true })

const pepper = randomBytes(32)
const passwords = createPasswords(pepper)

test('a password matches its own hash, on a node with the same secret alone', async () => {
  const hashed = await passwords.hash('ｃorrect horse battery')
  expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await passwords.matches('correct horse battery', hashed)).toBe(true)
  expect(await passwords.matches('correct horse batterY', hashed)).toBe(false)
  const elsewhere = createPasswords(randomBytes(32))
  expect(await elsewhere.matches('correct horse battery', hashed)).toBe(false)
  expect(await passwords.hash('correct horse battery')).not.toBe(hashed)
})

test('where there is no hash nothing matches, after the same work', async () => {
  const hashed = await passwords.hash('correct horse battery')
  verifications()
  for (const against of [hashed, undefined]) {
    expect(await passwords.matches('wrong horse battery', against)).toBe(false)
  }
  const [known, unknown, ...more] = verifications()
  expect(more).toEqual([])
  expect(unknown).toEqual(known)
})

test('a flood is refused beyond a bounded queue, and those in it are served', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 60 }, () =>
    passwords.hash('correct horse battery')))
  const refused = answers.flatMap((answer) =>
    (answer.status === 'rejected' ? [answer.reason as Refusal] : []))
  expect(refused.length).toBeGreaterThanOrEqual(60 - 34)
  expect(refused.length).toBeLessThan(60)
  for (const refusal of refused) {
    expect(refusal).toMatchObject({ error: 'unavailable', detail: { retry_after_s: 1 } })
  }
  expect(await passwords.hash('correct horse battery')).toMatch(/^\$argon2id/)
})

test.each([
  ['x'.repeat(9), false], ['x'.repeat(10), true], ['x'.repeat(128), true],
  ['x'.repeat(129), false], ['密码'.repeat(5), true], ['😀'.repeat(9), false],
  ['😀'.repeat(10), true], [`${'x'.repeat(10)}\0`, false], [`${'x'.repeat(10)}\ud800`, false],
])('%j is usable: %s', (password, isUsable) => {
  const use = () => passwords.assertUsable(password)
  if (isUsable) expect(use).not.toThrow()
  else expect(use).toThrow(Refusal)
})
