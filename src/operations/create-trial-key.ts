import { Type } from 'typebox'
import { defineOperation } from './define.ts'
import { ApiKey, CLOSED, like, Text } from '../contract/fields.ts'

export const createTrialKey = defineOperation({
  name: 'create_trial_key',
  title: 'Get a trial key',
  description: 'A key without an account, shown once. What it earns waits until its binding code '
    + 'is entered in the web console, once. An address gets a few a day; keep the key and use it '
    + 'for everything. One that earned nothing ends after 7 days without a call.',
  access: 'anyone',
  effect: 'create',
  tool: false,
  route: 'POST /trial-keys',
  input: Type.Object({}, CLOSED),
  output: Type.Object({
    api_key: ApiKey,
    binding_code: like(Type.String({
      minLength: 16, maxLength: 16, secret: true,
      description: 'Enter it in the console to collect what the key earned',
    }), '0000000000EXAMPL'),
    agent_ref: Text(40, 'Public id of the agent'),
    tier: Text(20, 'Sets the limits'),
  }, CLOSED),
  fails: ['rate_limited', 'origin_refused'],
  example: {},
  async handle(_input, { caller, services }) {
    const key = await services.apiKeys.createTrialKey(caller.client.address)
    return {
      api_key: key.apiKey, binding_code: key.bindingCode, agent_ref: key.agent, tier: key.tier,
    }
  },
})
