import { Type } from 'typebox'
import { CLOSED, defineOperation } from './define.ts'
import { ApiKey, Text } from './fields.ts'

export const createTrialKey = defineOperation({
  name: 'create_trial_key',
  title: 'Get a trial key',
  description: 'A key without an account, shown once. What it earns waits until its binding code '
    + 'is entered in the web console, once.',
  access: 'anyone',
  effect: 'create',
  tool: false,
  route: 'POST /trial-keys',
  input: Type.Object({}, CLOSED),
  output: Type.Object({
    api_key: ApiKey,
    binding_code: Type.String({ minLength: 16, maxLength: 16, secret: true }),
    agent_ref: Text(40),
    tier: Text(20),
  }, CLOSED),
  fails: ['rate_limited'],
  example: {},
  async handle(_input, { caller, services }) {
    const key = await services.accounts.createTrialKey(caller.address)
    return {
      api_key: key.apiKey, binding_code: key.bindingCode, agent_ref: key.agent, tier: key.tier,
    }
  },
})
