/** What the operation table promises, held over both transports on a running node. */
import { afterAll, describe, expect, test } from 'vitest'
import { errorsOf } from '../operations/define.ts'
import { createTrialKey } from '../operations/create-trial-key.ts'
import { operations } from '../operations/index.ts'
import { problemsOf } from '../validate.ts'
import { liveFacts, liveInput } from './live.ts'
import { startTestMalls } from './malls.ts'
import { startTestNode } from './node.ts'
import { readBack } from './result-text.ts'

const malls = await startTestMalls()
const node = await startTestNode({ mallCallsPerSecond: 150 }, undefined, malls.settings)
afterAll(async () => {
  await node.stop()
  await malls.close()
})
const key = await node.newKey()
const facts = await liveFacts(node, key)

const inTable = operations.map((operation) => ({ name: operation.name, operation }))
const tools = inTable.filter(({ operation }) => operation.tool !== false)

/**
 * The order is new, so it has no logistics yet, and nobody listens at the webhook endpoint; the
 * lifecycle test sees the order shipped, and those of webhooks a receiver.
 */
const REFUSALS: Readonly<Record<string, string>> = {
  get_logistics: 'not_shipped', resend_webhook: 'invalid_request',
}

/** Each conversion makes links of its own. */
const LINKS = ['go_url', 'platform_url', 'app_url', 'mini_program', 'share_text', 'share_code']

/** What may differ between two calls with the same meaning. */
const steady = (data: unknown): unknown => JSON.parse(JSON.stringify(data, (name, value) =>
  (['inventory_snapshot_at', 'available_qty', 'duplicate', 'api_key', 'binding_code', 'agent_ref',
    'poll_after_s', 'ms', ...LINKS].includes(name) ? undefined : value)))

describe.each(inTable)('$name', ({ operation }) => {
  const refuses = REFUSALS[operation.name]

  test('REST answers the envelope with data of the declared shape', async () => {
    const { status, envelope, headers } =
      await node.rest(operation, liveInput(operation, facts), key)
    expect(envelope).toMatchObject({ schema: 'v1', agent_ref: expect.stringMatching(/^ag_/) })
    expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,64}$/)
    // What is left of the day is named where the call may have spent from it.
    expect(headers.get('ratelimit')).toMatch(operation.openWorld
      ? /^"default";r=\d+;t=\d+(, "daily";r=\d+;t=\d+)?$/ : /^"default";r=\d+;t=\d+$/)
    const daily = operation.openWorld ? ', "daily";q=5000000;w=86400' : ''
    expect(headers.get('ratelimit-policy')).toBe(`"default";q=4000;w=2${daily}`)
    const { code, data } = envelope
    const answer = refuses ? { error: data.error }
      : { status, code, problems: problemsOf(operation.output, data) }
    expect(answer).toEqual(refuses ? { error: refuses } : { status: 200, code: 0, problems: [] })
  })

  test('an unknown field is refused by name, and nothing happens', async () => {
    const { status, envelope } =
      await node.rest(operation, { ...liveInput(operation, facts), colour: 'red' }, key)
    expect(status).toBe(400)
    expect(envelope.data.fields)
      .toContainEqual({ path: 'colour', problem: 'is not a known field' })
  })
})

describe.each(tools)('$name over MCP', ({ operation }) => {
  test('answers the same data, structured and as text', async () => {
    const input = liveInput(operation, facts)
    const rest = await node.rest(operation, input, key)
    const { body } = await node.mcp('tools/call', { name: operation.name, arguments: input }, key)
    const { structuredContent, content, isError } = body.result
    const refuses = REFUSALS[operation.name]
    const data = refuses ? structuredContent.error : structuredContent
    const without = ({ request_id: _, ...rest }: Record<string, unknown>) => rest
    expect(without(steady(data) as Record<string, unknown>))
      .toEqual(without(steady(rest.envelope.data) as Record<string, unknown>))
    expect(Boolean(isError)).toBe(Boolean(refuses))
    expect(refuses ? structuredContent : readBack(content[0].text)).toEqual(structuredContent)
  })
})

describe.each(inTable)('access to $name', ({ operation }) => {
  test('a wrong key is 401 with a challenge, never keyless service', async () => {
    const wrong = `ak_${'0'.repeat(32)}`
    const { status, envelope, headers } =
      await node.rest(operation, liveInput(operation, facts), wrong)
    expect({ status, code: envelope.code }).toEqual({ status: 401, code: 40101 })
    expect(headers.get('www-authenticate')).toMatch(/^Bearer/)
    // No page of another site may have its visitors take keys for it.
    expect(headers.get('access-control-allow-origin'))
      .toBe(operation.name === createTrialKey.name ? null : '*')
  })

  test('without a key it is open or closed as declared', async () => {
    const { envelope } = await node.rest(operation, liveInput(operation, facts))
    expect(envelope).toMatchObject(
      operation.access === 'key' ? { code: 40100, agent_ref: null } : { code: 0 })
  })

  test('the documents list every error that it answers with here', () => {
    expect(errorsOf(operation)).toEqual(expect.arrayContaining(['invalid_request', 'key_invalid']))
  })
})
