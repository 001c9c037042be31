import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { httpbis } from 'http-message-signatures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNode, type TestNode } from '../testing/node.ts'
import { servePlatform, type TestPlatform } from '../testing/ucp.ts'
import { digestOf } from './sign.ts'

const PUBLIC_URL = 'https://mall.test'
const newKey = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve })
const [good, wide, stranger] = [newKey('P-256'), newKey('P-384'), newKey('P-256')]
const jwkOf = ({ publicKey }: { publicKey: KeyObject }, kid: string) =>
  ({ ...publicKey.export({ format: 'jwk' }), kid })

let node: TestNode
let platform: TestPlatform
beforeAll(async () => {
  platform = await servePlatform()
  platform.signingKeys = [
    jwkOf(good, 'good'), jwkOf(wide, 'wide'), { kid: 'odd', kty: 'OKP', crv: 'Ed25519', x: 'x' },
  ]
  node = await startTestNode({ publicUrl: PUBLIC_URL })
})
afterAll(async () => {
  await node.stop()
  platform.close()
})

const COVERED = ['@method', '@authority', '@path', 'ucp-agent', 'content-digest', 'content-type']

interface Signing {
  readonly keyid?: string
  readonly by?: { readonly privateKey: KeyObject }
  readonly hash?: string
  readonly covered?: readonly string[]
  readonly authority?: string
  /** What is changed after it was signed. */
  readonly change?: Record<string, string>
  readonly body?: object
}

/** A request as a platform sends it, signed by a library that others wrote. */
async function send(path: string, payload: object, {
  keyid = 'good', by = good, hash = 'sha256', covered = COVERED, authority = 'mall.test',
  change = {}, body = payload,
}: Signing = {}) {
  const text = JSON.stringify(payload)
  const headers = {
    'content-type': 'application/json', 'content-digest': digestOf(Buffer.from(text)),
    'ucp-agent': `profile="${platform.url}/"`,
  }
  const signed = await httpbis.signMessage({
    key: { id: keyid, sign: async (data) =>
      sign(hash, data, { key: by.privateKey, dsaEncoding: 'ieee-p1363' }) },
    fields: [...covered], params: ['keyid'],
  }, { method: 'POST', url: `https://${authority}${path}`, headers })
  // The node's client says the type itself.
  const { 'content-type': _, ...others } = signed.headers as Record<string, string>
  const answer = await node.send('POST', path, { headers: { ...others, ...change }, body })
  const { code, error } = JSON.parse(answer.text)
  return [answer.status, code ?? error?.data?.code ?? 'fine']
}

const SEARCH = '/ucp/catalog/search'
const query = { query: '保温杯' }

test('a request that is signed by a key of the profile is taken, over both curves', async () => {
  expect(await send(SEARCH, query)).toEqual([200, 'fine'])
  expect(await send(SEARCH, query, { keyid: 'wide', by: wide, hash: 'sha384' }))
    .toEqual([200, 'fine'])
})

test.each<[string, Signing, number, string]>([
  ['by another key', { by: stranger }, 401, 'signature_invalid'],
  ['for another host', { authority: 'other.test' }, 401, 'signature_invalid'],
  ['by a key that the profile lacks', { keyid: 'none' }, 401, 'key_not_found'],
  ['by a key of another kind', { keyid: 'odd' }, 400, 'algorithm_unsupported'],
  ['without its path', { covered: COVERED.filter((name) => name !== '@path') },
    401, 'signature_invalid'],
  ['before a header came', { change: { 'idempotency-key': 'a-key' } }, 401, 'signature_invalid'],
  ['and its body is changed', { body: { query: '饭盒' } }, 400, 'digest_mismatch'],
  ['and its signature is lost', { change: { signature: '' } }, 401, 'signature_invalid'],
  ['and is no signature', { change: { 'signature-input': '((' } }, 401, 'signature_invalid'],
])('a request that is signed %s is refused', async (_, signing, status, code) => {
  expect(await send(SEARCH, query, signing)).toEqual([status, code])
})

test('over MCP it is the same', async () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {
    name: 'search_catalog',
    arguments: { meta: { 'ucp-agent': { profile: `${platform.url}/` } }, catalog: query },
  } }
  expect(await send('/ucp/mcp', call)).toEqual([200, 'fine'])
  expect(await send('/ucp/mcp', call, { by: stranger })).toEqual([401, 'signature_invalid'])
})
