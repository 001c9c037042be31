/** Requests are compared by their canonical form, so that a key of any release finds its own. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../contract/json.ts'
import { comparedJson } from './place-order.ts'

test('a request is compared by its canonical JSON, however its fields are ordered', () => {
  const text = fc.string({ unit: 'grapheme' })
  const receiver = fc.record({
    phone: text, name: text, address: text, district: text, city: text, province: text,
  })
  const request = fc.record({
    qty: fc.nat(), user_ref: fc.option(text, { nil: undefined }), receiver,
    product_id: fc.nat(), merchant_id: fc.nat(),
  })
  fc.assert(fc.property(request, fc.uuid(), (wanted, idempotency_key) => {
    const { user_ref, ...given } = wanted
    expect(comparedJson({
      ...given, idempotency_key, display: 'mobile', ...(user_ref !== undefined && { user_ref }),
    })).toBe(canonicalJson({ ...given, ...(user_ref !== undefined && { user_ref }) }))
  }))
})
