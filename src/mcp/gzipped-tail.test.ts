import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { GzippedTail } from './gzipped-tail.ts'

const tail = Buffer.from(JSON.stringify(Array.from({ length: 2000 }, (_, at) => `商品 ${at % 50}`)))

test.each([0, 1, 40, 65_535])('a beginning of %i bytes and the tail unpack to both', (length) => {
  const head = Buffer.from('{"id":1,'.repeat(length / 8 + 1).slice(0, length))
  const packed = Buffer.concat(new GzippedTail(tail).behind(head) ?? [])
  expect(gunzipSync(packed)).toEqual(Buffer.concat([head, tail]))
  expect(packed.length).toBeLessThan(head.length + tail.length / 10)
})

test.each([0, 1, 63, 64, -1, 'a', '1'])('the answer to %j is the same the second time', (id) => {
  const packed = new GzippedTail(tail)
  const headOf = (one: string | number): Buffer => Buffer.from(`{"id":${JSON.stringify(one)},`)
  packed.behindId(typeof id === 'number' ? String(id) : 1, headOf)
  for (let times = 0; times < 2; times += 1) {
    const answer = packed.behindId(id, headOf) ?? []
    const whole = Buffer.isBuffer(answer) ? answer : Buffer.concat(answer)
    expect(gunzipSync(whole)).toEqual(Buffer.concat([headOf(id), tail]))
  }
})

test('a beginning that no block holds is not packed', () => {
  expect(new GzippedTail(tail).behind(Buffer.alloc(65_536))).toBeUndefined()
})
