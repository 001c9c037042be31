/** How the operations of mall C call it, and what they have in common. */
import { SourceError, type CallOptions } from '../contract.ts'
import type { Client } from '../http.ts'
import type { Clock } from '../time.ts'
import { NAME, read, request, SIGN_CODE, type Type } from './dialect.ts'
import type { Memory } from './memory.ts'
import type { Settings } from './settings.ts'
import type { Body } from './wire.ts'

export interface Parts {
  readonly settings: Settings
  readonly client: Client
  readonly clock: Clock
  /** The list that the mall cut its pages from, by query: the next page is asked of the same. */
  readonly lists: Memory<string>
  /** Where a person registers, by custom parameters. */
  readonly registrations: Memory<string>
}

/** Ten minutes are forgiven; the header that shows the difference has whole seconds. */
const SKEW_MS = 590_000

export async function send(
  { client, settings, clock }: Parts, type: Type, business: object, repeatable: boolean,
  call?: CallOptions,
): Promise<Body> {
  try {
    return await client.call({
      operation: type,
      build: () => request(settings, type, business, clock.now()),
      read: (text) => read(type, text),
      repeatable,
    }, call)
  } catch (error) {
    const late = error instanceof SourceError && error.code?.split(':')[0] === SIGN_CODE
      && Math.abs(client.health().skewMs ?? 0) > SKEW_MS
    throw late ? new SourceError(NAME, 'clock', { code: error.code ?? SIGN_CODE }) : error
  }
}

/** An empty list may come as null; none at all is no answer. */
export function rowsOf(body: Body, key: string): readonly unknown[] {
  const rows = body[key]
  if (rows === null) return []
  if (!Array.isArray(rows)) throw new SourceError(NAME, 'bad_answer')
  return rows as readonly unknown[]
}
