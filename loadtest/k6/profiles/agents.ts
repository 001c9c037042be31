/** Agents over MCP, half of them in each era. An iteration is one conversation of seven calls. */
import exec from 'k6/execution'
import { CONVERSATION_NAMES, converse } from '../visits.ts'
import { arrivals, profileOptions, summaryWith } from '../options.ts'

export const options = profileOptions({
  scenarios: { agents: arrivals({ exec: 'agents' }) },
  names: CONVERSATION_NAMES,
})

export const agents = (): void =>
  converse(exec.scenario.iterationInTest % 2 === 0 ? 'handshake' : 'modern')

export const handleSummary = summaryWith()
