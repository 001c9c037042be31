import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  API_KEY_PATTERN, base32, createSecrets, ORDER_NO_PATTERN, partitionOfOrder, productIdOf,
  randomBase62, skuIdOf,
} from './ids.ts'
import { partitionOf } from './redis/keys.ts'

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
