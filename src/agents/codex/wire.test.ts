import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifies } from '../../../test/requirements.ts'
import type { WireOptions } from '../wiring/agent-wiring.ts'
import { parseToml } from '../settings/toml.ts'
import { codexHookTable } from './hook-table.ts'
import { unwireCodex, wireCodex } from './wire.ts'
import { codexEvents, trustHashOf, trustKeyOf } from './wire-hooks.ts'
import { codexWiring } from './wiring.ts'

const bin = resolve(import.meta.dirname, '../../../bin')
const command = `test ! -r ${bin}/hook.pl || LC_ALL=C exec /usr/bin/perl ${bin}/hook.pl codex # agent-bridge`
const foreign = { hooks: [{ type: 'command', command: 'echo agent-bridge' }] }
const config = `model="x" # mine
notify = [
  "terminal-notifier", # keep
  "-title", "a ] b",
]
tui.theme="d"
text = '''
[tui]
'''
[features]
multi_agent = true
[integrations.slack]
notify = ["/usr/bin/s"]
`

describe('wiring Codex', () => {
  let home: string
  let hooks: string
  let toml: string
  let options: WireOptions

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'wire-codex-'))
    hooks = join(home, '.codex', 'hooks.json')
    toml = join(home, '.codex', 'config.toml')
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

  /** Writes a file that nobody is in the middle of writing. */
  function write(path: string, content: string): void {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    utimesSync(path, 1_000_000, 1_000_000)
  }
  const read = (path: string) => readFileSync(path, 'utf8')
  const trust = () =>
    Object.fromEntries(
      parseToml(toml, read(toml).replace('\uFEFF', ''))
        .entries.filter(({ path }) => path.at(-1) === 'trusted_hash')
        .map(({ path, value }) => [path[2] ?? '', value]),
    )

  test('all 12 hook events, each with what Codex gives it, and all trusted', async () => {
    expect(codexEvents).toHaveLength(12)
    expect(codexHookTable.map(({ hook }) => hook)).toEqual(expect.arrayContaining([...codexEvents]))
    expect(await wireCodex(options)).toEqual({
      path: hooks,
      changed: true,
      events: codexEvents,
      notes: [`Codex trusts these hooks: ${toml} says so`],
    })
    const groups = JSON.parse(read(hooks)).hooks
    expect(groups.Stop).toEqual([{ hooks: [{ type: 'command', command, timeout: 60 }] }])
    for (const event of ['SessionEnd', 'Interrupt']) expect(groups[event][0].hooks[0].timeout).toBe(3)
    expect(Object.keys(trust())).toEqual(
      codexEvents.map((event) => trustKeyOf(hooks, { event, group: 0, index: 0 })),
    )
    expect(statSync(toml).mode & 0o777).toBe(0o600)
    expect(codexWiring.inspect(options)).toMatchObject({
      files: [{ path: hooks, events: codexEvents, missing: [], outdated: [], foreign: 0 }],
      disabledBy: [],
      twice: [],
    })

    expect(await wireCodex(options)).toMatchObject({ changed: false, notes: [] })
    await unwireCodex(options)
    expect([existsSync(hooks), existsSync(toml)]).toEqual([false, false])
    expect(await unwireCodex(options)).toMatchObject({ changed: false, events: [] })
  })

  // What `hooks/list` of Codex 0.171.0 said of these hooks.
  test.each([
    [
      'Stop',
      { timeout: 7, statusMessage: 'hi' },
      undefined,
      'c0caf0de76ba11dda693686b91734d1d44d4b124eaecb5901b8c6aaf2da5dfa1',
    ],
    [
      'SessionEnd',
      { command: 'echo c', timeout: 60 },
      undefined,
      '42fe19e85c78f234129119c29b7eb341556fabd392cd90536d14c143b444821b',
    ],
    [
      'Stop',
      { command: 'echo b' },
      'Bash',
      'bebc61543262d405dfac96ec65b8e84cc20c58f81fd7e463a2181a40c41f7a82',
    ],
    ['PreToolUse', { timeout: 7 }, '', 'f3d138cb70ae6f2426f347b7219d00aa06ace6ed9b19d44fe91884bbddb7d0ec'],
  ])('the hash of trust is that of Codex: %s', (event, entry, matcher, hash) => {
    const whole = { type: 'command', command: 'echo a', ...entry }
    expect(trustHashOf({ event, matcher, entry: whole })).toBe(`sha256:${hash}`)
  })

  test('its home is where CODEX_HOME says, without links' + verifies('B62'), async () => {
    mkdirSync(join(home, 'real'))
    symlinkSync('real', join(home, 'link'))
    const elsewhere = { ...options, env: { CODEX_HOME: join(home, 'link') } }
    await wireCodex(options)
    expect(await wireCodex(elsewhere)).toMatchObject({ path: join(home, 'real', 'hooks.json') })
    expect(read(join(home, 'real', 'config.toml'))).toContain(
      `[hooks.state."${home}/real/hooks.json:stop:0:0"]`,
    )
    await unwireCodex(options)
    expect(existsSync(hooks)).toBe(false)
    expect(existsSync(join(home, 'real', 'hooks.json'))).toBe(true)
    await unwireCodex(elsewhere)
    expect(existsSync(join(home, 'real', 'config.toml'))).toBe(false)
  })

  test('a project has its own hooks, and the user trusts them', async () => {
    const project = { ...options, scope: 'project' as const, directory: join(home, 'work') }
    mkdirSync(project.directory)
    const { path, notes } = await wireCodex(project)
    expect(path).toBe(join(home, 'work', '.codex', 'hooks.json'))
    expect(notes).toContain(`${path} names places of this machine: keep it out of git`)
    expect(Object.keys(trust())).toContain(`${path}:stop:0:0`)
    await wireCodex(options)
    expect(codexWiring.inspect(project).twice).toEqual([
      `${hooks} and ${path} both have hooks of the bridge, so each comes twice`,
    ])
    await unwireCodex(project)
    expect(Object.keys(trust())).toHaveLength(12)
  })

  describe('config.toml' + verifies('B63'), () => {
    test.each([
      ['with everything in it', config],
      ['with Windows line ends', config.replaceAll('\n', '\r\n')],
      ['with a byte order mark', `\uFEFF${config}`],
      ['without a last line break', config.trimEnd()],
      ['that is empty', ''],
      ['with a notify of its own', 'notify = ["mine"]\n'],
      ['with hooks of others', `[hooks.state."/other:stop:0:0"]\nenabled = false\n\n[a]\n`],
    ])('%s: the rest stays, and it comes back to the byte', async (_, content) => {
      write(toml, content)
      await wireCodex(options)
      const wired = read(toml)
      expect(wired.startsWith(content)).toBe(true)
      const valuesOf = (text: string) => parseToml(toml, text.replace('\uFEFF', '')).entries
      const pairs = valuesOf(wired).map(({ path, value }) => [path.join(' '), value])
      expect(pairs).toEqual(
        expect.arrayContaining(valuesOf(content).map(({ path, value }) => [path.join(' '), value])),
      )
      expect(Object.keys(trust())).toHaveLength(12)
      expect(await wireCodex(options)).toMatchObject({ changed: false })
      expect(read(toml)).toBe(wired)
      await unwireCodex(options)
      expect(read(toml)).toBe(content)
    })

    test.each([
      ['a = 1\na = 2\n', '2:1'],
      ['[features\n', '1:10'],
      ['hooks = { state = {} }\n', '1:1'],
      ['notify = [\n"x"\n', '1:10'],
    ])('that cannot be edited stops the whole: %j', async (content, place) => {
      write(toml, content)
      write(hooks, '{}')
      const before = statSync(toml, { bigint: true })
      for (const run of [wireCodex, ...(content.startsWith('hooks') ? [] : [unwireCodex])]) {
        await expect(run(options)).rejects.toMatchObject({
          code: 'settings_unparseable',
          message: expect.stringContaining(`${toml}:${place} `),
        })
      }
      const after = statSync(toml, { bigint: true })
      expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs])
      expect(read(toml)).toBe(content)
      expect(read(hooks)).toBe('{}')
      const [file] = codexWiring.inspect(options).files
      expect(file?.problem === undefined).toBe(content.startsWith('hooks'))
    })

    test('that Codex has written to since keeps what Codex wrote', async () => {
      write(toml, config)
      await wireCodex(options)
      const more = `\n[projects."/work"]\ntrust_level = "trusted"\n`
      write(toml, `${read(toml)}${more}`)
      await unwireCodex(options)
      expect(read(toml)).toBe(config + more)
    })

    test('says when hooks are off, or not trusted', async () => {
      await wireCodex(options)
      write(toml, read(toml).replace(/sha256:\w{10}/, 'sha256:0000000000') + '\n[features]\nhooks = false\n')
      expect(codexWiring.inspect(options)).toMatchObject({
        files: [{ outdated: [codexEvents[0]] }],
        disabledBy: [{ path: toml, setting: 'features.hooks' }],
      })
      await wireCodex(options)
      expect(codexWiring.inspect(options).files[0]?.outdated).toEqual([])
    })
  })

  test('hooks of others keep their place and their trust' + verifies('B62'), async () => {
    const theirs = JSON.stringify({ hooks: { Stop: [foreign], Other: [foreign] } }, null, 3)
    write(hooks, theirs)
    write(toml, `[hooks.state."${hooks}:stop:0:0"]\ntrusted_hash = "sha256:theirs"\n`)
    await wireCodex(options)
    expect(trust()[`${hooks}:stop:0:0`]).toBe('sha256:theirs')
    expect(trust()).toHaveProperty([`${hooks}:stop:1:0`])
    const wired = JSON.parse(read(hooks))
    wired.hooks.Stop.push(foreign)
    write(hooks, JSON.stringify(wired))
    const { notes } = await unwireCodex(options)
    expect(notes).toEqual([
      'a hook of somebody else stood behind ours for Stop: Codex may ask about it again',
    ])
    expect(JSON.parse(read(hooks))).toEqual({ hooks: { Stop: [foreign, foreign], Other: [foreign] } })
    expect(trust()).toEqual({ [`${hooks}:stop:0:0`]: 'sha256:theirs' })
  })

  test('a version elsewhere takes over, with one entry and one trust each' + verifies('B62'), async () => {
    await wireCodex({ ...options, forwarderDir: '/opt/agent-bridge-2.0/bin', perlPath: '/opt/perl' })
    await wireCodex(options)
    const { files, twice } = codexWiring.inspect(options)
    expect(files).toMatchObject([{ missing: [], outdated: [] }])
    expect(twice).toEqual([])
    expect(Object.keys(trust())).toHaveLength(12)
    expect(read(hooks)).not.toContain('2.0')
  })

  test('trust is taken out although somebody deleted the hooks', async () => {
    write(toml, config)
    await wireCodex(options)
    rmSync(hooks)
    write(toml, `${read(toml)}\n[more]\n`)
    expect(await unwireCodex(options)).toMatchObject({ changed: true, events: [] })
    expect(read(toml)).toBe(`${config}\n[more]\n`)
  })

  test('when the trust cannot be written the hooks go again' + verifies('B61'), async () => {
    write(hooks, '{}')
    symlinkSync('config.toml', toml)
    await expect(wireCodex(options)).rejects.toMatchObject({ code: 'settings_unwritable' })
    expect(read(hooks)).toBe('{}')
    await expect(wireCodex({ ...options, http: true })).rejects.toMatchObject({ code: 'usage' })
  })
})
