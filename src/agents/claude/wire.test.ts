import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parse } from 'jsonc-parser'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifies } from '../../../test/requirements.ts'
import { hookTable } from './hook-table.ts'
import { unwireClaude, wantedClaudeHooks, wireClaude, type WireClaudeOptions } from './wire.ts'
import { unwiredEvents, wiredEvents } from './wire-events.ts'
import { inspectClaudeWiring } from './wire-inspect.ts'

const bin = resolve(import.meta.dirname, '../../../bin')
const foreign = { hooks: [{ type: 'command', command: 'echo agent-bridge' }] }

describe('wiring Claude Code', () => {
  let home: string
  let path: string
  let options: WireClaudeOptions

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'wire-'))
    path = join(home, '.claude', 'settings.json')
    options = {
      homeDir: home,
      env: {},
      scope: 'user',
      bridgeHome: join(home, '.bridge'),
      nodePath: '/usr/bin/node',
      perlPath: '/usr/bin/perl',
      forwarderDir: bin,
    }
  })
  afterEach(() => rmSync(home, { recursive: true, force: true }))

  /** Writes settings that nobody is in the middle of writing. */
  function write(content: string | Buffer, to = path): void {
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, content)
    utimesSync(to, 1_000_000, 1_000_000)
  }
  const read = (from = path) => readFileSync(from, 'utf8')
  const settings = (from = path): { hooks: Record<string, { matcher?: string; hooks: object[] }[]> } =>
    parse(read(from))
  const backups = () => readdirSync(join(home, '.bridge', 'backups')).filter((name) => name.endsWith('.bak'))
  /** How many entries of ours each event has. */
  const counts = () =>
    Object.fromEntries(
      Object.entries(settings().hooks).map(([event, groups]) => [
        event,
        groups.flatMap(({ hooks }) => hooks).filter((hook) => JSON.stringify(hook).includes('hook.')).length,
      ]),
    )
  const once = Object.fromEntries(wiredEvents.map((event) => [event, 1]))

  test('every hook event of the adapter is wired, but for those that a hook would change', () => {
    const known = new Set(hookTable.map(({ hook }) => hook))
    expect(new Set([...wiredEvents, ...Object.keys(unwiredEvents)])).toEqual(known)
    expect(wiredEvents).toHaveLength(31)
  })

  test('makes the file where there is none, for its owner only, and takes it away again', async () => {
    const result = await wireClaude(options)
    expect(result).toEqual({ path, changed: true, events: wiredEvents, notes: [] })
    expect(settings()).toEqual({
      hooks: Object.fromEntries(
        wiredEvents.map((event) => [
          event,
          [
            {
              hooks: [
                {
                  type: 'command',
                  command: `test ! -r ${bin}/hook.pl || LC_ALL=C exec /usr/bin/perl ${bin}/hook.pl claude # agent-bridge`,
                  timeout: 60,
                },
              ],
            },
          ],
        ]),
      ),
    })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(await unwireClaude(options)).toMatchObject({ changed: true, events: wiredEvents })
    expect(existsSync(path)).toBe(false)
    expect(await unwireClaude(options)).toMatchObject({ changed: false, events: [] })
  })

  test('looks where CLAUDE_CONFIG_DIR says, each with its own file' + verifies('B62'), async () => {
    const elsewhere = { ...options, env: { CLAUDE_CONFIG_DIR: join(home, 'two') } }
    await wireClaude(options)
    const result = await wireClaude(elsewhere)
    expect(result.path).toBe(join(home, 'two', 'settings.json'))
    await unwireClaude(options)
    expect(existsSync(path)).toBe(false)
    expect(settings(result.path).hooks).toHaveProperty('Stop')
  })

  test('a project has its own file, which is not shared with others' + verifies('B62'), async () => {
    const result = await wireClaude({ ...options, scope: 'project', directory: join(home, 'project') })
    expect(result.path).toBe(join(home, 'project', '.claude', 'settings.local.json'))
    expect(existsSync(path)).toBe(false)
    await expect(wireClaude({ ...options, scope: 'project' })).rejects.toMatchObject({ code: 'usage' })
  })

  test('runs hook.js where there is no Perl, and names a home that is not the default one', async () => {
    await wireClaude({ ...options, perlPath: undefined, bridgeHome: join(home, 'my bridge') })
    expect(settings().hooks['Stop']).toEqual([
      {
        hooks: [
          {
            type: 'command',
            command: `test ! -r ${bin}/hook.js || BRIDGE_HOME=\${BRIDGE_HOME:-'${home}/my bridge'} exec /usr/bin/node --v8-pool-size=0 ${bin}/hook.js claude # agent-bridge`,
            timeout: 60,
          },
        ],
      },
    ])
  })

  test('lets Claude post by itself where asked, and keeps the forwarder for SessionStart', async () => {
    write('', join(home, '.bridge', 'forward'))
    rmSync(join(home, '.bridge'), { recursive: true })
    mkdirSync(join(home, '.bridge'), { mode: 0o700 })
    writeFileSync(join(home, '.bridge', 'forward'), 'url=http://127.0.0.1:9999\ntoken=secret\n')
    const result = await wireClaude({ ...options, http: true })
    expect(settings().hooks['Stop']).toEqual([
      {
        hooks: [
          {
            type: 'http',
            url: 'http://127.0.0.1:9999/hooks/claude',
            headers: { Authorization: 'Bearer $BRIDGE_TOKEN', 'X-Bridge-Contact': '$BRIDGE_CONTACT' },
            allowedEnvVars: ['BRIDGE_TOKEN', 'BRIDGE_CONTACT'],
            timeout: 5,
          },
        ],
      },
    ])
    expect(JSON.stringify(settings().hooks['SessionStart'])).toContain('hook.pl')
    expect(read()).not.toContain('secret')
    expect(result.notes).toHaveLength(1)
    // From one form to the other and back there is one entry for each event.
    await wireClaude(options)
    expect(counts()).toEqual(once)
    await wireClaude({ ...options, http: true })
    await unwireClaude(options)
    expect(existsSync(path)).toBe(false)
  })

  describe('leaves everything else to the byte' + verifies('B59'), () => {
    const files: Readonly<Record<string, string>> = {
      'comments and trailing commas':
        '{ // mine\n "model":"x", /* a */ "hooks":{"Stop":[{"hooks":[{"type":"command","command":"echo hi"}]},],}, "url":"http://a//b" }',
      'nothing at all': '',
      'only space': ' \n\t\n',
      'an empty object': '{}',
      'tabs and order': '{\n\t"z": 1,\n\t"a": {\n\t\t"deep": []\n\t}\n}\n',
      'four spaces': '{\n    "z": 1,\n    "hooks": {\n        "Stop": []\n    }\n}',
      'Windows line ends and a byte order mark': '\uFEFF{\r\n  "a": 1\r\n}\r\n',
      'numbers beyond a double': '{"a": 1e400, "b": 9007199254740993, "c": -0.0}',
      'no line break': '{"model":"x","permissions":{"allow":["Bash(ls)"]}}',
      '5 MB': `{\n  "big": ${JSON.stringify('x'.repeat(5_000_000))},\n  "hooks": {}\n}\n`,
      'a key twice where it does not matter': '{"env": {"A": "1", "A": "2"}}',
    }

    test.each(Object.entries(files))('%s', async (_, content) => {
      write(content)
      const { changed, backup } = await wireClaude(options)
      expect(changed).toBe(true)
      expect(read(backup)).toBe(content)
      const wired = read()
      expect(settings().hooks).toMatchObject({ PreToolUse: [{ hooks: [{ timeout: 60 }] }] })

      expect(await wireClaude(options)).toMatchObject({ changed: false })
      expect(read()).toBe(wired)
      await unwireClaude(options)
      expect(read()).toBe(content)
    })

    test('also when the file was changed in between', async () => {
      write('{\n  // mine\n  "model": "x",\n  "hooks": {\n    "Stop": [] // none\n  }\n}\n')
      await wireClaude(options)
      write(read().replace('"x"', '"y"'))
      await unwireClaude(options)
      expect(read()).toBe(
        '{\n  // mine\n  "model": "y",\n  "hooks": {\n    "Stop": [\n    ] // none\n  }\n}\n',
      )
    })

    test.each([
      ['truncated', '{"a":1', '1:7'],
      ['an array', '[1]', '1:1'],
      ['hooks in an array', '{\n  "hooks": []\n}', '2:12'],
      ['an event in an object', '{"hooks":{"Stop":{}}}', '1:18'],
      ['a key twice', '{"model": 1,\n "model": 2}', '2:2'],
      ['not UTF-8', Buffer.from([0x7b, 0x0a, 0xff, 0x7d]), '2:1'],
    ])('or refuses: %s', async (_, content, place) => {
      write(content)
      const before = statSync(path, { bigint: true })
      await expect(wireClaude(options)).rejects.toMatchObject({
        code: 'settings_unparseable',
        message: expect.stringContaining(`${path}:${place} `),
      })
      // What has nothing of ours may also be left alone without a complaint.
      const unwired = await unwireClaude(options).catch((error: unknown) => error)
      expect(unwired).not.toMatchObject({ changed: true })
      const after = statSync(path, { bigint: true })
      expect([after.ino, after.mtimeNs, after.size]).toEqual([before.ino, before.mtimeNs, before.size])
      expect(readFileSync(path)).toEqual(Buffer.from(content))
    })
  })

  describe('once is enough' + verifies('B62'), () => {
    const v2 = () => ({ ...options, perlPath: '/opt/perl', forwarderDir: '/opt/agent-bridge-2.0/bin' })

    test('three times, then a version elsewhere: one entry for each event', async () => {
      write(JSON.stringify({ hooks: { Stop: [foreign] } }, null, 2))
      const original = read()
      for (const _ of [1, 2, 3]) await wireClaude(options)
      expect(counts()).toEqual(once)
      await wireClaude(v2())
      expect(counts()).toEqual(once)
      expect(read()).not.toContain(bin)
      expect(settings().hooks['Stop']?.[0]).toEqual(foreign)
      await wireClaude(options)
      await unwireClaude(options)
      expect(read()).toBe(original)
    })

    test('an event that is no longer wired loses its entry, and nothing else', async () => {
      const [command] = wantedClaudeHooks(options).values()
      write(
        JSON.stringify({
          hooks: { WorktreeCreate: [foreign, { hooks: [command] }], FileChanged: [{ hooks: [command] }] },
        }),
      )
      await wireClaude(options)
      expect(settings().hooks['WorktreeCreate']).toEqual([foreign])
      expect(settings().hooks).not.toHaveProperty('FileChanged')
    })

    test('entries that a person moved, converted or added to are still ours, and theirs stay theirs', async () => {
      await wireClaude(options)
      const edited = settings()
      const move = edited.hooks['PreToolUse']?.pop()?.hooks ?? []
      edited.hooks['PreToolUse'] = [{ matcher: 'Bash', hooks: [...foreign.hooks, ...move] }]
      edited.hooks['Stop'] = [
        {
          hooks: [
            { type: 'command', command: 'perl', args: [`${bin}/hook.pl`, 'claude'], timeout: 3 },
            ...foreign.hooks,
          ],
        },
      ]
      const theirs = `${JSON.stringify(edited, null, 3)}\n`
      write(theirs)
      expect(inspectClaudeWiring(options, wantedClaudeHooks(options)).files[0]).toMatchObject({
        missing: [],
        duplicates: [],
        outdated: ['Stop'],
      })
      const result = await wireClaude(v2())
      expect(counts()).toEqual(once)
      expect(result.notes).toEqual([
        'the hook of PreToolUse stands under the matcher "Bash" and runs only for it',
      ])
      await unwireClaude(options)
      expect(settings()).toEqual({
        hooks: { PreToolUse: [{ matcher: 'Bash', hooks: foreign.hooks }], Stop: [foreign] },
      })
    })

    test('the doctor sees what is there twice', async () => {
      await wireClaude(options)
      expect(inspectClaudeWiring(options).twice).toEqual([])
      const edited = settings()
      edited.hooks['Stop']?.push(...(edited.hooks['Stop'] ?? []))
      write(
        JSON.stringify({ ...edited, enabledPlugins: { 'agent-bridge@agent-bridge': true, 'other@x': true } }),
      )
      const project = join(home, 'project')
      await wireClaude({ ...v2(), scope: 'project', directory: project })
      const wiring = inspectClaudeWiring({ ...options, directory: project })
      expect(wiring.plugins).toEqual(['agent-bridge@agent-bridge'])
      expect(wiring.files.map(({ scope, duplicates }) => [scope, duplicates])).toEqual([
        ['user', ['Stop']],
        ['shared project', []],
        ['project', []],
      ])
      expect(wiring.twice).toEqual([
        `${path} has more than one hook of the bridge for Stop`,
        `${path} and ${project}/.claude/settings.local.json both have hooks of the bridge, and they differ`,
        'the plugin agent-bridge@agent-bridge is enabled too, so each hook comes twice: run "claude plugin disable agent-bridge@agent-bridge"',
      ])
      const { notes } = await wireClaude(options)
      expect(notes).toEqual([wiring.twice[2]])
      expect(counts()).toEqual(once)
    })

    test('a file that cannot be read is a finding, not a failure', () => {
      write('{"hooks": [')
      expect(inspectClaudeWiring(options).files[0]).toMatchObject({
        events: [],
        problem: expect.stringContaining(path),
      })
    })
  })

  describe('backups', () => {
    test('are few, private, and there before the file is written', async () => {
      for (let round = 0; round < 12; round += 1) {
        write(JSON.stringify({ round }))
        const { backup = '' } = await wireClaude(options)
        expect(read(backup)).toBe(JSON.stringify({ round }))
        expect(statSync(backup).mode & 0o777).toBe(0o600)
        expect(backups().length).toBeLessThanOrEqual(6)
      }
    })

    test('are not made when nothing changes', async () => {
      write('{}')
      await wireClaude(options)
      await wireClaude(options)
      expect(backups()).toHaveLength(1)
    })

    test('that somebody deleted are not needed', async () => {
      write('{\n  "a": 1\n}\n')
      await wireClaude(options)
      rmSync(join(home, '.bridge'), { recursive: true })
      await unwireClaude(options)
      expect(read()).toBe('{\n  "a": 1\n}\n')
    })

    test('never bring our own entries back', async () => {
      write(
        JSON.stringify({
          hooks: { Stop: [{ hooks: [...wantedClaudeHooks(options).values()].slice(0, 1) }] },
        }),
      )
      await wireClaude(options)
      await unwireClaude(options)
      expect(read()).toBe('{}')
    })
  })
})
