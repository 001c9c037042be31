/** How well-known MCP hosts are told of a server over Streamable HTTP with a header. */
export interface Host {
  readonly name: string
  /** Where the text goes: a file, or the command line. */
  readonly place: string
  readonly isJson: boolean
  text(url: string, key: string): string
}

const json = (value: object): string => JSON.stringify(value, null, 2)
const bearer = (key: string): string => `Bearer ${key}`
const headers = (key: string) => ({ Authorization: bearer(key) })

const file = (
  name: string, place: string, config: (url: string, key: string) => object,
): Host => ({ name, place, isJson: true, text: (url, key) => json(config(url, key)) })

export const HOSTS: readonly Host[] = [
  {
    name: 'Claude Code', place: 'shell', isJson: false,
    text: (url, key) => `claude mcp add --transport http agentmall ${url} \\\n`
      + `  --header "Authorization: ${bearer(key)}"`,
  },
  file('Cursor', '~/.cursor/mcp.json', (url, key) => ({
    mcpServers: { agentmall: { url, headers: headers(key) } },
  })),
  file('VS Code', '.vscode/mcp.json', (url, key) => ({
    servers: { agentmall: { type: 'http', url, headers: headers(key) } },
  })),
  {
    name: 'Codex', place: '~/.codex/config.toml', isJson: false,
    text: (url, key) => `[mcp_servers.agentmall]\nurl = "${url}"\n`
      + `http_headers = { Authorization = "${bearer(key)}" }`,
  },
  file('Gemini CLI', '~/.gemini/settings.json', (url, key) => ({
    mcpServers: { agentmall: { httpUrl: url, headers: headers(key) } },
  })),
  // It speaks to local servers only: this one carries the calls on.
  file('Claude Desktop', 'claude_desktop_config.json', (url, key) => ({
    mcpServers: {
      agentmall: {
        command: 'npx',
        args: ['-y', 'mcp-remote', url, '--header', 'Authorization:${AUTHORIZATION}'],
        env: { AUTHORIZATION: bearer(key) },
      },
    },
  })),
  file('JSON', 'mcp.json', (url, key) => ({
    mcpServers: { agentmall: { type: 'http', url, headers: headers(key) } },
  })),
]
