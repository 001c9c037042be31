/** An owner's agents, their keys and their limits. */
import { Type } from 'typebox'
import { OwnerLimits } from '../../contract/caller.ts'
import { defineOperation } from '../../operations/define.ts'
import { ApiKey, CLOSED, Text, Time } from '../../contract/fields.ts'
import { AgentId, AgentInfo, Done, Label, NoInput } from './fields.ts'

const AGENT = 'ag_3f1c9a6e0b7d4e52'
const HOUR_MS = 3_600_000
const OVERLAP_HOURS_MAX = 168

export const listAgents = defineOperation({
  name: 'list_agents',
  title: 'Agents',
  description: 'The account\'s agents, at most five, with their keys and limits.',
  access: 'owner',
  effect: 'read',
  route: 'GET /agents',
  input: NoInput,
  output: Type.Object({ agents: Type.Array(AgentInfo) }, CLOSED),
  fails: [],
  example: {},
  async handle(_, { caller, services }) {
    return { agents: await services.agents.list(caller.account) as never }
  },
})

export const createAgent = defineOperation({
  name: 'create_agent',
  title: 'Create an agent',
  description: 'Its key is shown once, in this answer.',
  access: 'owner',
  effect: 'create',
  route: 'POST /agents',
  input: Type.Object({ label: Label }, CLOSED),
  output: Type.Object({ agent: AgentId, api_key: ApiKey }, CLOSED),
  fails: ['agent_limit'],
  example: { label: 'my agent' },
  async handle({ label }, { caller, services }) {
    const { agent, apiKey } = await services.agents.create(caller.account, label)
    return { agent, api_key: apiKey }
  },
})

export const renameAgent = defineOperation({
  name: 'rename_agent',
  title: 'Rename an agent',
  description: 'Changes the name that its owner sees.',
  access: 'owner',
  effect: 'update',
  route: 'PATCH /agents/:agent',
  input: Type.Object({ agent: AgentId, label: Label }, CLOSED),
  output: Done,
  fails: ['not_found'],
  example: { agent: AGENT, label: 'gift finder' },
  async handle({ agent, label }, { caller, services }) {
    await services.agents.rename(caller.account, agent, label)
    return {}
  },
})

export const deleteAgent = defineOperation({
  name: 'delete_agent',
  title: 'Delete an agent',
  description: 'Its keys end at once and its place is free; its orders and earnings stay.',
  access: 'owner',
  effect: 'update',
  route: 'DELETE /agents/:agent',
  input: Type.Object({ agent: AgentId }, CLOSED),
  output: Done,
  fails: ['not_found'],
  example: { agent: AGENT },
  async handle({ agent }, { caller, services }) {
    await services.agents.remove(caller.account, agent)
    return {}
  },
})

export const rotateKey = defineOperation({
  name: 'rotate_key',
  title: 'Rotate an agent\'s key',
  description: 'A new key, shown once; the present ones stay good for the overlap.',
  access: 'owner',
  effect: 'create',
  route: 'POST /agents/:agent/keys',
  input: Type.Object({
    agent: AgentId,
    overlap_hours: Type.Integer({
      minimum: 0, maximum: OVERLAP_HOURS_MAX, default: 24,
      description: 'How long the present keys stay good',
    }),
  }, CLOSED),
  output: Type.Object({ api_key: ApiKey, old_keys_end_at: Time }, CLOSED),
  fails: ['not_found'],
  example: { agent: AGENT, overlap_hours: 24 },
  async handle({ agent, overlap_hours }, { caller, services }) {
    const { apiKey, oldKeysEndAt } =
      await services.agents.rotate(caller.account, agent, overlap_hours * HOUR_MS)
    await services.events.ringFollowers(agent)
    return { api_key: apiKey, old_keys_end_at: oldKeysEndAt }
  },
})

export const revokeKey = defineOperation({
  name: 'revoke_key',
  title: 'Revoke a key',
  description: 'It opens nothing from now on, on every node within a second.',
  access: 'owner',
  effect: 'update',
  route: 'DELETE /agents/:agent/keys/:key_id',
  input: Type.Object({ agent: AgentId, key_id: Text(64, 'Of list_agents') }, CLOSED),
  output: Done,
  fails: ['not_found'],
  example: { agent: AGENT, key_id: '0b7d4e52a1c93f1c' },
  async handle({ agent, key_id }, { caller, services }) {
    await services.agents.revokeKey(caller.account, agent, key_id)
    return {}
  },
})

export const setAgentLimits = defineOperation({
  name: 'set_agent_limits',
  title: 'Limit an agent',
  description: 'Replaces what was set before; an empty object limits nothing. Checked before '
    + 'every order of the agent, on all nodes together.',
  access: 'owner',
  effect: 'update',
  route: 'PUT /agents/:agent/limits',
  input: Type.Object({ agent: AgentId, limits: OwnerLimits }, CLOSED),
  output: Done,
  fails: ['not_found'],
  example: { agent: AGENT, limits: { order_amount_max: 50_000, categories: [4, 6] } },
  async handle({ agent, limits }, { caller, services }) {
    await services.agents.setLimits(caller.account, agent, limits)
    return {}
  },
})

export const bindTrial = defineOperation({
  name: 'bind_trial',
  title: 'Enter a binding code',
  description: 'A trial key, its orders and all that it earned and will earn come to this '
    + 'account, once.',
  access: 'owner',
  effect: 'update',
  route: 'POST /bindings',
  input: Type.Object({ binding_code: Text(64, 'Of the answer that gave the trial key') }, CLOSED),
  output: Type.Object({ agents: Type.Array(AgentId) }, CLOSED),
  fails: ['not_found', 'agent_limit'],
  example: { binding_code: '4fT9QmZ2x7LkB0aC' },
  async handle({ binding_code }, { caller, services }) {
    const { account, client } = caller
    return { agents: await services.accounts.joinTrial(account, binding_code, client.address) }
  },
})
