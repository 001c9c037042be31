import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const SECRET = 'a-secret-of-at-least-thirty-two-characters'
const EXTERNAL = { REDIS_URL: 'redis://127.0.0.1:6379', SECRET }
const BUCKET = {
  ARCHIVE_S3_ENDPOINT: 'https://s3.example/', ARCHIVE_S3_BUCKET: 'ended-orders',
  ARCHIVE_S3_KEY_ID: 'AKEXAMPLE', ARCHIVE_S3_SECRET: 'a/secret+of=the-bucket',
}

test('without any variable the embedded Redis and the defaults serve', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    port: 8080, nodes: 1, catalogItems: 76_800, sandboxStepMs: 5000, redis: undefined,
    publicUrl: 'http://localhost:8080', logLevel: 'info', secret: undefined,
  })
})

test('an external Redis needs the secret that all nodes share', () => {
  expect(() => readConfig({ REDIS_URL: EXTERNAL.REDIS_URL })).toThrow(/^SECRET is required/)
  expect(readConfig(EXTERNAL).redis).toEqual({
    shelf: EXTERNAL.REDIS_URL, ledger: EXTERNAL.REDIS_URL, counters: EXTERNAL.REDIS_URL,
  })
})

test('roles may live on different servers; counters share the shelf by default', () => {
  const config = readConfig({
    SHELF_URL: 'redis://10.0.0.1:1', LEDGER_URL: 'redis://10.0.0.2:2,redis://10.0.0.3:2', SECRET,
  })
  expect(config.redis).toEqual({
    shelf: 'redis://10.0.0.1:1',
    ledger: 'redis://10.0.0.2:2,redis://10.0.0.3:2',
    counters: 'redis://10.0.0.1:1',
  })
})

test('the shelf may have replicas, each with its own address', () => {
  const SHELF_REPLICAS = 'redis://10.0.0.4:1, redis://10.0.0.5:1,'
  expect(readConfig({ ...EXTERNAL, SHELF_REPLICAS }).redis?.shelfReplicas)
    .toEqual(['redis://10.0.0.4:1', 'redis://10.0.0.5:1'])
})

