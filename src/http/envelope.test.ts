import { expect, test } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { errorReply } from './envelope.ts'

const namesOf = (refusal: Refusal): string[] =>
  (errorReply(refusal, 'r1').headers ?? []).map(([name]) => name)

test('Allow is of methods: what an order allows is in the body alone', () => {
  expect(namesOf(new Refusal('method_not_allowed', { allowed: ['GET'] }))).toContain('Allow')
  expect(namesOf(new Refusal('order_state', { allowed: ['cancel_order'] }))).not.toContain('Allow')
})

test('a time to wait is a header, too', () => {
  expect(namesOf(new Refusal('rate_limited', { retry_after_s: 3 }))).toContain('Retry-After')
})
