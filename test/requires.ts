import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe } from 'vitest'

/** A program that some tests run for real, and where it is looked for beside the PATH. */
const programs = {
  chromium: { names: ['chromium', 'chromium-browser', 'google-chrome'], hint: 'apt-get install chromium' },
  'redis-server': { names: ['redis-server'], hint: 'apt-get install redis-server' },
  'nats-server': { names: ['nats-server'], hint: 'apt-get install nats-server' },
} as const
export type RequiredProgram = keyof typeof programs

/** The absolute path of a program; undefined where this machine has none. */
export function findProgram(program: RequiredProgram): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  for (const name of programs[program].names) {
    const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * `describe` where the program is, else a skip that says so. With `BRIDGE_TEST_REQUIRE=all`, as in CI, a missing
 * program is a failure: nothing may go untested there unnoticed.
 *
 * @throws when the program is missing and everything is required
 */
export function describeWith(program: RequiredProgram): typeof describe | typeof describe.skip {
  if (findProgram(program) !== undefined) return describe
  const { hint } = programs[program]
  if (process.env['BRIDGE_TEST_REQUIRE'] === 'all') {
    throw new Error(`${program} is required by these tests and not on this machine (${hint})`)
  }
  console.warn(`skipped: these tests need ${program} (${hint})`)
  return describe.skip
}
