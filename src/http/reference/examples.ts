/** Example answers: recorded from a running node, or made by the code that makes real ones. */
import { ERRORS, errorData, Refusal, type ErrorName } from '../../contract/errors.ts'
import { parseJson } from '../../contract/json.ts'
import { failure, success } from '../envelope.ts'
import { wholeBody } from '../pieces.ts'
import type { HttpReply } from '../../contract/http.ts'
import recorded from './answers.json' with { type: 'json' }
import { ERROR_NOTES } from './error-notes.ts'
import type { Operation } from '../../contract/operation.ts'
import { sample } from './sample.ts'

/** Where the recording node said it was: replaced by where this one is. */
export const RECORDED_URL = 'http://localhost:8080'
export const AGENT_EXAMPLE = 'ag_5R2K8M0Q7T3VYXNC'
const REQUEST_ID_EXAMPLE = '6f0c2b9e-58a1-4d35-9a4e-2f7d1c0b8e63'

const ANSWERS = recorded as Readonly<Record<string, unknown>>

export interface AnswerExample {
  readonly data: unknown
  /** Given by a node; otherwise made from the schema. */
  readonly isRecorded: boolean
}

/** Undefined where there is no recording and the schema does not say enough to make a value. */
export function answerExample(operation: Operation, publicUrl: string): AnswerExample | undefined {
  const { name, output } = operation
  const isRecorded = Object.hasOwn(ANSWERS, name)
  const data = isRecorded ? ANSWERS[name] : sample(output)
  if (data === undefined) return undefined
  const text = JSON.stringify(data).replaceAll(RECORDED_URL, publicUrl)
  return { data: JSON.parse(text), isRecorded }
}

export function successBody(data: unknown, agent: string | null): unknown {
  return json(success(Buffer.from(JSON.stringify(data)), agent, [], false))
}

const NOBODY: readonly ErrorName[] = [
  'key_required', 'key_invalid', 'too_large', 'headers_too_large', 'method_not_allowed',
]

/** The whole body of an error answer, as a node would send it. */
export function errorBody(name: ErrorName, detail = ERROR_NOTES[name].detail): unknown {
  const refusal = new Refusal(name, detail)
  const agent = NOBODY.includes(name) ? null : AGENT_EXAMPLE
  return json(failure(errorData(refusal, REQUEST_ID_EXAMPLE), agent, []))
}

const json = ({ body }: HttpReply): unknown => parseJson(wholeBody(body))

export const ERROR_NAMES = Object.keys(ERRORS) as ErrorName[]
