import { describe, expect, it } from 'vitest'
import { createOriginCheck, type OriginConfig } from './origins.ts'

const LOCAL: OriginConfig = {
  host: '127.0.0.1', publicUrl: 'http://localhost:8080', allowedOrigins: '*',
}
const check = (config: Partial<OriginConfig>, headers: { host?: string, origin?: string }) =>
  createOriginCheck({ ...LOCAL, ...config })({
    header: (name) => headers[name as 'host' | 'origin'],
  })

const LOOPBACK_HOSTS = ['localhost', 'LOCALHOST:1', '127.0.0.1', '127.0.0.1:8080', '[::1]',
  '[::1]:65535', '127.0.0.2:80']
const FOREIGN_HOSTS = ['evil.example', 'evil.example:8080', 'localhost.evil.example',
  'evil.example@localhost', 'localhost, evil.example', '127.0.0.1.nip.example', '[::2]', '', ' ',
  '0.0.0.0:8080', '192.168.1.5:8080', 'localhost:8080:8080', 'localhost:x']
const FOREIGN_ORIGINS = ['https://evil.example', 'http://localhost.evil.example', 'null', '',
  'http://evil.example:8080', 'file://', 'http://127.0.0.1.evil.example', 'chrome-extension://abc',
  'http://localhost@evil.example', 'http://evil.example/http://localhost']

describe('a node that listens on the loopback address', () => {
  it.each(['127.0.0.1', 'localhost', '::1', '127.0.0.2'])(
    '%s: is called by the names of this machine', (host) => {
      for (const called of LOOPBACK_HOSTS) expect(check({ host }, { host: called })).toBeUndefined()
    })

  it.each([...FOREIGN_HOSTS, undefined])('refuses the Host %j', (host) => {
    expect(check({}, { ...(host !== undefined && { host }) })).toContain('PUBLIC_URL')
  })

  it.each(FOREIGN_ORIGINS)('refuses a page of %j, although origins are open', (origin) => {
    expect(check({}, { host: 'localhost:8080', origin })).toContain('ALLOWED_ORIGINS')
  })

  it.each(['http://localhost', 'http://localhost:6274', 'http://127.0.0.1:80', 'https://[::1]:1'])(
    'serves a page of this machine, %s', (origin) => {
      expect(check({}, { host: 'localhost:8080', origin })).toBeUndefined()
      expect(check({ allowedOrigins: [] }, { host: 'localhost:8080', origin })).toBeUndefined()
    })

  it('serves a page that is listed, and no other', () => {
    const listing = { allowedOrigins: ['https://shop.example'] }
    const host = 'localhost:8080'
    expect(check(listing, { host, origin: 'https://shop.example' })).toBeUndefined()
    expect(check(listing, { host, origin: 'https://evil.example' })).toBeDefined()
  })
})

describe('a node that a proxy on the same machine publishes', () => {
  const published = { publicUrl: 'https://mall.example:8443/base' }

  it('is called by its public name, too, in any spelling of it', () => {
    for (const host of ['mall.example', 'Mall.Example:8443', 'mall.example:1', ...LOOPBACK_HOSTS]) {
      expect(check(published, { host })).toBeUndefined()
    }
    for (const host of FOREIGN_HOSTS) expect(check(published, { host })).toBeDefined()
  })

  it('serves every page while origins are open, and its own and listed ones when not', () => {
    const host = 'mall.example'
    const origin = 'https://any.example'
    expect(check(published, { host, origin })).toBeUndefined()
    expect(check({ ...published, allowedOrigins: [] }, { host, origin })).toBeDefined()
    const own = { host, origin: 'https://mall.example:8443' }
    expect(check({ ...published, allowedOrigins: [] }, own)).toBeUndefined()
  })
})

describe.each(['0.0.0.0', '::', '192.0.2.7', 'mall.internal'])('a node on %s', (host) => {
  it('is called by any name, and serves every page while origins are open', () => {
    for (const called of [...LOOPBACK_HOSTS, ...FOREIGN_HOSTS]) {
      expect(check({ host }, { host: called, origin: 'https://any.example' })).toBeUndefined()
    }
  })

  it('serves listed pages and programs alone when they are not', () => {
    const allowedOrigins = ['https://a.example']
    const closed = { host, publicUrl: 'https://mall.example', allowedOrigins }
    const other = 'https://b.example'
    expect(check(closed, { host: 'x', origin: 'https://a.example' })).toBeUndefined()
    expect(check(closed, { host: 'x' })).toBeUndefined()
    expect(check(closed, { host: 'x', origin: 'http://localhost' })).toBeDefined()
    expect(check(closed, { host: 'x', origin: other })).toBeDefined()
  })
})
