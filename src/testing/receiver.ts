/** A webhook receiver of a test: keeps what it gets, and answers as it is told. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly event: { readonly id: string, readonly type: string, readonly data: object }
}

export type Answer = (received: Received, response: ServerResponse) => void

export interface Receiver {
  readonly url: string
  /** Events, without challenges and tests. */
  readonly events: Received[]
  readonly challenges: Received[]
  /** How the next ones are answered. */
  answer: Answer
  /** As they should be, unless a test says otherwise. */
  answerChallenge: Answer
  close(): Promise<void>
}

export const answerOk: Answer = (_, response) => response.writeHead(204).end()

const answerChallenge: Answer = ({ body }, response) =>
  response.end(JSON.stringify({ challenge: JSON.parse(body).challenge }))

export async function startReceiver(port = 0): Promise<Receiver> {
  const events: Received[] = []
  const challenges: Received[] = []
  const server = createServer((request, response) => {
    bodyOf(request).then((body) => {
      const event = JSON.parse(body) as Received['event']
      const received = { headers: request.headers as Received['headers'], body, event }
      if (event.type === 'webhook.challenge' || event.type === 'verification') {
        challenges.push(received)
        receiver.answerChallenge(received, response)
        return
      }
      events.push(received)
      receiver.answer(received, response)
    }).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => { server.listen(port, '127.0.0.1', resolve) })
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    events,
    challenges,
    answer: answerOk,
    answerChallenge,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => { server.close(resolve) })
    },
  }
  return receiver
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
