/** A server that answers as a test says, closed when the test is over. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Respond = (request: IncomingMessage, response: ServerResponse, nth: number) => void

export interface TestServer {
  readonly url: string
  calls(): number
  connections(): number
}

export async function startServer(respond: Respond): Promise<TestServer> {
  let calls = 0
  let connections = 0
  const server = createServer((request, response) => {
    calls += 1
    respond(request, response, calls)
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => { server.close(resolve) })
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    connections: () => connections,
  }
}
