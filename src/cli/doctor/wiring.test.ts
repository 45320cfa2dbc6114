import { readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DoctorHome, wiringOptionsOf } from '../../../test/fixtures/doctor.ts'
import { verifies } from '../../../test/requirements.ts'
import { agentWirings } from '../../agents/wiring/wirings.ts'
import { wireClaude, type WireClaudeOptions } from '../../agents/claude/wire.ts'
import type { Check } from './check.ts'
import { checkWiring } from './wiring.ts'

let machine: DoctorHome
let options: WireClaudeOptions
beforeEach(() => {
  machine = new DoctorHome()
  options = wiringOptionsOf(machine)
})
afterEach(() => machine[Symbol.dispose]())

const settingsPath = '.claude/settings.json'

async function checks({ isInstalled = true, directory = machine.cwd } = {}): Promise<Check[]> {
  const report = agentWirings['claude']?.inspect({ ...options, directory })
  if (!report) throw new Error('claude has no wiring')
  return checkWiring({ agent: 'claude', isInstalled }, report, await machine.context())
}

/** What is not fine, in a line each. */
const complaints = async (at?: Parameters<typeof checks>[0]) =>
  (await checks(at))
    .filter(({ state }) => state !== 'ok')
    .map(({ id, state, finding, remedy }) => `${id} ${state}: ${finding} -> ${remedy}`)

interface Settings {
  hooks: Record<string, { matcher?: string; hooks: Record<string, unknown>[] }[]>
  [key: string]: unknown
}

/** Edits the settings as a person would, some time ago. */
function edit(change: (settings: Settings) => void, path = settingsPath): void {
  const settings: Settings = JSON.parse(readFileSync(join(machine.homeDir, path), 'utf8'))
  change(settings)
  const file = machine.write(path, JSON.stringify(settings, null, 2))
  utimesSync(file, 1_000_000, 1_000_000)
}

describe('Claude Code', () => {
  test('that is not wired is warned of where it is installed', async () => {
    expect(await complaints()).toEqual([
      'claude.wiring warning: It is not wired, so nothing of it reaches the bridge -> bridge wire claude',
    ])
    expect((await checks({ isInstalled: false })).map(({ state }) => state)).toEqual(['skipped'])
  })

  test('that is wired is fine, beside the hooks of others', async () => {
    machine.write(
      settingsPath,
      JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'echo agent-bridge' }] }] } }),
    )
    await wireClaude(options)
    expect(await checks()).toEqual([
      {
        id: 'claude.wiring',
        subject: 'claude',
        state: 'ok',
        finding: '31 hooks in ~/.claude/settings.json, beside 1 of others',
      },
    ])
    // Where the project is the user's home directory, its settings are the user's.
    expect(await checks({ directory: machine.homeDir })).toHaveLength(1)
  })

  test('that posts its hooks itself is fine too', async () => {
    await wireClaude({ ...options, http: true })
    expect((await checks()).map(({ finding }) => finding)).toEqual([
      '31 hooks in ~/.claude/settings.json, 30 of which it posts itself',
    ])
  })

  test('with hooks that are there twice' + verifies('B62'), async () => {
    await wireClaude(options)
    edit(({ hooks }) => hooks['Stop']?.push(...hooks['Stop']))
    expect(await complaints()).toEqual([
      'claude.twice warning: ~/.claude/settings.json has more than one hook of the bridge for Stop -> bridge wire claude',
    ])
    await wireClaude(options)
    expect(await complaints()).toEqual([])
  })

  test('with the plugin beside the settings, and two files that differ' + verifies('B62'), async () => {
    await wireClaude(options)
    await wireClaude({
      ...options,
      scope: 'project',
      directory: machine.cwd,
      bridgeHome: join(machine.homeDir, 'other'),
    })
    edit((settings) => {
      settings['enabledPlugins'] = { 'agent-bridge@agent-bridge': true }
    })
    const found = await complaints()
    expect(found).toContain(
      'claude.twice warning: ~/.claude/settings.json and ~/work/.claude/settings.local.json both have hooks of the bridge, and they differ -> bridge unwire claude --project',
    )
    expect(found).toContain(
      'claude.twice-2 warning: The plugin agent-bridge@agent-bridge is enabled too, so each hook comes twice -> claude plugin disable agent-bridge@agent-bridge',
    )
  })

  test('by the plugin alone is left to the plugin', async () => {
    machine.write(settingsPath, JSON.stringify({ enabledPlugins: { 'agent-bridge@x': true } }))
    expect((await checks()).map(({ id, state }) => [id, state])).toEqual([['claude.wiring', 'unverified']])
  })

  test('by an older version, or from another place', async () => {
    await wireClaude(options)
    edit(({ hooks }) => {
      delete hooks['Stop']
      delete hooks['Setup']
    })
    expect(await complaints()).toEqual([
      'claude.wiring warning: ~/.claude/settings.json lacks 2 hooks of this version: Stop, Setup -> bridge wire claude',
    ])
    await wireClaude({ ...options, perlPath: '/bin/perl' })
    expect(await complaints()).toEqual([
      expect.stringMatching(
        /^claude.wiring warning: 31 hooks in \S+ are not what this bridge would write: \w+, .* and 27 more -> bridge wire claude$/,
      ),
    ])
  })

  test('with a forwarder that is gone: such a hook does nothing, and says nothing', async () => {
    await wireClaude({ ...options, forwarderDir: join(machine.homeDir, 'agent-bridge/bin') })
    const gone =
      'claude.wiring problem: The hooks in ~/.claude/settings.json run ~/agent-bridge/bin/hook.pl, which is not there any more -> bridge wire claude'
    expect(await complaints()).toEqual([gone])
    edit(({ hooks }) => {
      for (const event of Object.keys(hooks)) {
        const args = [join(machine.homeDir, 'agent-bridge/bin/hook.pl'), 'claude']
        hooks[event] = [{ hooks: [{ type: 'command', command: '/usr/bin/perl', args }] }]
      }
    })
    expect(await complaints()).toEqual([gone])
  })

  test('with hooks that are switched off, or narrowed', async () => {
    await wireClaude(options)
    edit((settings) => {
      settings['disableAllHooks'] = true
      const [group] = settings.hooks['PreToolUse'] ?? []
      if (group) group.matcher = 'Bash'
    })
    expect(await complaints()).toEqual([
      'claude.disabled problem: "disableAllHooks" in ~/.claude/settings.json keeps every hook from running -> Take "disableAllHooks" out of it',
      'claude.matchers warning: Somebody narrowed hooks: PreToolUse (only "Bash") -> bridge unwire claude && bridge wire claude',
    ])
  })

  test('whose settings cannot be read', async () => {
    machine.write(settingsPath, '{"hooks": [')
    expect(await complaints()).toEqual([
      expect.stringMatching(
        /^claude.settings problem: ~\/\.claude\/settings\.json:1:\d+ cannot be parsed \([^)]*\) -> Mend the file/,
      ),
    ])
  })
})
