/** Certificates of a receiver on loopback: one that holds, and one that has expired. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Certificates {
  readonly key: string
  readonly valid: string
  readonly expired: string
  /** Both, for who is to trust them. */
  readonly trusted: string
}

const run = promisify(execFile)
const ABOUT = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1']

/** The second is made ten days ago, by a clock that is shifted. */
export async function makeCertificates(
  { openssl, faketime, folder }: { openssl: string, faketime: string, folder: string },
): Promise<Certificates> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = (name: string): string => join(folder, `${name}.pem`)
  await run(openssl, ['req', '-x509', '-newkey', 'ec', '-pkeyopt',
    'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', path('key'), '-out', path('valid'),
    '-days', '30', ...ABOUT])
  await run(openssl, ['req', '-x509', '-key', path('key'), '-out', path('expired'),
    '-days', '1', ...ABOUT], { env: { LD_PRELOAD: faketime, FAKETIME: '-10d' } })
  const [key = '', valid = '', expired = ''] = ['key', 'valid', 'expired']
    .map((name) => readFileSync(path(name), 'utf8'))
  writeFileSync(path('trusted'), valid + expired)
  return { key, valid, expired, trusted: path('trusted') }
}
