/** A listener for tests: on a free port, with its log kept, closed when the test is over. */
import { onTestFinished } from 'vitest'
import type { AccessLog } from '../http/access.ts'
import { errorReply } from '../http/envelope.ts'
import { listen, type Listener, type ListenOptions } from '../http/listen.ts'
import type { Handler, Method, Route } from '../contract/http.ts'

export interface LogEntry {
  readonly level: 'info' | 'error'
  readonly msg: string
  readonly [field: string]: unknown
}

export interface TestListener extends Listener {
  readonly entries: readonly LogEntry[]
}

/** `routes` by method and pattern: `{ 'GET /goods/:skuId': handler }`. */
export async function startListener(
  routes: Readonly<Record<string, Handler>>, options: Partial<ListenOptions> = {},
): Promise<TestListener> {
  const entries: LogEntry[] = []
  const keep = (level: LogEntry['level']) => (fields: object, msg: string): void => {
    entries.push({ ...fields, level, msg })
  }
  const log = {
    error: keep('error'), isLevelEnabled: () => true,
    writeLine: (line: string) => { entries.push({ ...JSON.parse(line), level: 'info' }) },
  } as unknown as AccessLog
  const listener = await listen({
    host: '127.0.0.1', port: 0, trustedProxies: [], allowedOrigins: '*',
    accessLogPerSecond: 1_000_000, pages: { rate_per_s: 1_000_000, burst: 1_000_000 },
    requestDeadlineMs: 10_000, drainNoticeMs: 0, drainMs: 5000, log,
    onError: (error, request) => errorReply(error, request.id),
    routes: Object.entries(routes).map(([route, handler]): Route => {
      const [method, pattern = ''] = route.split(' ')
      return { method: method as Method, pattern, handler }
    }),
    ...options,
  })
  onTestFinished(() => listener.close())
  return { ...listener, entries }
}

/** What a test lets happen at its own time. */
export class Gate {
  open!: () => void
  readonly opened = new Promise<void>((resolve) => { this.open = resolve })
}
