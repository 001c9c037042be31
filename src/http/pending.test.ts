/** A list that is linked by its members behaves like a Set of them. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Pending, type Waiting } from './pending.ts'

class Member implements Waiting {
  before: this | undefined
  after: this | undefined
  isWaiting = false
}

test('members come in the order in which they were added, without those that left', () => {
  const steps = fc.array(fc.tuple(fc.boolean(), fc.nat(5)), { maxLength: 40 })
  fc.assert(fc.property(steps, (taken) => {
    const members = Array.from({ length: 6 }, () => new Member())
    const [pending, expected] = [new Pending<Member>(), new Set<Member>()]
    for (const [isAdded, at] of taken) {
      const member = members[at] as Member
      const change = isAdded ? 'add' : 'delete'
      const [has, had] = [pending[change](member), expected[change](member)]
      expect([pending.size, [...pending]]).toEqual([expected.size, [...expected]])
      expect(has ?? expected).toBe(had)
    }
  }))
})

test('one that leaves while it is looked at hides none behind it, and names none of them', () => {
  const [pending, members] = [new Pending<Member>(), Array.from({ length: 3 }, () => new Member())]
  for (const member of members) pending.add(member)
  const seen: Member[] = []
  for (const member of pending) {
    seen.push(member)
    pending.delete(member)
  }
  expect(seen).toEqual(members)
  expect(members.map(({ before, after }) => [before, after])).toEqual(
    Array.from({ length: 3 }, () => [undefined, undefined]))
  expect(pending.size).toBe(0)
})
