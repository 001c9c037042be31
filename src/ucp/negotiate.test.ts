import { expect, test } from 'vitest'
import { Refusal } from '../contract/errors.ts'
import { OutboundError, type OutboundDocument } from '../outbound.ts'
import { type Capability, CATALOG_LOOKUP, CATALOG_SEARCH, UCP_VERSION } from './capabilities.ts'
import { negotiate, relevantTo } from './negotiate.ts'
import { createPlatforms, profileInHeader } from './platform.ts'

const profile = (capabilities: Record<string, string[]>, version = UCP_VERSION) => ({
  ucp: {
    version,
    capabilities: Object.fromEntries(Object.entries(capabilities)
      .map(([name, versions]) => [name, versions.map((one) => ({ version: one }))])),
  },
})
const errorOf = (work: () => unknown): string => {
  try {
    work()
    return 'nothing'
  } catch (error) {
    return (error as Refusal).error
  }
}

test('a capability is active when both sides have it in one version', () => {
  const active = negotiate(profile({
    [CATALOG_SEARCH]: ['2026-01-11', UCP_VERSION], [CATALOG_LOOKUP]: ['2026-01-11'], 'a.b.c': [],
  }))
  expect([...active]).toEqual([CATALOG_SEARCH])
  expect(relevantTo(CATALOG_SEARCH, active))
    .toEqual({ [CATALOG_SEARCH]: [{ version: UCP_VERSION }] })
  expect(relevantTo(CATALOG_LOOKUP, active)).toEqual({})
})

test('an extension whose parent is not active is pruned, and what extends it, too', () => {
  const of = (name: string, parent?: string): Capability =>
    ({ name, spec: '', schema: '', ...(parent !== undefined && { extends: parent }) })
  const ours = [of('x.a'), of('x.b', 'x.a'), of('x.c', 'x.b'), of('x.d')]
  const theirs = { 'x.b': [UCP_VERSION], 'x.c': [UCP_VERSION], 'x.d': [UCP_VERSION] }
  expect([...negotiate(profile(theirs), ours)]).toEqual(['x.d'])
  expect([...negotiate(profile({ ...theirs, 'x.a': [UCP_VERSION] }), ours)])
    .toEqual(['x.a', 'x.b', 'x.c', 'x.d'])
})

test('another version of the protocol is refused', () => {
  expect(errorOf(() => negotiate(profile({}, '2026-01-11')))).toBe('version_unsupported')
})

test.each([
  ['profile="https://a.test/p.json"', 'https://a.test/p.json'],
  ['a=1, profile="https://a.test/p?x=\\"y"', 'https://a.test/p?x="y'],
  ['profile="https://a.test/p";v=1', 'https://a.test/p'],
  ['profile=https://a.test/p', undefined], ['other="x"', undefined], [undefined, undefined],
])('the header %s names the profile %s', (header, address) => {
  expect(profileInHeader(header)).toBe(address)
})

function countingPlatforms(answer: () => Promise<Partial<OutboundDocument>>) {
  let fetches = 0
  const platforms = createPlatforms({
    async get() {
      fetches += 1
      return { status: 200, header: () => undefined, body: Buffer.alloc(0), ...await answer() }
    },
  })
  return {
    fetches: () => fetches,
    async read(address?: string) {
      try {
        await platforms.profile(address)
        return 'fine'
      } catch (error) {
        return (error as Refusal).error
      }
    },
  }
}
const ADDRESS = 'https://platform.test/profile'
const body = Buffer.from(JSON.stringify(profile({})))

test('a profile is fetched once for all who ask meanwhile and afterwards', async () => {
  const { read, fetches } = countingPlatforms(async () => ({ body }))
  expect(await Promise.all([read(ADDRESS), read(ADDRESS)])).toEqual(['fine', 'fine'])
  expect(await read(ADDRESS)).toBe('fine')
  expect(fetches()).toBe(1)
})

test.each<[string, () => Promise<Partial<OutboundDocument>>]>([
  ['profile_unreachable', async () => ({ status: 302 })],
  ['profile_unreachable', async () => ({ status: 503, body })],
  ['profile_unreachable', () => Promise.reject(new OutboundError('unreachable', 'late'))],
  ['invalid_profile_url', () => Promise.reject(new OutboundError('address', 'private'))],
  ['profile_malformed', async () => ({ body: Buffer.from('<html>') })],
  ['profile_malformed', async () => ({ body: Buffer.from('{"ucp":{"version":"draft"}}') })],
])('%s is remembered for a while', async (name, answer) => {
  const { read, fetches } = countingPlatforms(answer)
  expect([await read(ADDRESS), await read(ADDRESS)]).toEqual([name, name])
  expect(fetches()).toBe(1)
})

test('a profile that lacks a member says where, from the profile on', async () => {
  const platforms = createPlatforms({
    get: async () => ({ status: 200, header: () => undefined, body: Buffer.from('{}') }),
  })
  const refusal = await Promise.resolve(platforms.profile(ADDRESS)).then(() => undefined,
    (error: unknown) => error as Refusal)
  expect(refusal?.detail.fields).toEqual([{ path: 'profile.ucp', problem: 'is required' }])
})

test('no address is refused before anything is fetched', async () => {
  const { read, fetches } = countingPlatforms(async () => ({ body }))
  const long = `https://a.test/${'x'.repeat(1100)}`
  expect([await read(undefined), await read('nowhere'), await read(long)])
    .toEqual(['invalid_profile_url', 'invalid_profile_url', 'invalid_profile_url'])
  expect(fetches()).toBe(0)
})
