import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
    exclude: ['test/real-agents/**', '**/node_modules/**', 'dist/**'],
    // A bound for what hangs, far above what anything takes, since the machine may be busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Two cores: more workers than that only add noise to what the suites measure.
    maxWorkers: 2,
  },
})
