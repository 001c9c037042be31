import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TokenTable } from './token-table.ts'

const token = fc.oneof(
  fc.string({ unit: fc.constantFrom('净', '水', '壶', 'a', 'b'), minLength: 1, maxLength: 3 }),
  fc.nat({ max: 0x4000 }).map((code) => String.fromCharCode(0x4e00 + code)))

test('each word has the number under which it came first, and no other word has one', () => {
  fc.assert(fc.property(fc.array(token, { maxLength: 3000 }), token, (list, other) => {
    const table = new TokenTable()
    const places = new Map<string, number>()
    for (const one of list) {
      const place = table.add(one)
      if (!places.has(one)) places.set(one, place)
      expect(place).toBe(places.get(one))
    }
    expect([...places.values()]).toEqual([...places.keys()].map((_, at) => at))
    expect(table.size).toBe(places.size)
    expect(new Map(table)).toEqual(places)
    expect(table.get(other)).toBe(places.get(other))
  }))
})
