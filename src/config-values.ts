/** Settings as text, checked: each names what it must be. */
import { join, resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { KnownFailure } from './failure.ts'
import type { CidrRange, Config, Environment } from './config.ts'

/** A host that only this machine reaches. */
export const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i

/** Says which setting is wrong and what it must be. */
export class ConfigError extends KnownFailure {}

const SHELF_REPLICAS_MAX = 5

export function durationSeconds(text: string | undefined): number | undefined {
  if (!text) return undefined
  const [, count, unit] = /^(\d{1,5})(s|m|h)?$/.exec(text) ?? []
  const seconds = Number(count) * ({ s: 1, m: 60, h: 3600 }[unit ?? 's'] ?? NaN)
  if (seconds >= 3 && seconds <= 86_400) return seconds
  throw new ConfigError('DURATION must be a time such as 30s, 10m or 2h, from 3s to 24h.')
}

export function redisUrls(env: Environment): Config['redis'] {
  const [shelf, ledger, counters] = ['shelf', 'ledger', 'counters']
    .map((role) => env[settingOf(role, env) ?? '']?.trim())
  const shelfReplicas = (env['SHELF_REPLICAS'] ?? '').split(',').map((url) => url.trim())
    .filter(Boolean)
  if (shelfReplicas.length > 0 && (!shelf || shelf.includes(','))) {
    throw new ConfigError('SHELF_REPLICAS needs SHELF_URL with the one Redis that they follow.')
  }
  if (shelfReplicas.length > SHELF_REPLICAS_MAX) {
    throw new ConfigError(`SHELF_REPLICAS must be at most ${SHELF_REPLICAS_MAX} addresses.`)
  }
  if (!shelf && !ledger && !counters) return undefined
  if (!shelf || !ledger || !counters) {
    throw new ConfigError('Set SHELF_URL and LEDGER_URL together, or REDIS_URL for every role.')
  }
  const given = {
    SHELF_URL: shelf, LEDGER_URL: ledger, COUNTERS_URL: counters,
    ...(shelfReplicas.length > 0 && { SHELF_REPLICAS: shelfReplicas.join(',') }),
  }
  for (const [name, urls] of Object.entries(given)) {
    for (const url of urls.split(',')) {
      if (!/^rediss?:\/\/[^\s]+$/.test(url) || !URL.canParse(url)) {
        throw new ConfigError(`${name} must be a redis:// or rediss:// address.`)
      }
    }
  }
  return { shelf, ...(shelfReplicas.length > 0 && { shelfReplicas }), ledger, counters }
}

/** Beside the embedded Redis unless it is named; nodes of several machines must name it. */
export function archiveDir(env: Environment, dataDir: string): string | undefined {
  const folder = env['ARCHIVE_DIR']?.trim()
  if (folder) return resolve(folder)
  return redisUrls(env) ? undefined : join(dataDir, 'archive')
}

const S3_PREFIX_MAX = 256

/** All of it or nothing: with half a store orders would stay on the ledger unnoticed. */
export function archiveS3(
  env: Environment, { region, isPathStyle }: { region: string, isPathStyle: boolean },
): Config['archiveS3'] {
  const [endpoint, bucket, keyId, secret, prefix = ''] =
    ['ARCHIVE_S3_ENDPOINT', 'ARCHIVE_S3_BUCKET', 'ARCHIVE_S3_KEY_ID', 'ARCHIVE_S3_SECRET',
      'ARCHIVE_S3_PREFIX'].map((name) => env[name]?.trim() || undefined)
  if (!endpoint && !bucket && !keyId && !secret && !prefix) return undefined
  if (!endpoint || !bucket || !keyId || !secret) {
    throw new ConfigError('Set ARCHIVE_S3_ENDPOINT, ARCHIVE_S3_BUCKET, ARCHIVE_S3_KEY_ID and '
      + 'ARCHIVE_S3_SECRET together.')
  }
  if (!/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.test(endpoint) || !URL.canParse(endpoint)) {
    throw new ConfigError('ARCHIVE_S3_ENDPOINT must be an http or https address without ? and #.')
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new ConfigError('ARCHIVE_S3_BUCKET must be 3 to 63 small letters, digits and any of . -')
  }
  if (!/^[0-9A-Za-z-]{1,64}$/.test(region)) {
    throw new ConfigError('ARCHIVE_S3_REGION must be 1 to 64 letters, digits and any of -')
  }
  if (!/^[\w.@:+-]{3,128}$/.test(keyId)) {
    throw new ConfigError(
      'ARCHIVE_S3_KEY_ID must be 3 to 128 letters, digits and any of . _ @ : + -')
  }
  if (!/^[!-~]{8,256}$/.test(secret)) {
    throw new ConfigError('ARCHIVE_S3_SECRET must be 8 to 256 characters of ASCII without spaces.')
  }
  if (prefix.length > S3_PREFIX_MAX || !/^([0-9A-Za-z][\w.-]*(\/|$))*$/.test(prefix)) {
    throw new ConfigError('ARCHIVE_S3_PREFIX must be names such as mall/orders, of letters, digits '
      + `and any of . _ -, up to ${S3_PREFIX_MAX} characters.`)
  }
  return {
    url: bucketUrl(endpoint, bucket, isPathStyle),
    prefix: prefix && `${prefix.replace(/\/$/, '')}/`, region, keyId, secret,
  }
}

function bucketUrl(endpoint: string, bucket: string, isPathStyle: boolean): string {
  const base = endpoint.replace(/\/+$/, '')
  const url = isPathStyle ? `${base}/${bucket}` : base.replace('://', `://${bucket}.`)
  if (!URL.canParse(url)) {
    throw new ConfigError('ARCHIVE_S3_PATH_STYLE=off needs an ARCHIVE_S3_ENDPOINT with a name.')
  }
  return url
}

/** The variables that give each role its address; the first that is set counts. */
const REDIS_SETTINGS: Readonly<Record<string, readonly string[]>> = {
  shelf: ['SHELF_URL', 'REDIS_URL'],
  ledger: ['LEDGER_URL', 'REDIS_URL'],
  counters: ['COUNTERS_URL', 'REDIS_URL', 'SHELF_URL'],
}

/** Undefined with the embedded Redis. */
export const settingOf = (role: string, env: Environment): string | undefined =>
  REDIS_SETTINGS[role]?.find((name) => env[name]?.trim())

export function publicUrl(env: Environment, port: number): string {
  const value = env['PUBLIC_URL']?.trim() || `http://localhost:${port}`
  if (!/^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/.test(value) || !URL.canParse(value)) {
    throw new ConfigError('PUBLIC_URL must be an http or https address without ? and #.')
  }
  return value.replace(/\/+$/, '')
}

const PAYMENT_SECRET_MIN = 32

/** All of it or nothing: half a provider would take money that no order gets. */
export function payment(env: Environment, sandbox: boolean): Config['payment'] {
  const [url, merchantId, secret, pages] =
    ['PAYMENT_URL', 'PAYMENT_MERCHANT_ID', 'PAYMENT_SECRET', 'PAYMENT_PAGES']
      .map((name) => env[name]?.trim() || undefined)
  if (!url && !merchantId && !secret && !pages) return undefined
  if (!url || !merchantId || !secret) {
    throw new ConfigError('Set PAYMENT_URL, PAYMENT_MERCHANT_ID and PAYMENT_SECRET together.')
  }
  if (sandbox) {
    throw new ConfigError('PAYMENT_URL needs SANDBOX=off: the sandbox takes pretended money.')
  }
  if (!/^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/.test(url) || !URL.canParse(url)) {
    throw new ConfigError('PAYMENT_URL must be an http or https address without ? and #.')
  }
  if (!/^[0-9A-Za-z._:-]{1,64}$/.test(merchantId)) {
    throw new ConfigError('PAYMENT_MERCHANT_ID must be 1 to 64 letters, digits and any of . _ : -')
  }
  const secrets = secret.split(',').map((one) => one.trim())
  if (secrets.some((one) => one.length < PAYMENT_SECRET_MIN)) {
    throw new ConfigError(
      `PAYMENT_SECRET must have at least ${PAYMENT_SECRET_MIN} characters, each of several.`)
  }
  const origins = (pages ?? '').split(',').map((one) => one.trim()).filter(Boolean)
  if (origins.some((one) => !URL.canParse(one) || new URL(one).origin !== one)) {
    throw new ConfigError('PAYMENT_PAGES must be origins such as https://pay.example, with commas.')
  }
  return { url: url.replace(/\/+$/, ''), merchantId, secrets, pages: origins }
}

/** The standard's own variable; its others are read by the library itself. */
export function otlpEndpoint(env: Environment): string | undefined {
  const value = env['OTEL_EXPORTER_OTLP_ENDPOINT']?.trim()
  if (!value) return undefined
  if (!/^https?:\/\/[^\s?#]+$/.test(value) || !URL.canParse(value)) {
    throw new ConfigError('OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address.')
  }
  return value.replace(/\/+$/, '')
}

export function proxies(list: string): CidrRange[] {
  return list.split(',').map((entry) => entry.trim()).filter(Boolean).map((entry): CidrRange => {
    try {
      if (entry.includes('/')) return ipaddr.parseCIDR(entry)
      const address = ipaddr.parse(entry)
      return [address, address.kind() === 'ipv4' ? 32 : 128]
    } catch {
      throw new ConfigError('TRUSTED_PROXIES must be IP addresses or CIDR ranges with commas.')
    }
  })
}

export function origins(list: string): Config['allowedOrigins'] {
  if (list === '*') return '*'
  const entries = list.split(',').map((entry) => entry.trim()).filter(Boolean)
  for (const entry of entries) {
    if (!URL.canParse(entry) || new URL(entry).origin !== entry) {
      throw new ConfigError('ALLOWED_ORIGINS must be * or origins such as https://shop.example.')
    }
  }
  return entries
}

export function smtpUrl(env: Environment): string | undefined {
  const value = env['SMTP_URL']?.trim()
  if (!value) return undefined
  if (!/^smtps?:\/\/[^\s?#]+$/.test(value) || !URL.canParse(value)) {
    throw new ConfigError('SMTP_URL must be an smtp:// or smtps:// address.')
  }
  return value
}

export function mailFrom(value: string): string {
  if (!/^[^\s<>@]+@[^\s<>@]+$/.test(value)) {
    throw new ConfigError('MAIL_FROM must be a plain e-mail address.')
  }
  return value
}
