import { execFile } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { inspectClaudeWiring } from '../../src/agents/claude/wire-inspect.ts'
import { wireClaude } from '../../src/agents/claude/wire.ts'
import { verifies } from '../requirements.ts'
import { agentOrSkip } from './available.ts'
import { claudePackage } from './install.ts'
import { openPrivateHome, type PrivateHome } from './private-home.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const claude = await agentOrSkip(claudePackage)

describe.skipIf(!claude)(`the plugin in claude ${claudePackage.version}`, () => {
  let place: PrivateHome
  beforeEach(async () => {
    place = await openPrivateHome()
  })
  afterEach(() => place[Symbol.asyncDispose]())

  const call = async (...args: string[]) => {
    const { stdout } = await run(claude?.program ?? '', args, {
      cwd: place.project,
      env: { ...place.env, DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
      timeout: 60_000,
    })
    return stdout
  }

  test.each(['.', 'claude-plugin'])(
    'passes its validation without a warning: %s' +
      verifies('A:plugin.manifest', 'A:trouble.marketplace-source'),
    async (path) => {
      const report = JSON.parse(await call('plugin', 'validate', '--strict', '--json', join(root, path)))
      expect(report).toMatchObject({ success: true, manifest: { errors: [], warnings: [] } })
    },
  )

  test('can be added, installed and is complete in its copy' + verifies('A:plugin.marketplace'), async () => {
    await call('plugin', 'marketplace', 'add', root)
    await call('plugin', 'install', 'agent-bridge@agent-bridge')
    const versions = join(place.home, '.claude/plugins/cache/agent-bridge/agent-bridge')
    const [version = ''] = await readdir(versions)
    for (const file of ['hooks/hooks.json', 'forwarder/hook.pl', 'forwarder/hook.js']) {
      const copy = await readFile(join(versions, version, file), 'utf8')
      expect(copy).toBe(await readFile(join(root, 'claude-plugin', file), 'utf8'))
    }

    // With the settings wired as well, every hook would come twice; that is seen.
    const { notes } = await wireClaude({
      homeDir: place.home,
      env: {},
      scope: 'user',
      bridgeHome: join(place.home, '.bridge'),
      forwarderDir: join(root, 'bin'),
      perlPath: '/usr/bin/perl',
      nodePath: process.execPath,
    })
    expect(notes).toEqual([expect.stringContaining('agent-bridge@agent-bridge')])
    expect(inspectClaudeWiring({ homeDir: place.home, env: {} }).plugins).toEqual([
      'agent-bridge@agent-bridge',
    ])
  })
})
