/** What this business speaks of UCP: the version, and each capability that works here. */

export const UCP_VERSION = '2026-04-08'
const UCP_ORIGIN = `https://ucp.dev/${UCP_VERSION}`

export interface Capability {
  readonly name: string
  /** Path of the specification and of the schema below the version. */
  readonly spec: string
  readonly schema: string
  /** Of an extension: what it extends. */
  readonly extends?: string
  readonly config?: object
}

export const CATALOG_SEARCH = 'dev.ucp.shopping.catalog.search'
export const CATALOG_LOOKUP = 'dev.ucp.shopping.catalog.lookup'
export const CHECKOUT = 'dev.ucp.shopping.checkout'
export const FULFILLMENT = 'dev.ucp.shopping.fulfillment'
export const ORDER = 'dev.ucp.shopping.order'

/** In the order in which the profile lists them. */
export const UCP_CAPABILITIES: readonly Capability[] = [
  { name: CATALOG_SEARCH, spec: 'catalog/search', schema: 'shopping/catalog_search' },
  { name: CATALOG_LOOKUP, spec: 'catalog/lookup', schema: 'shopping/catalog_lookup' },
  { name: CHECKOUT, spec: 'checkout', schema: 'shopping/checkout' },
  {
    name: FULFILLMENT, spec: 'fulfillment', schema: 'shopping/fulfillment', extends: CHECKOUT,
    config: { allows_multi_destination: { shipping: false, pickup: false } },
  },
  { name: ORDER, spec: 'order', schema: 'shopping/order' },
]

/** As a profile declares a capability. */
export const declared = ({ spec, schema, extends: parent, config }: Capability): object => ({
  version: UCP_VERSION,
  spec: `${UCP_ORIGIN}/specification/${spec}`,
  schema: `${UCP_ORIGIN}/schemas/${schema}.json`,
  ...(parent !== undefined && { extends: parent }),
  ...(config && { config }),
})

/** As a profile declares the service over one transport. */
export const service = (transport: 'rest' | 'mcp', endpoint: string): object => ({
  version: UCP_VERSION,
  spec: `${UCP_ORIGIN}/specification/overview`,
  transport,
  endpoint,
  schema: `${UCP_ORIGIN}/services/shopping/${
    transport === 'rest' ? 'rest.openapi.json' : 'mcp.openrpc.json'}`,
})
