/** GET /metrics: for the operator's scraper, and for nobody else. */
import { createHash, timingSafeEqual } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { Refusal } from '../errors.ts'
import type { HttpRequest, Route } from './types.ts'

export interface MetricsOptions {
  /** Undefined: only callers on this machine, without a token. */
  readonly token: string | undefined
  readonly read: () => Promise<{ type: string, text: string }>
}

/** What a proxy adds: behind one, everybody's peer is this machine. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const

export function metricsRoute({ token, read }: MetricsOptions): Route {
  return {
    method: 'GET',
    pattern: '/metrics',
    async handler(request) {
      if (token === undefined) refuseStrangers(request)
      else refuseWithout(token, request)
      const { type, text } = await read()
      return {
        status: 200, headers: [['Content-Type', type], ['Cache-Control', 'no-store']], body: text,
      }
    },
  }
}

/** As if there were nothing here. */
function refuseStrangers(request: HttpRequest): void {
  const isForwarded = FORWARDED.some((name) => request.header(name) !== undefined)
  if (isForwarded || !isLoopback(request.address)) throw new Refusal('not_found')
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
