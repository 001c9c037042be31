/** Files by which hosts find the server: settings to paste, and manifests of the plugin. */

export const PLUGIN_NAME = 'agentmall'

const DESCRIPTION = 'Shop for your user: search and compare goods, order with their confirmation, '
  + 'follow the parcel, handle returns.'
const KEY_DESCRIPTION = 'Begins with ak_. POST /v1/trial-keys of the service gives one.'
const KEYWORDS = ['shopping', 'commerce', 'orders', 'mcp']

export interface Host {
  readonly name: string
  /** Where the host reads it. */
  readonly file: string
  readonly language: 'json' | 'toml' | 'sh'
  readonly text: string
}

/** The variable that hosts read the key from, where they can. */
export const KEY_VARIABLE = 'AGENTMALL_API_KEY'

const SERVER = 'agentmall'
const json = (value: unknown): string => JSON.stringify(value, null, 2)
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })

/** `mcpUrl` as callers see it; none of the texts has a key in it. */
export function hostsOf(mcpUrl: string): readonly Host[] {
  return [
    {
      name: 'Claude Code', file: 'command line', language: 'sh',
      text: `claude mcp add --transport http ${SERVER} ${mcpUrl} \\\n`
        + `  --header "Authorization: Bearer $${KEY_VARIABLE}"`,
    },
    {
      name: 'Claude Code, for a project', file: '.mcp.json', language: 'json',
      text: json({
        mcpServers: {
          [SERVER]: { type: 'http', url: mcpUrl, headers: bearer(`\${${KEY_VARIABLE}}`) },
        },
      }),
    },
    {
      name: 'Cursor', file: '.cursor/mcp.json', language: 'json',
      text: json({
        mcpServers: { [SERVER]: { url: mcpUrl, headers: bearer(`\${env:${KEY_VARIABLE}}`) } },
      }),
    },
    {
      name: 'VS Code', file: '.vscode/mcp.json', language: 'json',
      text: json({
        inputs: [{
          type: 'promptString', id: 'agentmall-key', description: 'agentmall API key',
          password: true,
        }],
        servers: {
          [SERVER]: { type: 'http', url: mcpUrl, headers: bearer('${input:agentmall-key}') },
        },
      }),
    },
    {
      name: 'Codex', file: '~/.codex/config.toml', language: 'toml',
      text: `[mcp_servers.${SERVER}]\nurl = ${JSON.stringify(mcpUrl)}\n`
        + `bearer_token_env_var = "${KEY_VARIABLE}"`,
    },
    {
      name: 'Gemini CLI', file: '~/.gemini/settings.json', language: 'json',
      text: json({
        mcpServers: { [SERVER]: { httpUrl: mcpUrl, headers: bearer(`$${KEY_VARIABLE}`) } },
      }),
    },
    {
      name: 'Windsurf', file: '~/.codeium/windsurf/mcp_config.json', language: 'json',
      text: json({
        mcpServers: {
          [SERVER]: { serverUrl: mcpUrl, headers: bearer(`\${env:${KEY_VARIABLE}}`) },
        },
      }),
    },
    {
      name: 'Any other, without a key', file: 'its MCP configuration', language: 'json',
      text: json({ mcpServers: { [SERVER]: { type: 'http', url: mcpUrl } } }),
    },
  ]
}

interface ManifestFacts {
  readonly version: string
  readonly publicUrl: string
  readonly mcpUrl: string
}

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
