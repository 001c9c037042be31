import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Held, Turn } from './turn.ts'

/** Says how it was started, once. */
class Fake implements Held {
  isHeld = true
  readonly started: boolean[] = []

  start(isCorked = true): void {
    if (this.isHeld) this.started.push(isCorked)
    this.isHeld = false
  }
}

test('the end of a turn starts what is still held, each once', async () => {
  const turn = new Turn()
  const [early, late, later] = [new Fake(), new Fake(), new Fake()]
  turn.hold(early)
  early.start()
  turn.hold(late)
  turn.hold(later)
  await setImmediate()
  expect([early, late, later].map(({ started }) => started)).toEqual([[true], [false], [false]])
  const next = new Fake()
  turn.hold(next)
  expect(next.started).toEqual([])
  await setImmediate()
  expect(next.started).toEqual([false])
  expect(late.started).toEqual([false])
})
