import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CommandHook, WireOptions } from '../../../src/agents/wiring/agent-wiring.ts'
import { findProgram } from '../../../src/agents/forwarder/command.ts'
import { agentWirings } from '../../../src/agents/wiring/wirings.ts'
import { verifies } from '../../requirements.ts'
import { HookServer, token } from '../forwarder/forwarder.ts'
import { UserHome } from './installer.ts'

const root = resolve(import.meta.dirname, '../../..')
const perlPath = findProgram('perl', process.env['PATH'], ['/usr/bin'])

function optionsFor(home: UserHome): WireOptions {
  return { ...home.options, nodePath: process.execPath, perlPath, forwarderDir: join(root, 'bin') }
}

/** Gives the home what the daemon writes for forwarders. */
function writeForward(home: UserHome, url: string): void {
  mkdirSync(home.options.bridgeHome, { mode: 0o700, recursive: true })
  home.write(`url=${url}\ntoken=${token}\ntimeout_ms=5000\n`, join(home.options.bridgeHome, 'forward'))
}

/** Runs a hook as its agent would, and returns what the agent would read. */
async function run(home: UserHome, { command, args }: CommandHook, body: unknown): Promise<string> {
  const [program, words] = args === undefined ? ['sh', ['-c', command]] : [command, [...args]]
  const child = spawn(program, words, { env: { PATH: process.env['PATH'] ?? '', HOME: home.path } })
  child.stdin.end(JSON.stringify(body))
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await new Promise((done) => child.on('close', done))
  return output
}

/** Wires an agent and runs every hook that its settings hold then. */
async function runAll(agent: string, withPerl = true) {
  using home = new UserHome()
  await using server = await HookServer.open()
  writeForward(home, server.url)
  const options = { ...optionsFor(home), ...(!withPerl && { perlPath: undefined }) }
  const wiring = agentWirings[agent]
  if (!wiring) throw new Error(`${agent} cannot be wired`)
  await wiring.wire(options)
  const { hooks } = wiring.inspect(options)
  const { begin, end } = wiring.probeHooks({ id: 'ses_1', directory: '/work' })
  const answers: string[] = []
  for (const { hook } of hooks.slice(0, 2)) {
    if (hook.type !== 'command') throw new Error(`${agent} posts by itself`)
    for (const { payload } of [...begin.slice(0, 1), end]) answers.push(await run(home, hook, payload))
  }
  const received = server.received.map(({ url, headers, body }) => {
    return { url, authorization: headers.authorization, body: JSON.parse(body.toString()) }
  })
  return { answers, received, count: hooks.length }
}

describe('the hooks of a wired agent arrive', () => {
  const authorization = `Bearer ${token}`

  test('of Codex' + verifies('A:wire.codex', 'A:forwarder.codex'), async () => {
    const { answers, received, count } = await runAll('codex')
    expect(count).toBe(12)
    expect(answers).toEqual(['', '', '', ''])
    expect(received.slice(0, 2)).toMatchObject([
      { url: '/hooks/codex', authorization, body: { hook_event_name: 'SessionStart', session_id: 'ses_1' } },
      { url: '/hooks/codex', authorization, body: { hook_event_name: 'SessionEnd', session_id: 'ses_1' } },
    ])
  })

  test.each([true, false])(
    'of Cursor, which gets an empty answer (with Perl: %s)' + verifies('A:wire.cursor', 'A:forwarder.cursor'),
    async (withPerl) => {
      const { answers, received } = await runAll('cursor', withPerl)
      expect(answers).toEqual(['{}\n', '{}\n', '{}\n', '{}\n'])
      expect(received).toHaveLength(4)
      expect(received[0]).toMatchObject({
        url: '/hooks/cursor',
        authorization,
        body: { hook_event_name: 'sessionStart', conversation_id: 'ses_1' },
      })
    },
  )

  test('of OpenCode' + verifies('A:wire.opencode', 'A:forwarder.opencode'), async () => {
    const { answers, received } = await runAll('opencode')
    expect(answers).toEqual(['', ''])
    expect(received).toMatchObject([
      {
        url: '/hooks/opencode',
        authorization,
        body: { hook_type: 'session.created', payload: { directory: '/work' } },
      },
      { url: '/hooks/opencode', authorization, body: { hook_type: 'session.deleted' } },
    ])
  })

  test('of Gemini CLI', async () => {
    const { received } = await runAll('gemini')
    expect(received[0]).toMatchObject({ url: '/hooks/gemini', body: { hook_event_name: 'SessionStart' } })
  })

  test('the answer of the bridge reaches Cursor as it is', async () => {
    using home = new UserHome()
    await using server = await HookServer.open()
    writeForward(home, server.url)
    const verdict = String.raw`{"permission":"deny","user_message":"a \"b\" \\ %s"}`
    server.answerWith({ status: 200, headers: { 'content-type': 'application/json' }, body: verdict })
    await agentWirings['cursor']?.wire(optionsFor(home))
    const [wired] = agentWirings['cursor']?.inspect(optionsFor(home)).hooks ?? []
    if (wired?.hook.type !== 'command') throw new Error('it is not wired')
    expect(await run(home, wired.hook, { hook_event_name: 'stop' })).toBe(`${verdict}\n`)
  })
})

