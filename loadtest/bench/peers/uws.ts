/**
 * The least that an HTTP server of the same build does: it answers every request with the same
 * bytes. `body` in the first message; the port in the answer.
 */
import { once } from 'node:events'
import { uws } from '../../../src/http/native.ts'

const [{ body }] = await once(process, 'message') as [{ body: string }]
process.once('disconnect', () => process.exit(0))
const bytes = Buffer.from(body)
uws.App()
  .any('/*', (response, request) => {
    if (request.getMethod() !== 'post') {
      response.writeHeader('Content-Type', 'application/json').end(bytes)
      return
    }
    response.onAborted(() => {})
    response.onData((_chunk, isLast) => {
      if (isLast) response.writeHeader('Content-Type', 'application/json').end(bytes)
    })
  })
  .listen('127.0.0.1', 0, (socket) => {
    process.send?.({ port: socket ? uws.us_socket_local_port(socket) : 0 })
  })
