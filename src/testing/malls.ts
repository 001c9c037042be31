/** The platforms as simulators, for a test's nodes. */
import defaults from '../../config/default.json' with { type: 'json' }
import { MALL_NAMES } from '../affiliate/settings.ts'
import { startSandboxMalls, type SandboxMalls } from '../start/sandbox-malls.ts'

/** Enough for the examples of all operations. */
const PRODUCTS = 600

export const startTestMalls = (): Promise<SandboxMalls> => startSandboxMalls({
  missing: MALL_NAMES, seed: defaults.catalogSeed, products: PRODUCTS, stepMs: 1000,
})