describe('each agent', () => {
  const files = {
    claude: '.claude/settings.json',
    codex: '.codex/hooks.json',
    cursor: '.cursor/hooks.json',
    opencode: '.config/opencode/plugin/agent-bridge.js',
    gemini: '.gemini/settings.json',
  }

  test.each(Object.entries(files))(
    '%s: links, modes and everybody else’s files stay' + verifies('B61', 'B62'),
    async (agent, file) => {
      using home = new UserHome()
      const path = join(home.path, file)
      const real = join(home.path, 'dot', 'real')
      const content = agent === 'opencode' ? '' : '{\n  // theirs\n  "a": 1\n}\n'
      home.write(content, real)
      chmodSync(real, 0o640)
      mkdirSync(join(path, '..'), { recursive: true })
      symlinkSync(real, path)
      const wiring = agentWirings[agent]
      expect(await wiring?.wire(optionsFor(home))).toMatchObject({ path, changed: true })
      expect(await wiring?.wire(optionsFor(home))).toMatchObject({ changed: false })
      expect(readFileSync(real, 'utf8')).not.toBe(content)
      await wiring?.unwire(optionsFor(home))
      expect(readlinkSync(path)).toBe(real)
      expect(readFileSync(real, 'utf8')).toBe(content)
      expect(execFileSync('stat', ['-c', '%a', real]).toString()).toBe('640\n')
      expect(readdirSync(join(home.path, 'dot'))).toEqual(['real'])
    },
  )

  test('config.toml of Codex as well' + verifies('B61', 'B63'), async () => {
    using home = new UserHome()
    const path = join(home.path, '.codex', 'config.toml')
    const real = join(home.path, 'dot', 'config.toml')
    home.write('model = "x"', real)
    mkdirSync(join(home.path, '.codex'))
    symlinkSync('../dot/config.toml', path)
    await agentWirings['codex']?.wire(optionsFor(home))
    expect(readFileSync(real, 'utf8')).toContain('trusted_hash')
    await agentWirings['codex']?.unwire(optionsFor(home))
    expect(readlinkSync(path)).toBe('../dot/config.toml')
    expect(readFileSync(real, 'utf8')).toBe('model = "x"')
  })
})

describe('several agents at once', () => {
  /** `bridge` with a home of its own. */
  function bridge(home: UserHome, ...args: string[]) {
    const child = spawn(process.execPath, [join(root, 'src/cli/main.ts'), ...args], {
      env: { PATH: '/usr/bin:/bin', HOME: home.path, BRIDGE_HOME: home.options.bridgeHome },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    return new Promise<{ code: number | null; stdout: string; stderr: string }>((done) =>
      child.on('close', (code) => done({ code, stdout, stderr })),
    )
  }

  test('one that fails keeps no other from its turn, and it is said which' + verifies('B61'), async () => {
    using home = new UserHome()
    home.write('{ "hooks": [', join(home.path, '.codex', 'hooks.json'))
    const wired = await bridge(home, 'wire', 'claude', 'codex', 'gemini')
    expect(wired.code).toBe(1)
    expect(wired.stdout).toMatch(/^Claude Code reports 31 kinds of hooks.*\nGemini CLI reports 7 kinds/)
    expect(wired.stdout).not.toContain('Codex')
    expect(wired.stderr).toMatch(/hooks\.json:1:\d+ cannot be parsed/)
    expect(wired.stderr).toMatch(/bridge: 1 of 3 agents failed: Codex\n$/)
    const json = await bridge(home, 'unwire', 'gemini', 'codex', 'claude', '--json')
    expect(json.code).toBe(1)
    expect(JSON.parse(json.stdout)).toMatchObject([
      { agent: 'gemini', changed: true },
      { agent: 'claude', changed: true },
      { agent: 'codex', error: expect.stringContaining('cannot be parsed') },
    ])
    expect(existsSync(home.settings)).toBe(false)
    const none = await bridge(home, 'wire', 'claude', 'emacs')
    expect(none.stderr).toMatch(/no agent named "emacs"\.\s+Known: claude, codex, cursor, opencode, gemini/)
    expect(existsSync(home.settings)).toBe(false)
  })

  test('installers for different agents share a home and take turns' + verifies('B64'), async () => {
    using home = new UserHome()
    home.write('# mine\n', join(home.path, '.codex', 'config.toml'))
    const runs = await Promise.all([
      ...Object.values(agentWirings).map((wiring) => wiring.wire(optionsFor(home))),
      agentWirings['codex']?.wire(optionsFor(home)),
    ])
    expect(runs.filter((run) => run?.changed)).toHaveLength(Object.keys(agentWirings).length)
    const { files } = agentWirings['codex']?.inspect(optionsFor(home)) ?? { files: [] }
    expect(files).toMatchObject([{ missing: [], outdated: [] }])
    await Promise.all(Object.values(agentWirings).map((wiring) => wiring.unwire(optionsFor(home))))
    expect(readFileSync(join(home.path, '.codex', 'config.toml'), 'utf8')).toBe('# mine\n')
  })
})
