/**
 * What reaches no handler (an unknown address, a wrong method, a head that is too large) is still
 * a call where it is addressed to the API: its caller is found and spends a token, so that a flood
 * of these is limited like any other, and the answer says so in its headers.
 */
import { errorData, type Refusal } from '../errors.ts'
import type { Gate } from '../gate/invoke.ts'
import { andThen, type Maybe } from '../maybe.ts'
import { errorReply, failure } from './envelope.ts'
import type { HttpReply, HttpRequest } from './types.ts'

const API = /^\/(?:v1|mcp)(?:\/|$)/

/** Whether calls of a path are limited by their caller's bucket. */
export const isApiPath = (path: string): boolean => API.test(path)

export function createTurnAway(gate: Pick<Gate, 'enter'>) {
  return (refusal: Refusal, request: HttpRequest): Maybe<HttpReply> => {
    if (!isApiPath(request.path)) {
      request.note({ error: refusal.error })
      return errorReply(refusal, request.id)
    }
    return andThen(gate.enter({
      authorization: request.header('authorization'),
      apiKey: request.header('x-api-key'),
      client: request,
    }), ({ caller, headers, refusal: earlier = refusal }) => {
      request.note({ agent: caller.agent, error: earlier.error })
      return failure(errorData(earlier, request.id), caller.agent, headers)
    })
  }
}
