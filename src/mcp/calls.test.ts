import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { errorData, Refusal, type ErrorName, type RefusalDetail } from '../errors.ts'
import { failureText, jsonString } from './calls.ts'

it.each([
  ['compact JSON', undefined], ['JSON with line breaks and tabs', '\t'],
])('%s inside a JSON string is that text again, whatever it holds', (_, indent) => {
  fc.assert(fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
    const json = JSON.stringify(value, null, indent)
    expect(JSON.parse(jsonString(Buffer.from(json)).toString())).toBe(json)
  }))
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
