/** What all of mall A's operations share: the one way to its gateway, and its ids. */
import type { CallOptions } from '../contract.ts'
import type { Client } from '../http.ts'
import { linkOn } from '../links.ts'
import type { Clock } from '../time.ts'
import { read, request, type Business, type Method } from './dialect.ts'
import type { Settings } from './settings.ts'
import type { Body } from './wire.ts'

export interface Parts {
  readonly settings: Settings
  readonly client: Client
  readonly clock: Clock
}

export function send(
  { client, settings, clock }: Parts, method: Method, business: Business, repeatable: boolean,
  call?: CallOptions,
): Promise<Body> {
  return client.call({
    operation: method,
    build: () => request(settings, method, business, clock.now()),
    read: (text) => read(method, text),
    repeatable,
  }, call)
}

/** The neutral position is nobody's, even where an operator lists it. */
export const poolOf = (
  { adzoneId, poolKind = 'adzone', poolIds = [] }: Settings,
): readonly string[] =>
  (poolKind === 'adzone' ? poolIds.filter((id) => id !== adzoneId) : poolIds)

/** Ids of the newer kind are "head-tail", and the tail is another one from time to time. */
export const headOf = (id: string): string => id.split('-', 1)[0] || id

const ITEM_PATH = /\/(?:item|e?detail)\b/i
const ID = /^[0-9A-Za-z_-]{1,128}$/

/** Item pages carry the id in their query; tracked and shortened links tell none. */
export function readLink({ hosts }: Settings, link: string): { id: string | null } | null {
  const url = linkOn(hosts, link)
  if (!url) return null
  const id = ITEM_PATH.test(url.pathname)
    ? url.searchParams.get('id') ?? url.searchParams.get('itemId') : null
  return { id: id !== null && ID.test(id) ? id : null }
}
