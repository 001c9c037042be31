import { createServer } from 'node:net'
import { KnownFailure } from '../failure.ts'

/**
 * Whether nothing listens there. Processes that share a port (SO_REUSEPORT) do not notice each
 * other, so the one that starts them asks first. Not covered: a program of the same user that
 * joins the shared port after this look.
 */
export function portIsFree(host: string, port: number): Promise<boolean> {
  if (port === 0) return Promise.resolve(true)
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(cannotListen(host, port, error.code ?? error.name))
    })
    // Exclusive: inside a cluster's worker this would otherwise ask the primary to share.
    probe.listen({ host, port, exclusive: true }, () => { probe.close(() => resolve(true)) })
  })
}

const REASONS: Record<string, string> = {
  EACCES: 'this user may not use that port',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'no such host is known',
}

/** The reason why listening on a port failed, found out afterwards. */
export async function listenError(host: string, port: number): Promise<Error> {
  try {
    return await portIsFree(host, port)
      ? cannotListen(host, port, 'the system refused')
      : new KnownFailure(`Port ${port} is in use: stop the other program, or set PORT to another.`)
  } catch (error) {
    return error as Error
  }
}

const cannotListen = (host: string, port: number, code: string): Error =>
  new KnownFailure(`Cannot listen on ${host} port ${port}: ${REASONS[code] ?? code}.`)
