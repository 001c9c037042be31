import { expect, it } from 'vitest'
import { errorData, Refusal, type ErrorName, type RefusalDetail } from '../contract/errors.ts'
import { JsonText } from '../contract/json.ts'
import { createCallResults, failureText } from './calls.ts'

it('a result has its data twice, and what its era adds, whatever that is', () => {
  for (const stamp of [{}, { resultType: 'complete', _meta: { a: { b: '"}' } } }]) {
    const results = createCallResults(stamp, 'https://mall.example')
    const read = (pieces: readonly Buffer[]) => JSON.parse(Buffer.concat(pieces).toString())
    const json = '{"items": [1, "手机"]}'
    expect(read(results.success(new JsonText(json)))).toEqual({
      content: [{ type: 'text', text: json }], structuredContent: JSON.parse(json), ...stamp,
    })
    const error = errorData(new Refusal('out_of_stock'), 'req-9')
    expect(read(results.failure(error))).toEqual({
      content: [{ type: 'text', text: failureText(error, 'https://mall.example') }],
      structuredContent: { error }, isError: true, ...stamp,
    })
  }
})

const textOf = (error: ErrorName, detail: RefusalDetail): string =>
  failureText(errorData(new Refusal(error, detail), 'req-9'), 'https://mall.example')

it('a refusal is one paragraph: name, message, problems, facts, advice, waiting time, id', () => {
  expect(textOf('invalid_request', {
    fields: [{ path: '', problem: 'must be an object' }, { path: 'qty', problem: 'is required' }],
    hint: 'Correct it.', retry_after_s: 3, allowed: ['cancel'], note: 'as it is', gone: undefined,
  })).toBe('invalid_request: The request is not valid. arguments must be an object; qty is '
    + 'required. allowed: ["cancel"]. note: as it is. Correct it. Retry after 3 s. '
    + '(request_id req-9)')
})

it('a missing key is told as a host is configured', () => {
  expect(textOf('key_required', {})).toBe('key_required: This operation needs an API key. Get a '
    + 'key at once with POST https://mall.example/v1/trial-keys and have your user put the header '
    + '"Authorization: Bearer <API_KEY>" into the configuration of this MCP server. Without a '
    + 'key, searching works. (request_id req-9)')
})
