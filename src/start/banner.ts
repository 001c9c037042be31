/** What a start prints: addresses and lines that work when pasted. */
import type { SandboxKey } from '../accounts/api-keys.ts'

export interface BannerFacts {
  readonly publicUrl: string
  readonly sandboxKey: SandboxKey | undefined
  readonly nodes: number
  readonly items: number
  /** Of this machine in its network; undefined where others cannot reach the service. */
  readonly networkUrl?: string | undefined
}

/** Links and QR codes lead to PUBLIC_URL, and `localhost` is the phone itself on a phone. */
function phoneLines({ publicUrl, networkUrl }: BannerFacts): string[] {
  if (networkUrl === undefined || networkUrl === publicUrl) return []
  const isLocal = /^https?:\/\/(localhost|127\.|\[::1\])/.test(publicUrl)
  return [
    `  network  ${networkUrl}`,
    ...(isLocal ? [`           for a phone start with PUBLIC_URL=${networkUrl}: links and QR codes `
      + `lead to ${publicUrl} now`] : []),
  ]
}

export function banner(facts: BannerFacts): string {
  const { publicUrl, sandboxKey, nodes, items } = facts
  const { file, apiKey } = sandboxKey ?? {}
  // Standard output ends up in a log: a key is written there when it is made, and never again.
  const key = apiKey ?? '<API_KEY>'
  const read = apiKey ?? (file === undefined ? '<API_KEY>' : `$(cat ${file})`)
  const client = {
    mcpServers: {
      agentmall: {
        type: 'http', url: `${publicUrl}/mcp`, headers: { Authorization: `Bearer ${key}` },
      },
    },
  }
  return [
    '',
    `agentmall is ready: ${items} items, ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`,
    '',
    `  MCP      ${publicUrl}/mcp`,
    `  REST     ${publicUrl}/v1`,
    `  docs     ${publicUrl}/docs`,
    `  plugin   ${publicUrl}/plugin`,
    `  console  ${publicUrl}/console`,
    ...phoneLines(facts),
    ...(file === undefined ? [] : [`  key      ${apiKey ? `${apiKey}, kept in ` : 'in '}${file}`]),
    '',
    'Try it, in another terminal:',
    '',
    `  npm run demo -- --url ${publicUrl}`,
    '',
    `  curl -G '${publicUrl}/v1/goods' -H "Authorization: Bearer ${read}" `
      + "--data-urlencode 'q=电热水壶' -d page_size=3",
    '',
    'MCP client configuration (other hosts: see plugin):',
    '',
    `  ${JSON.stringify(client)}`,
    '',
    'Each request is a line below (LOG_LEVEL=warn hides them). Ctrl-C stops it.',
    '',
  ].join('\n')
}