test.each<[string, Record<string, string>, RegExp]>([
  ['replicas of the embedded shelf', { SHELF_REPLICAS: 'redis://h:1' }, /^SHELF_REPLICAS needs/],
  ['replicas of a cluster', { SHELF_URL: 'redis://h:1,redis://h:2', LEDGER_URL: 'redis://h:3',
    SECRET, SHELF_REPLICAS: 'redis://h:4' }, /^SHELF_REPLICAS needs SHELF_URL with the one/],
  ['a replica that is no Redis', { ...EXTERNAL, SHELF_REPLICAS: 'http://h:1' },
    /^SHELF_REPLICAS must be a redis/],
  ['a collector that is no address', { OTEL_EXPORTER_OTLP_ENDPOINT: 'otel:4318' },
    /^OTEL_EXPORTER_OTLP_ENDPOINT must be an http/],
  ['too many replicas', { ...EXTERNAL, SHELF_REPLICAS: Array(6).fill('redis://h:1').join(',') },
    /^SHELF_REPLICAS must be at most 5/],
  ['a port that is no number', { PORT: 'http' }, /^PORT must be a whole number from 0 to 65535\.$/],
  ['a port out of range', { PORT: '70000' }, /^PORT/],
  ['no node', { NODES: '0' }, /^NODES must be a whole number from 1/],
  ['a public address without a scheme', { PUBLIC_URL: 'mall.example' }, /^PUBLIC_URL/],
  ['a public address with a query', { PUBLIC_URL: 'http://mall.example/?a' }, /^PUBLIC_URL/],
  ['another database', { ...EXTERNAL, REDIS_URL: 'postgres://h' }, /must be a redis/],
  ['a ledger without a shelf', { LEDGER_URL: 'redis://h:1', SECRET }, /^Set SHELF_URL and LEDGER/],
  ['a short secret', { SECRET: 'short' }, /^SECRET must have at least 32/],
  ['a short one of two secrets', { SECRET: `${SECRET},short` }, /^SECRET must .* each of several/],
  ['a proxy that is no address', { TRUSTED_PROXIES: 'localhost' }, /^TRUSTED_PROXIES/],
  ['an origin with a path', { ALLOWED_ORIGINS: 'https://a.example/x' }, /^ALLOWED_ORIGINS/],
  ['an unknown log level', { LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be/],
  ['an fsync that promises nothing', { LEDGER_FSYNC: 'no' }, /^LEDGER_FSYNC must be always, every/],
  ['an order that is complete before anybody could send it back', { SANDBOX: 'off',
    COMPLETE_MS: '15000' }, /^COMPLETE_MS must be a whole number from 86400000 to/],
  ['a payment provider without its secret', { SANDBOX: 'off', PAYMENT_URL: 'https://p.example',
    PAYMENT_MERCHANT_ID: 'M1' }, /^Set PAYMENT_URL, PAYMENT_MERCHANT_ID and PAYMENT_SECRET/],
  ['a payment provider in the sandbox', { PAYMENT_URL: 'https://p.example',
    PAYMENT_MERCHANT_ID: 'M1', PAYMENT_SECRET: SECRET }, /^PAYMENT_URL needs SANDBOX=off/],
  ['a short secret of the payment provider', { SANDBOX: 'off', PAYMENT_URL: 'https://p.example',
    PAYMENT_MERCHANT_ID: 'M1', PAYMENT_SECRET: `${SECRET},short` }, /^PAYMENT_SECRET must have/],
  ['a payment page that is no origin', { SANDBOX: 'off', PAYMENT_URL: 'https://p.example',
    PAYMENT_MERCHANT_ID: 'M1', PAYMENT_SECRET: SECRET, PAYMENT_PAGES: 'https://p.example/x' },
  /^PAYMENT_PAGES must be origins/],
  ['half a bucket', { ARCHIVE_S3_ENDPOINT: 'https://s3.example' },
    /^Set ARCHIVE_S3_ENDPOINT, ARCHIVE_S3_BUCKET, ARCHIVE_S3_KEY_ID and ARCHIVE_S3_SECRET toge/],
  ['a prefix without a bucket', { ARCHIVE_S3_PREFIX: 'mall' }, /^Set ARCHIVE_S3_ENDPOINT, /],
  ['an endpoint without a scheme', { ...BUCKET, ARCHIVE_S3_ENDPOINT: 's3.example' },
    /^ARCHIVE_S3_ENDPOINT must be an http/],
  ['an endpoint with a password', { ...BUCKET, ARCHIVE_S3_ENDPOINT: 'https://a:b@s3.example' },
    /^ARCHIVE_S3_ENDPOINT must be an http/],
  ['a bucket with a slash', { ...BUCKET, ARCHIVE_S3_BUCKET: 'a/b' }, /^ARCHIVE_S3_BUCKET must be/],
  ['a region with a space', { ...BUCKET, ARCHIVE_S3_REGION: 'eu 1' }, /^ARCHIVE_S3_REGION must be/],
  ['a key with a comma', { ...BUCKET, ARCHIVE_S3_KEY_ID: 'AK,2' }, /^ARCHIVE_S3_KEY_ID must be/],
  ['a short secret of a bucket', { ...BUCKET, ARCHIVE_S3_SECRET: 'short' },
    /^ARCHIVE_S3_SECRET must be 8 to 256/],
  ['a prefix that leads elsewhere', { ...BUCKET, ARCHIVE_S3_PREFIX: 'a/../b' },
    /^ARCHIVE_S3_PREFIX must be names/],
  ['a style that is none', { ...BUCKET, ARCHIVE_S3_PATH_STYLE: 'yes' },
    /^ARCHIVE_S3_PATH_STYLE must be on, off/],
  ['a bucket before an address', { ...BUCKET, ARCHIVE_S3_ENDPOINT: 'http://10.0.0.1:9000',
    ARCHIVE_S3_PATH_STYLE: 'off' }, /^ARCHIVE_S3_PATH_STYLE=off needs an ARCHIVE_S3_ENDPOINT with/],
  ['a negative step', { SANDBOX_STEP_MS: '-1' }, /^SANDBOX_STEP_MS/],
])('%s is refused with one sentence', (_, env, sentence) => {
  expect(() => readConfig(env)).toThrow(sentence)
  expect(() => readConfig(env)).toThrow(ConfigError)
})

test('ended orders go to a folder, or to a bucket in its path or before its host', () => {
  expect(readConfig({}).archiveS3).toBeUndefined()
  const of = (more: object) => readConfig({ ...BUCKET, ...more }).archiveS3
  expect(of({ ARCHIVE_S3_PREFIX: 'mall/orders/' })).toEqual({
    url: 'https://s3.example/ended-orders', prefix: 'mall/orders/', region: 'us-east-1',
    keyId: 'AKEXAMPLE', secret: 'a/secret+of=the-bucket',
  })
  expect(of({ ARCHIVE_S3_PATH_STYLE: 'off', ARCHIVE_S3_REGION: 'cn-north-1' })).toMatchObject({
    url: 'https://ended-orders.s3.example', prefix: '', region: 'cn-north-1',
  })
  expect(of({ ARCHIVE_S3_ENDPOINT: 'http://10.0.0.1:9000/s3/' })?.url)
    .toBe('http://10.0.0.1:9000/s3/ended-orders')
})

test('proxies are addresses or ranges of both families', () => {
  const { trustedProxies } = readConfig({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,fd00::/8, ::1' })
  expect(trustedProxies.map(([, bits]) => bits)).toEqual([32, 8, 8, 128])
})

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const DEFAULTS = JSON.parse(read('../config/default.json')) as Record<string, unknown>
const VARIABLES = [...read('config.ts')
  .matchAll(/(?:integer|text|oneOf)\('([A-Z_]+)', defaults\.(\w+)/g)]
  .map(([, variable = '', setting = '']) => [variable, DEFAULTS[setting]] as const)

test('there are settings to look for', () => expect(VARIABLES.length).toBeGreaterThan(15))

test.each(VARIABLES)('the README lists %s with its default, %j', (variable, value) => {
  const row = read('../README.md').split('\n')
    .find((line) => line.startsWith('| ') && line.split('|')[1]?.includes(`\`${variable}\``))
  expect(row).toBeDefined()
  expect(row?.split('|')[2]).toContain(typeof value === 'number' ? String(value) : '')
})
