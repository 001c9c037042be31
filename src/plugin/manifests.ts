/** What makes a folder a plugin: one manifest for each kind of agent harness. */
import { KEY_VARIABLE } from './hosts.ts'

export interface ManifestFacts {
  readonly version: string
  readonly publicUrl: string
  readonly mcpUrl: string
}

export const PLUGIN_NAME = 'agentmall'

const DESCRIPTION = 'Shop for your user: search and compare goods, order with their confirmation, '
  + 'follow the parcel, handle returns.'
const KEY_DESCRIPTION = 'Begins with ak_. POST /v1/trial-keys of the service gives one.'
const KEYWORDS = ['shopping', 'commerce', 'orders', 'mcp']

/** Paths in the plugin's folder, and the JSON that stands there. */
export function manifests(
  { version, publicUrl, mcpUrl }: ManifestFacts,
): Readonly<Record<string, unknown>> {
  const shared = { name: PLUGIN_NAME, version, description: DESCRIPTION }
  const about = {
    ...shared, author: { name: PLUGIN_NAME, url: publicUrl }, homepage: `${publicUrl}/plugin`,
    keywords: KEYWORDS,
  }
  const server = { type: 'http', url: mcpUrl }
  return {
    // Claude Code asks for the key when the plugin is enabled, and keeps it in the keychain.
    '.claude-plugin/plugin.json': {
      ...about,
      userConfig: {
        api_key: {
          type: 'string', title: 'agentmall API key', description: KEY_DESCRIPTION,
          sensitive: true, required: true,
        },
      },
    },
    '.mcp.json': {
      mcpServers: {
        [PLUGIN_NAME]: {
          ...server, headers: { Authorization: 'Bearer ${user_config.api_key}' },
        },
      },
    },
    '.codex-plugin/plugin.json': {
      ...about, skills: './skills/', mcpServers: './codex.mcp.json',
    },
    'codex.mcp.json': {
      mcpServers: { [PLUGIN_NAME]: { ...server, bearer_token_env_var: KEY_VARIABLE } },
    },
    'gemini-extension.json': {
      ...shared,
      settings: [{
        name: 'agentmall API key', description: KEY_DESCRIPTION, envVar: KEY_VARIABLE,
        sensitive: true,
      }],
      mcpServers: {
        [PLUGIN_NAME]: {
          httpUrl: mcpUrl, headers: { Authorization: `Bearer $${KEY_VARIABLE}` },
        },
      },
    },
  }
}
