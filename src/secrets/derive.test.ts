import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  API_KEY_PATTERN, base32, ORDER_NO_PATTERN, partitionOfOrder, productIdOf, randomBase62, skuIdOf,
} from '../contract/ids.ts'
import {
  createSecrets, hashKeysFrom, randomHashKeys, secretProblem, type Secrets,
} from './derive.ts'
import { partitionOf } from '../redis/keys.ts'

const secrets = createSecrets('x'.repeat(32))
const agent = fc.stringMatching(/^ag_[0-9A-Z]{16}$/)
const productId = fc.integer({ min: 1, max: 9_999_999_999 })

test('the same attempt always has the same order number, which names its partition', () => {
  fc.assert(fc.property(agent, fc.uuid(), productId, (who, key, product) => {
    const orderNo = secrets.orderNo(who, key, product)
    expect(orderNo).toMatch(new RegExp(ORDER_NO_PATTERN))
    expect(secrets.orderNo(who, key.toUpperCase(), product)).toBe(orderNo)
    expect(partitionOfOrder(orderNo)).toBe(partitionOf(product))
  }))
})

test('another agent, key, product or secret has another order number', () => {
  const other = createSecrets('y'.repeat(32))
  const numbers = new Set([
    secrets.orderNo('ag_A', 'k', 1), secrets.orderNo('ag_B', 'k', 1),
    secrets.orderNo('ag_A', 'l', 1), secrets.orderNo('ag_A', 'k', 257),
    other.orderNo('ag_A', 'k', 1), secrets.orderNo('ag_Ak', '', 1),
  ])
  expect(numbers.size).toBe(6)
})

test('what is no order number names no partition', () => {
  for (const text of ['', 'AM', 'AM80' + '0'.repeat(16), 'am00' + '0'.repeat(16), 'x'.repeat(20)]) {
    expect(partitionOfOrder(text)).toBeUndefined()
  }
})

test('a sku id leads back to its product, and other numbers to none', () => {
  fc.assert(fc.property(productId, (id) => {
    expect(productIdOf(skuIdOf(id))).toBe(id)
    expect(productIdOf(skuIdOf(id) + 1)).toBeUndefined()
  }))
})

test('base32 gives eight characters for five bytes, and loses no bit', () => {
  expect(base32(new Uint8Array(10)).length).toBe(16)
  expect(base32(Uint8Array.of(255, 255, 255, 255, 255))).toBe('ZZZZZZZZ')
  expect(base32(Uint8Array.of(0, 0, 0, 0, 1))).toBe('00000001')
})

test('generated keys have their form, and differ', () => {
  const made = new Set(Array.from({ length: 200 }, () => `ak_${randomBase62(32)}`))
  expect(made.size).toBe(200)
  for (const key of made) expect(key).toMatch(new RegExp(API_KEY_PATTERN))
})

test('a token fits its purpose and subject only', () => {
  const token = secrets.token('pay', 'AM1')
  expect(secrets.tokenMatches('pay', 'AM1', token)).toBe(true)
  for (const [purpose, subject, given] of [
    ['pay', 'AM2', token], ['go', 'AM1', token], ['pay', 'AM1', ''], ['pay', 'AM1', `${token}x`],
  ] as const) {
    expect(secrets.tokenMatches(purpose, subject, given)).toBe(false)
  }
})

