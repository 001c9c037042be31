/** Calls of the console's API: the data of the answer, or a Problem that says what is wrong. */
import { forgetEverything, session } from './session.ts'

const API = '/console/api'
const DEADLINE_MS = 15_000

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface FieldProblem {
  readonly path: string
  readonly problem: string
}

/** `error` is a name of the API's table, or `offline` when there was no answer in time. */
export class Problem extends Error {
  readonly error: string
  readonly fields: readonly FieldProblem[]
  readonly facts: Readonly<Record<string, unknown>>

  constructor(msg: string, data: Readonly<Record<string, unknown>>) {
    super(msg)
    this.error = String(data['error'] ?? 'internal')
    this.fields = (data['fields'] ?? []) as FieldProblem[]
    this.facts = data
  }
}

export const asProblem = (error: unknown): Problem =>
  (error instanceof Problem ? error : new Problem('', { error: 'internal' }))

export interface CallOptions {
  /** A UUID, the same for every repetition of one attempt. */
  readonly idempotencyKey?: string
}

export async function call<T>(
  method: Method, path: string, body?: object, { idempotencyKey }: CallOptions = {},
): Promise<T> {
  const answer = await answerOf(path, {
    method,
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(session.value && { 'X-CSRF-Token': session.value.csrf_token }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (answer.code === 0) return answer.data as T
  if (answer.data['error'] === 'sign_in_required') forgetEverything('ended')
  // Nobody fills in a field to read something: what is wrong is the address.
  const isAddress = method === 'GET' && answer.data['error'] === 'invalid_request'
  throw new Problem(answer.msg, isAddress ? { error: 'not_found' } : answer.data)
}

interface Envelope {
  readonly code: number
  readonly msg: string
  readonly data: Readonly<Record<string, unknown>>
}

async function answerOf(path: string, request: RequestInit): Promise<Envelope> {
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS)
    return await (await fetch(API + path, { ...request, signal })).json() as Envelope
  } catch {
    throw new Problem('', { error: 'offline' })
  }
}
