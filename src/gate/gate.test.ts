import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { IdempotencyKey } from '../contract/fields.ts'
import type { NodeOperation } from '../operations/define.ts'
import { createGate } from './gate.ts'

const KEY = '7f1f8e5e-3c1b-4a67-9d0e-5b8f2f8f6a10'

/** Answers with the key that reaches it. */
const echo = {
  name: 'echo', access: 'none', effect: 'create',
  input: Type.Object({ idempotency_key: IdempotencyKey }),
  handle: ({ idempotency_key: seen }: { idempotency_key: string }) => ({ seen }),
} as unknown as NodeOperation

const gate = createGate({ log: { error() {}, warn() {} } } as never, {} as never)
const CALLER = { agent: null, account: null, tier: 'keyless' } as never

test.each([
  ['in capitals', KEY.toUpperCase()],
  ['in quotes, as a structured header has it', `"${KEY}"`],
  ['in quotes and capitals', `"${KEY.toUpperCase()}"`],
  ['as a URN', `urn:uuid:${KEY}`],
  ['as a URN in capitals', `URN:UUID:${KEY.toUpperCase()}`],
  ['between spaces', ` ${KEY} `],
])('an idempotency key %s is the same key', async (_, given) => {
  const outcome = await gate.run(echo, { idempotency_key: given }, CALLER, 'r')
  expect(outcome.ok).toBe(true)
  expect(JSON.parse(JSON.stringify(outcome.data))).toEqual({ seen: KEY })
})
