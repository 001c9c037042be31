/** Asks the runner for a disturbance, and when it came. Without a runner for it nothing happens. */
import http from 'k6/http'
import { check } from 'k6'
import { plan } from './plan.ts'

export type Disturbance = 'drain' | 'kill' | 'slow'

const PARAMS = { timeout: '60s', tags: { name: 'control' } }

/** Ends when it has happened. */
export function disturb(name: Disturbance): void {
  if (plan.control === null) return
  const { status } = http.post(`${plan.control}/${name}`, null, PARAMS)
  check(status, { 'the disturbance came': () => status === 204 }, { name: 'control' })
}

/** Milliseconds since a node was killed; null before. */
export function sinceKill(): number | null {
  if (plan.control === null) return null
  const { body } = http.get(`${plan.control}/since-kill`, PARAMS)
  return JSON.parse(body as string) as number | null
}
