import { expect, test } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { monotonicMs } from '../contract/time.ts'
import { Turns } from './turns.ts'

/** Longer than a turn may last. */
function work(): void {
  const end = monotonicMs() + 3
  while (monotonicMs() < end);
}

test('what was begun comes before what has not begun, whenever it was asked', async () => {
  const turns = new Turns()
  const done: string[] = []
  const first = turns.start(() => { done.push('first') })
    .then(() => turns.each(['a', 'b'], (item) => {
      done.push(item)
      work()
    }))
  const others = ['second', 'third'].map((name) => turns.start(() => {
    done.push(name)
    work()
  }))
  await Promise.all([first, ...others])
  expect(done).toEqual(['first', 'second', 'a', 'b', 'third'])
})

test('a turn of the event loop has no more than its share', async () => {
  const turns = new Turns()
  const done: number[] = []
  const all = turns.each([1, 2, 3, 4], (item) => {
    done.push(item)
    work()
  })
  const seen: number[] = []
  while (done.length < 4) {
    await new Promise(setImmediate)
    seen.push(done.length)
  }
  await all
  expect(seen).toEqual([1, 2, 3, 4])
})

test('what fails fails its caller alone, and what is too much is refused', async () => {
  const turns = new Turns()
  const broken = turns.start(() => { throw new Error('broken') })
  const fine = turns.start(() => 7)
  await expect(broken).rejects.toThrow('broken')
  expect(await fine).toBe(7)
  const many = Array.from({ length: 1000 }, () => turns.start(() => 1))
  await expect(turns.start(() => 1)).rejects.toThrow(Refusal)
  expect(await Promise.all(many)).toHaveLength(1000)
})
