/** GET /.well-known/ucp: what a platform learns of this business before it calls. */
import type { Route } from '../contract/http.ts'
import type { Secrets } from '../secrets/derive.ts'
import { UCP_CAPABILITIES, declared, service, UCP_VERSION } from './capabilities.ts'

export const UCP_PATH = '/ucp'
export const UCP_MCP_PATH = `${UCP_PATH}/mcp`
export const PROFILE_PATH = '/.well-known/ucp'
/** The specification asks for 60 at least. */
const PROFILE_AGE_S = 300

/** No payment handler: people pay at the cashier, and no credential is ever taken. */
export const PAYMENT_HANDLERS = {} as const

export const profileOf = (publicUrl: string, secrets: Pick<Secrets, 'signingKeys'>): object => ({
  ucp: {
    version: UCP_VERSION,
    services: {
      'dev.ucp.shopping': [
        service('rest', `${publicUrl}${UCP_PATH}`),
        service('mcp', `${publicUrl}${UCP_MCP_PATH}`),
      ],
    },
    capabilities: Object.fromEntries(UCP_CAPABILITIES.map((one) => [one.name, [declared(one)]])),
    payment_handlers: PAYMENT_HANDLERS,
  },
  signing_keys: secrets.signingKeys.map(({ jwk }) => jwk),
})

export function profileRoute(publicUrl: string, secrets: Pick<Secrets, 'signingKeys'>): Route {
  const body = Buffer.from(JSON.stringify(profileOf(publicUrl, secrets)))
  return {
    method: 'GET',
    pattern: PROFILE_PATH,
    handler: () => ({
      status: 200,
      headers: [
        ['Content-Type', 'application/json; charset=utf-8'],
        ['Cache-Control', `public, max-age=${PROFILE_AGE_S}`],
      ],
      body,
    }),
  }
}