describe('several secrets', () => {
  const [old, next] = ['o'.repeat(32), 'n'.repeat(32)]
  const kept = randomHashKeys()
  const [before, both, after] = [old, `${next}, ${old}`, next]
    .map((text) => createSecrets(text, kept)) as [Secrets, Secrets, Secrets]

  test('the first signs and seals; what is under any of them is accepted', () => {
    const [signed, sealed] = [before.token('pay', 'AM1'), before.seal('email').seal('a@b', 'ac_1')]
    expect(both.tokenMatches('pay', 'AM1', signed)).toBe(true)
    expect(both.seal('email').open(sealed, 'ac_1')).toBe('a@b')
    expect(after.tokenMatches('pay', 'AM1', both.token('pay', 'AM1'))).toBe(true)
    expect(after.seal('email').open(both.seal('email').seal('a@b', 'ac_1'), 'ac_1')).toBe('a@b')
    expect(after.tokenMatches('pay', 'AM1', signed)).toBe(false)
    expect(() => after.seal('email').open(sealed, 'ac_1')).toThrow(/SECRET does not name/)
    expect(both.ids).toEqual([...after.ids, ...before.ids])
  })

  test('keyed hashes are the same under all', () => {
    const hashes = ({ keyHash, orderNo, id, keyedHash, passwordPepper }: Secrets) => [
      keyHash('ak_1'), orderNo('ag_A', 'k', 1), id('refund', 'x'), keyedHash('email', 'a@b'),
      passwordPepper.toString('hex'),
    ]
    expect(hashes(both)).toEqual(hashes(before))
    expect(hashes(after)).toEqual(hashes(before))
    expect(hashes(createSecrets(old, randomHashKeys()))).not.toEqual(hashes(before))
  })

  test('a secret that is short or named twice, or too many of them, is a problem', () => {
    expect(secretProblem(old)).toBeUndefined()
    expect(secretProblem(`${next},${old}`)).toBeUndefined()
    for (const text of ['short', `${old},`, `,${old}`, `${old},short`, '']) {
      expect(secretProblem(text), text).toMatch(/at least 32 characters, each of several/)
    }
    expect(secretProblem(`${old}, ${old}`)).toMatch(/twice/)
    expect(secretProblem(['a', 'b', 'c', 'd', 'e'].map((one) => one.repeat(32)).join()))
      .toMatch(/at most 4/)
  })
})

test('what code with one secret alone made is found, verified and opened', () => {
  const text = 'the-one-secret-of-a-ledger-from-before'
  const old = createSecrets(`${'n'.repeat(32)},${text}`, hashKeysFrom(text))
  expect(old.fingerprints[1]).toBe('HHxT1iscvfS6EIoDGXW5nQK3Kj6vMsLWZHkLrrTg_WA')
  expect(old.keyHash('ak_0123456789abcdefghijklmnopqrstuv'))
    .toBe('i3NTEkExHJ18gIp3yD4zy4Q59PxbknCFgGNnhKdr6MQ')
  expect(old.orderNo('ag_A', 'k', 4711)).toBe('AM37ES8JJNX9J3FR6WWP')
  expect(old.id('refund', 'AM1', 'x')).toBe('QAN45B707J4DG364')
  expect(old.keyedHash('email', 'a@b.example')).toBe('pUxPJ_kPhqOu1vuXeUr9Tg')
  expect(old.passwordPepper.toString('base64url'))
    .toBe('J5VTgSlYkflp41TzIswXD1yuqUvZJEYY1QC-euN4Be4')
  expect(old.tokenMatches('pay', 'AM1', 'TEqYWe7oq47c_DoejIKaYw')).toBe(true)
  for (const [kind, envelope, subject, opened] of [
    ['receiver', 'r1.HSte1snUJfh78hGCaT3C92xc8llyS57lmfgOycPB2Y4AzS4I', 'AM1', 'receiver'],
    ['payee', 'p1.3ee2Wu2LUz42xkjGutmD3I1xCpgQXKJpffRXrCkI0EGv', 'wd_1', 'payee'],
    ['email', 'e1.DvM1mxpAWiAweDeR4nsOfJOA3bpB_srMfXqZXF9DiCD1WBS-PF5r', 'ac_1', 'a@b.example'],
    ['mail-proof', 'm1.L0ldfztE8ZJKjUYE5DlW8JqnB-PPilh5klXXxK5B', 'verify', '{}'],
  ] as const) {
    expect(old.seal(kind).open(envelope, subject)).toBe(opened)
  }
})
