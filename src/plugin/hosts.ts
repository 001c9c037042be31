/** How the well-known MCP hosts are told of the server: their own files, ready to paste. */

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
