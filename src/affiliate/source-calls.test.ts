import { expect, test } from 'vitest'
import { SourceError } from '../../adapters/index.ts'
import { errorData, type Refusal } from '../contract/errors.ts'
import { toRefusal } from './source-calls.ts'

test('an item that a platform does not know is refused with a hint on items', () => {
  const { hint } = errorData(toRefusal(new SourceError('food', 'not_found')) as Refusal, 'req-1')
  expect(hint).toContain('item_id')
  expect(hint).not.toContain('order')
})
