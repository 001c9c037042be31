import { defineConfig } from 'vitest/config'
import { PATIENCE_MS, POLL_MS } from '../src/testing/patience.ts'

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    include: ['src/**/*.test.ts', 'adapters/**/*.test.ts', 'loadtest/**/*.test.ts'],
    globalSetup: ['src/testing/redis.setup.ts'],
    setupFiles: ['src/testing/properties.setup.ts'],
    // A deadline for hangs, not a measure of speed: test machines are shared and slow.
    testTimeout: 3 * PATIENCE_MS,
    hookTimeout: 120_000,
    expect: { poll: { timeout: PATIENCE_MS, interval: POLL_MS } },
    pool: 'forks',
    maxWorkers: 2,
  },
})
