import { expect, test } from 'vitest'
import { banner } from './banner.ts'
import { networkUrl } from './network.ts'

const facts = { publicUrl: 'http://localhost:8080', nodes: 1, items: 5 }
const file = '.data/sandbox-key'

test('a start shows the sandbox key when it made it, and its file at every later start', () => {
  const apiKey = `ak_${'s'.repeat(32)}`
  expect(banner({ ...facts, sandboxKey: { file, apiKey } }).split(apiKey)).toHaveLength(4)
  const later = banner({ ...facts, sandboxKey: { file } })
  expect(later).not.toMatch(/ak_/)
  expect(later).toContain(`key      in ${file}`)
  expect(later).toContain(`-H "Authorization: Bearer $(cat ${file})"`)
  expect(banner({ ...facts, sandboxKey: undefined })).not.toContain('sandbox-key')
})

test('a start that others can reach shows where, and what a phone needs', () => {
  const network = 'http://192.168.1.5:8080'
  const local = banner({ ...facts, sandboxKey: undefined, networkUrl: network })
  expect(local).toContain(`network  ${network}\n`)
  expect(local).toContain(`PUBLIC_URL=${network}`)
  const known = banner({
    ...facts, publicUrl: 'https://shop.test', sandboxKey: undefined, networkUrl: network,
  })
  expect(known).toContain(`network  ${network}\n`)
  expect(known).not.toContain('PUBLIC_URL=')
  expect(banner({ ...facts, sandboxKey: undefined })).not.toContain('network')
})

test('the address in the network is that of HOST, or of the first network of the machine', () => {
  const address = (given: string, internal = false) => ({
    address: given, family: 'IPv4' as const, internal, netmask: '', mac: '', cidr: null,
  })
  const interfaces = { lo: [address('127.0.0.1', true)], en0: [address('192.168.1.5')] }
  const at = (host: string) => networkUrl({ host, port: 8080 }, interfaces)
  expect(at('0.0.0.0')).toBe('http://192.168.1.5:8080')
  expect(at('10.0.0.7')).toBe('http://10.0.0.7:8080')
  expect(at('fd00::7')).toBe('http://[fd00::7]:8080')
  expect(at('127.0.0.1')).toBeUndefined()
  expect(networkUrl({ host: '::', port: 8080 }, { lo: interfaces.lo })).toBeUndefined()
})
