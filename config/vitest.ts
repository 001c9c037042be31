import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { PATIENCE_MS, POLL_MS } from '../src/testing/patience.ts'

const TESTS = ['src/**/*.test.ts', 'adapters/**/*.test.ts', 'loadtest/**/*.test.ts']
const SYSTEM = TESTS.map((pattern) => pattern.replace('.test.ts', '.system.test.ts'))

const COMMON: TestProjectInlineConfiguration['test'] = {
  setupFiles: ['src/testing/properties.setup.ts'],
  // A deadline for hangs, not a measure of speed: test machines are shared and slow.
  testTimeout: 3 * PATIENCE_MS,
  hookTimeout: 3 * PATIENCE_MS,
  expect: { poll: { timeout: PATIENCE_MS, interval: POLL_MS } },
  pool: 'forks',
}

const root = new URL('..', import.meta.url).pathname

/** Two tiers: `npm test` runs the first, `npm run test:system` what has servers of its own. */
export default defineConfig({
  root,
  test: {
    globalSetup: ['src/testing/redis.setup.ts'],
    maxWorkers: 2,
    projects: [
      // Files of one worker share what they import: loading it anew took a third of the time.
      {
        root,
        test: { ...COMMON, name: 'shared', isolate: false, include: TESTS, exclude: SYSTEM },
      },
      { root, test: { ...COMMON, name: 'system', include: SYSTEM } },
    ],
  },
})
