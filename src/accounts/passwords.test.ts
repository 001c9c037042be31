import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { createPasswords } from './passwords.ts'
import { verifications } from './testing/accounts.ts'

// An earlier file of the worker may have loaded it without the spy.
vi.hoisted(() => vi.resetModules())
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

/** Different characters: one over and over is refused for another reason. */
const textOf = (length: number, first = 0x4e00): string =>
  String.fromCodePoint(...Array.from({ length }, (_, place) => first + place))

test.each([
  [textOf(9), false], [textOf(10), true], [textOf(128), true], [textOf(129), false],
  [textOf(9, 0x1f600), false], [textOf(10, 0x1f600), true],
  [`${textOf(10)}\0`, false], [`${textOf(10)}\ud800`, false],
])('%j is usable: %s', (password, isUsable) => {
  let refusal: unknown
  try {
    passwords.assertUsable(password)
  } catch (error) {
    refusal = error
  }
  expect(refusal instanceof Refusal).toBe(!isUsable)
})

test.each([
  'password123', 'Password2024!', 'p@ssw0rd2026', '1234567890', '13800001234', '19861010123',
  'aaaaaaaaaaaa', 'abababab1212', 'qwertyuiop', 'qwerty123456', '1qaz2wsx3edc', 'q1w2e3r4t5',
  'asdfghjkl;', 'abc123456789', 'woaini1314520', '5201314woaini', 'iloveyou123', 'qweqweqwe1',
  'testtest12', 'agentmall2026', 'admin@123456', 'Welcome12345', 'ｐａｓｓｗｏｒｄ１２３',
])('%s is refused as one that is tried first', (password) => {
  expect(() => passwords.assertUsable(password)).toThrow(expect.objectContaining({
    detail: { fields: [{ path: 'password', problem: expect.stringContaining('among the first') }] },
  }))
})

test.each([
  'correct horse battery staple', 'quite another password', 'lila-Tasse-9-Regen', '纸船与火山的秋天下午',
  'password of my old harbour', 'xK4#vm81-Qt', 'tr0ub4dor&3rd', 'zhangwei loves harbours',
])('%s is taken', (password) => {
  expect(() => passwords.assertUsable(password)).not.toThrow()
})
