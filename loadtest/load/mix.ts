/** The load mix: what the operation table says of each operation, as k6 scripts need it. */
import defaults from '../../config/default.json' with { type: 'json' }
import { ERRORS } from '../../src/contract/errors.ts'
import { operations as table } from '../../src/operations/index.ts'
import type { Operation } from '../../src/contract/operation.ts'
import type { MixEntry, PlannedItem } from './plan.ts'

/** What the 99th percentile may be where nobody else is asked, on two shared cores. */
const P99_MS = { read: 250, create: 500, update: 500 } as const
/** A search over all platforms is ended by its deadline; what is late then is our own. */
const LATE_MS = 50
/** A link's call of the platform has a deadline of its own. */
const CONVERT_MS = 5000

export interface MixOptions {
  readonly operations?: readonly Operation[]
  /** What examples are pointed at; as they are without one. */
  readonly item?: PlannedItem | undefined
  readonly slack?: number
}

export function loadMix(
  { operations = table, item, slack = 1 }: MixOptions = {},
): Record<string, MixEntry> {
  return Object.fromEntries(operations.filter(({ handle }) => handle).map((operation) => [
    operation.name, {
      operation: operation.name,
      route: operation.route,
      isTool: operation.tool !== false,
      input: item ? pointed(operation, item) : operation.example as Record<string, unknown>,
      refusals: operation.fails.filter((name) => ERRORS[name].status < 500),
      p99Ms: limitOf(operation) * slack,
    },
  ]))
}

function limitOf({ openWorld, effect }: Operation): number {
  if (!openWorld) return P99_MS[effect]
  return effect === 'read' ? defaults.fanOutMs + LATE_MS : CONVERT_MS
}

/** The example with goods that the service has. */
function pointed({ name, example }: Operation, item: PlannedItem): Record<string, unknown> {
  const input = { ...example as Record<string, unknown> }
  for (const field of ['sku_id', 'product_id', 'merchant_id'] as const) {
    if (field in input) input[field] = item[field]
  }
  if (name === 'shelf_item') input['item_id'] = `shelf:${item.sku_id}`
  return input
}
