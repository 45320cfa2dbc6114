import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { agentOrSkip } from './available.ts'
import { installAgent, type AgentPackage } from './install.ts'

const agent: AgentPackage = {
  agent: 'sample',
  packageName: 'sample-agent',
  version: '1.2.3',
  programs: ['absent/program', 'present/program'],
}

let cache: string
let env: NodeJS.ProcessEnv

beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'agents-cache-'))
  // npm is real, but may not ask anybody: it has to fail.
  env = { ...process.env, BRIDGE_AGENTS_CACHE: cache, npm_config_offline: 'true', BRIDGE_TEST_REQUIRE: '' }
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(cache, { recursive: true, force: true })
})

/** Puts a program into the cache that tells a version, as if it had been installed before. */
async function putProgram(version: string): Promise<string> {
  const program = join(cache, 'sample-1.2.3', 'node_modules', 'present', 'program')
  await mkdir(dirname(program), { recursive: true })
  await writeFile(program, `#!/bin/sh\necho "${version} (Sample)"\n`)
  await chmod(program, 0o755)
  return program
}

describe('installing', () => {
  test('takes what the cache has, and asks it for its version', async () => {
    const program = await putProgram('1.2.3')
    expect(await installAgent(agent, env)).toMatchObject({ program, version: '1.2.3', fresh: false })
  })

  test('refuses a program of another version', async () => {
    await putProgram('1.2.30')
    await expect(installAgent(agent, env)).rejects.toThrow('is version "1.2.30 (Sample)", wanted 1.2.3')
  })

  test('leaves nothing behind when it fails, and removes what a killed one left', async () => {
    // No process has this pid: it is above what Linux and macOS give out.
    await mkdir(join(cache, '.installing-99999999-abc'))
    await expect(installAgent(agent, env)).rejects.toThrow('Could not install sample-agent')
    expect(await readdir(cache)).toEqual([])
  })
})

describe('an agent that cannot be had', () => {
  test('is skipped loudly', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    expect(await agentOrSkip(agent, env)).toBeUndefined()
    expect(warn.mock.calls[0]?.[0]).toContain('SKIPPED: no test ran on sample 1.2.3')
  })

  test('fails the run where everything is required', async () => {
    await expect(agentOrSkip(agent, { ...env, BRIDGE_TEST_REQUIRE: 'all' })).rejects.toThrow(
      'Could not install',
    )
  })
})
