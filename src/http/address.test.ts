import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { createClientAddress, normaliseAddress } from './address.ts'

describe('one spelling', () => {
  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['0000:0000:0000:0000:0000:ffff:7f00:0001', '127.0.0.1'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:0DB8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['10.0.0.1:4711', '10.0.0.1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
  ])('%s is %s', (text, address) => {
    expect(normaliseAddress(text)).toBe(address)
  })

  test.each([
    '', 'unknown', '_hidden', '1', '0x7f.1', '127.1', '256.1.1.1', '1.2.3.4.5', 'fe80::1%eth0',
    '1.2.3.4 ', 'localhost', '[1.2.3.4', '::1]', '1.2.3.4:port',
  ])('%j is no address', (text) => {
    expect(normaliseAddress(text)).toBeUndefined()
  })
})

describe('the client', () => {
  const behind = createClientAddress([
    ipaddr.parseCIDR('10.0.0.0/8'), ipaddr.parseCIDR('fd00::/8'),
  ])
  const direct = createClientAddress([])

  test('is the peer when no proxy is trusted, whatever the header says', () => {
    expect(direct('203.0.113.9', '1.1.1.1')).toBe('203.0.113.9')
    expect(direct('0000:0000:0000:0000:0000:ffff:cb00:7109', '1.1.1.1')).toBe('203.0.113.9')
  })

  test('is the peer when the peer is not a trusted proxy', () => {
    expect(behind('203.0.113.9', '1.1.1.1')).toBe('203.0.113.9')
  })

  test.each([
    ['10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['10.0.0.1', '1.1.1.1, 198.51.100.7', '198.51.100.7'],
    ['10.0.0.1', '198.51.100.7, 10.9.9.9', '198.51.100.7'],
    ['10.0.0.1', '1.1.1.1, 198.51.100.7, 10.9.9.9,10.8.8.8', '198.51.100.7'],
    ['10.0.0.1', '10.1.1.1, 10.2.2.2', '10.1.1.1'],
    ['10.0.0.1', '198.51.100.7:5511', '198.51.100.7'],
    ['fd00:0000:0000:0000:0000:0000:0000:0001', '2001:DB8::7', '2001:db8::7'],
    ['0000:0000:0000:0000:0000:ffff:0a00:0001', '::ffff:198.51.100.7', '198.51.100.7'],
  ])('behind %s with %s is the right-most hop that is not trusted', (peer, header, client) => {
    expect(behind(peer, header)).toBe(client)
  })

  test('is the last hop that is an address, where a proxy wrote something else', () => {
    expect(behind('10.0.0.1', 'unknown')).toBe('10.0.0.1')
    expect(behind('10.0.0.1', '198.51.100.7, unknown, 10.2.2.2')).toBe('10.2.2.2')
    expect(behind('10.0.0.1', '')).toBe('10.0.0.1')
    expect(behind('10.0.0.1', undefined)).toBe('10.0.0.1')
  })
})
