/** What this business speaks of UCP: the version, and each capability that works here. */

export const UCP_VERSION = '2026-04-08'
const UCP_ORIGIN = `https://ucp.dev/${UCP_VERSION}`

export interface Capability {
  readonly name: string
  /** Absent: that of the protocol. */
  readonly version?: string
  /** Where its authority publishes them; paths are below the version of the protocol. */
  readonly spec: string
  readonly schema: string
  /** Of an extension: what it extends. */
  readonly extends?: string
  readonly config?: object
}

export const CATALOG_SEARCH = 'dev.ucp.shopping.catalog.search'
export const CATALOG_LOOKUP = 'dev.ucp.shopping.catalog.lookup'
export const CHECKOUT = 'dev.ucp.shopping.checkout'
export const CART = 'dev.ucp.shopping.cart'
export const FULFILLMENT = 'dev.ucp.shopping.fulfillment'
export const ORDER = 'dev.ucp.shopping.order'
export const RETURNS = 'dev.agentmall.shopping.returns'

/** The protocol wants a capability's documents at the origin that its name begins with. */
const OWN_ORIGIN = 'https://agentmall.dev'
/** Below an origin: every node answers them, too. */
export const RETURNS_SCHEMA_PATH = '/ucp/schemas/shopping/returns.json'
export const RETURNS_SPEC_PATH = '/ucp/specification/returns'
export const RETURNS_SCHEMA_URL = OWN_ORIGIN + RETURNS_SCHEMA_PATH

/** In the order in which the profile lists them. */
export const UCP_CAPABILITIES: readonly Capability[] = [
  { name: CATALOG_SEARCH, spec: 'catalog/search', schema: 'shopping/catalog_search' },
  { name: CATALOG_LOOKUP, spec: 'catalog/lookup', schema: 'shopping/catalog_lookup' },
  { name: CART, spec: 'cart', schema: 'shopping/cart' },
  { name: CHECKOUT, spec: 'checkout', schema: 'shopping/checkout' },
  {
    name: FULFILLMENT, spec: 'fulfillment', schema: 'shopping/fulfillment', extends: CHECKOUT,
    config: { allows_multi_destination: { shipping: false, pickup: false } },
  },
  { name: ORDER, spec: 'order', schema: 'shopping/order' },
  {
    name: RETURNS, version: '2026-11-26',
    spec: OWN_ORIGIN + RETURNS_SPEC_PATH, schema: RETURNS_SCHEMA_URL,
  },
]

export const versionOf = ({ version = UCP_VERSION }: Capability): string => version

/** As a profile declares a capability. */
export function declared(capability: Capability): object {
  const { spec, schema, extends: parent, config } = capability
  return {
    version: versionOf(capability),
    spec: URL.canParse(spec) ? spec : `${UCP_ORIGIN}/specification/${spec}`,
    schema: URL.canParse(schema) ? schema : `${UCP_ORIGIN}/schemas/${schema}.json`,
    ...(parent !== undefined && { extends: parent }),
    ...(config && { config }),
  }
}

/** As a profile declares the service over one transport. */
export const service = (transport: 'rest' | 'mcp', endpoint: string): object => ({
  version: UCP_VERSION,
  spec: `${UCP_ORIGIN}/specification/overview`,
  transport,
  endpoint,
  schema: `${UCP_ORIGIN}/services/shopping/${
    transport === 'rest' ? 'rest.openapi.json' : 'mcp.openrpc.json'}`,
})
