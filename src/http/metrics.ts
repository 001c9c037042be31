/** GET /metrics: for the operator's scraper, and for nobody else. */
import { createHash, timingSafeEqual } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { Refusal } from '../contract/errors.ts'
import { createHostCheck } from '../gate/origins.ts'
import type { HttpRequest, Route } from '../contract/http.ts'

export interface MetricsOptions {
  /** Its host is the one that a caller on this machine may name, beside loopback names. */
  readonly publicUrl: string
  /** Undefined: only callers on this machine, without a token. */
  readonly token: string | undefined
  readonly read: () => Promise<{ type: string, text: string }>
}

/** What a proxy adds: behind one, everybody's peer is this machine. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const

export function metricsRoute({ token, publicUrl, read }: MetricsOptions): Route {
  const isOwnHost = createHostCheck(publicUrl)
  return {
    method: 'GET',
    pattern: '/metrics',
    async handler(request) {
      if (token === undefined) refuseStrangers(request, isOwnHost(request.header('host')))
      else refuseWithout(token, request)
      const { type, text } = await read()
      return {
        status: 200, headers: [['Content-Type', type], ['Cache-Control', 'no-store']], body: text,
      }
    },
  }
}

/**
 * As if there were nothing here. The Host of a page whose name resolves to this machine (DNS
 * rebinding) is that page's.
 */
function refuseStrangers(request: HttpRequest, isOwnHost: boolean): void {
  const isForwarded = FORWARDED.some((name) => request.header(name) !== undefined)
  if (!isOwnHost || isForwarded || !isLoopback(request.address)) throw new Refusal('not_found')
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}

function refuseWithout(token: string, request: HttpRequest): void {
  const given = /^Bearer +(\S+)$/i.exec(request.header('authorization') ?? '')?.[1]
  const hint = 'Send the header Authorization: Bearer <METRICS_TOKEN>.'
  if (given === undefined) throw new Refusal('key_required', { hint })
  if (!timingSafeEqual(digest(given), digest(token))) throw new Refusal('key_invalid', { hint })
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
