import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/real-agents/**/*.test.ts'],
    // An agent takes seconds to start; the bound of a scenario is the sum of those of its steps.
    testTimeout: 120_000,
    // The first run downloads the agent.
    hookTimeout: 660_000,
    // A scenario that passes only at the second try has failed.
    retry: 0,
    pool: 'forks',
    // One agent at a time: each wants a core and 400 MB.
    maxWorkers: 1,
    reporters: ['verbose'],
  },
})
