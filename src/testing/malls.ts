/** The platforms as simulators, for a test's nodes. */
import defaults from '../../config/default.json' with { type: 'json' }
import { MALL_NAMES } from '../../adapters/names.ts'
import {
  startSandboxMalls, type SandboxMalls, type SandboxMallsOptions,
} from '../start/sandbox-malls.ts'

/** Enough for the examples of all operations. */
const PRODUCTS = 600

export const startTestMalls = (
  given: Partial<SandboxMallsOptions> = {},
): Promise<SandboxMalls> => startSandboxMalls({
  missing: MALL_NAMES, seed: defaults.catalogSeed, items: defaults.catalogItems,
  products: PRODUCTS, publicUrl: 'http://localhost:8080', stepMs: 1000, ...given,
})
