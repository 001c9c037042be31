import { pino, type Logger } from 'pino'

export type { Logger }

/** Names that never reach a log line, wherever they stand in a logged object. */
const SECRET_FIELDS = [
  'api_key', 'binding_code', 'receiver', 'authorization', 'x-api-key', 'password', 'secret',
  'token',
]

export function createLogger(level: string): Logger {
  return pino({
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: SECRET_FIELDS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
      censor: '[hidden]',
    },
  })
}
