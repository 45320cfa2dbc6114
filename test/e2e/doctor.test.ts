import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { verifies } from '../requirements.ts'
import type { Check } from '../../src/cli/doctor/check.ts'
import { CommandHome, type Outcome } from './command.ts'

const main = resolve(import.meta.dirname, '../../src/cli/main.ts')
const isRoot = process.getuid?.() === 0

/** A machine with programs of its own in PATH, and none of ours. */
class Machine extends CommandHome {
  readonly bin = join(this.directory, 'bin')

  override get env(): Record<string, string | undefined> {
    return { ...super.env, PATH: `${this.bin}:/usr/bin:/bin` }
  }

  addProgram(name: string, script: string): void {
    this.write(join('bin', name), `#!/bin/sh\n${script}\n`, 0o755)
  }

  write(path: string, content: string, mode = 0o600): void {
    const file = join(this.directory, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    chmodSync(file, mode)
  }
}

const report = ({ stdout }: Outcome): { ok: boolean; checks: Check[] } => JSON.parse(stdout)
const stateOf = (outcome: Outcome, id: string) =>
  report(outcome).checks.find((check) => check.id === id)?.state
const checkOf = (outcome: Outcome, id: string) => report(outcome).checks.find((check) => check.id === id)

describe('without a daemon', () => {
  let machine: Machine
  beforeEach(() => {
    machine = new Machine()
  })
  afterEach(() => machine[Symbol.asyncDispose]())

  test('says so, what to do, and makes nothing', async () => {
    const { stdout, stderr, exit } = await machine.run(['doctor'])
    expect({ stderr, exit }).toEqual({ stderr: '', exit: 1 })
    expect(stdout).toContain('  ✗ No bridge runs on ~/bridge\n    → bridge up\n')
    expect(stdout).toContain('  ! ~/bridge does not exist yet; the first start makes it\n    → bridge up\n')
    expect(stdout).toMatch(/\nCursor\n.*not found.*\n {2}\? Its hooks are known from its documentation only/)
    expect(stdout).toMatch(/\nNot on this machine: Claude Code, Codex, OpenCode, Gemini CLI\n/)
    expect(stdout).toMatch(/\n\n1 problem, \d warnings?\.\n$/)
    expect(existsSync(machine.path)).toBe(false)
  })

  test('--json has every check once, with what it belongs to', async () => {
    const outcome = await machine.run(['doctor', '--json'])
    expect(outcome.exit).toBe(1)
    const { ok, checks } = report(outcome)
    expect(ok).toBe(false)
    const ids = checks.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { remedy = 'none', ...check } of checks) {
      expect(remedy).toMatch(/^[^\n]+$/)
      expect(check).toEqual({
        id: expect.stringMatching(/^[a-z]+\.[a-z0-9-]+$/),
        subject: check.id.split('.')[0],
        state: expect.stringMatching(/^(ok|warning|problem|unverified|skipped)$/),
        finding: expect.stringMatching(/^[^\n]+[^.\n]$/),
      })
    }
    expect(checks.filter(({ state, remedy }) => state === 'problem' && remedy === undefined)).toEqual([])
    expect(stateOf(outcome, 'cursor.support')).toBe('unverified')
  })

  test.each([
    [
      ['--agent', 'nobody'],
      'There is no agent named "nobody". Known: claude, codex, cursor, opencode, gemini.',
    ],
    [['--agent'], "option '--agent <names...>' argument missing"],
    [['--fast'], "unknown option '--fast'"],
  ])('%j is a usage error', async (args, message) => {
    const { stdout, stderr, exit } = await machine.run(['doctor', ...args])
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 })
    expect(stderr.replaceAll('\n        ', ' ')).toContain(message)
  })

  test('finds agents and their versions, and does not wait for those that hang', async () => {
    machine.addProgram('claude', 'echo "2.1.332 (Claude Code)"')
    machine.addProgram('codex', 'exec sleep 300')
    machine.addProgram('opencode', 'exit 7')
    machine.addProgram('gemini', 'echo hello')
    const outcome = await machine.run(['doctor', '--json'])
    const program = (agent: string) => checkOf(outcome, `${agent}.program`)
    expect(program('claude')).toMatchObject({ state: 'ok', finding: 'Version 2.1.332, ~/bin/claude' })
    expect(program('codex')).toMatchObject({
      state: 'warning',
      finding: '~/bin/codex did not answer --version within 5 s',
      remedy: `${machine.bin}/codex --version`,
    })
    expect(program('opencode')?.finding).toBe('~/bin/opencode ended with 7 when asked for --version')
    expect(program('gemini')?.finding).toBe('~/bin/gemini told no version when asked for --version')
    expect(checkOf(outcome, 'claude.wiring')).toMatchObject({
      state: 'warning',
      remedy: 'bridge wire claude',
    })
  })

  test('--agent looks only at these, and misses them when they are not there', async () => {
    machine.addProgram('claude', 'echo 2.1.332')
    const outcome = await machine.run(['doctor', '--json', '--agent', 'claude', 'codex'])
    const subjects = new Set(report(outcome).checks.map(({ subject }) => subject))
    expect([...subjects]).toEqual(['machine', 'home', 'bridge', 'hooks', 'claude', 'codex'])
    expect(stateOf(outcome, 'codex.program')).toBe('problem')
    const two = await machine.run(['doctor', '--json', '--agent', 'codex,gemini'])
    expect(stateOf(two, 'gemini.program')).toBe('problem')
  })

  test('works where the configuration is wrong, and says where', async () => {
    machine.write('bridge/bridged.yaml', 'port: high\n')
    const outcome = await machine.run(['doctor', '--json'])
    expect(outcome).toMatchObject({ stderr: '', exit: 1 })
    expect(checkOf(outcome, 'home.config')).toMatchObject({
      state: 'problem',
      finding: expect.stringContaining('bridged.yaml:1: port: must be a whole number'),
    })
    expect(stateOf(outcome, 'bridge.port')).toBe('skipped')
  })

  test('says the remedy for the home that it was asked about', async () => {
    const state = join(machine.directory, 'other home/state.yaml')
    const { stdout } = await machine.run(['doctor', '--state', state])
    expect(stdout).toContain(`→ bridge up --state '${state}'`)
  })

  test('as a user whom permissions stop', () => {
    mkdirSync(machine.path, { mode: 0o700 })
    machine.write('bridge/token', 'a-token-0123456789\n', 0o000)
    machine.write('bridge/audit.log', 'x', 0o000)
    machine.write('bridge/bridge.db', 'x', 0o000)
    machine.write('bridge/bridged.yaml', 'port: 1\n', 0o000)
    mkdirSync(join(machine.path, 'spool'), { mode: 0o000 })
    machine.write('.claude/settings.json', '{}', 0o000)
    const outcome = asUser(machine, ['doctor', '--json'])
    expect(outcome).toMatchObject({ stderr: '', exit: 1 })
    const problem = (id: string) => {
      const check = checkOf(outcome, id)
      expect([id, check?.state]).toEqual([id, 'problem'])
      return check?.finding
    }
    expect(problem('home.token')).toBe('~/bridge/token cannot be read: permission denied')
    expect(problem('home.config')).toContain('cannot be read: permission denied')
    expect(problem('bridge.database')).toBe('~/bridge/bridge.db cannot be used: unable to open database file')
    expect(problem('bridge.audit')).toContain('permission denied')
    expect(problem('hooks.spool')).toBe('~/bridge/spool cannot be read: permission denied')
    expect(problem('claude.settings')).toContain('~/.claude/settings.json cannot be read: permission denied')
    expect(stateOf(outcome, 'home.directory')).toBe('ok')
  })

  test.runIf(isRoot)('on the home of another user', () => {
    mkdirSync(machine.path, { mode: 0o700 })
    machine.write('bridge/token', 'a-token-0123456789\n')
    const outcome = asUser(machine, ['doctor', '--json'], { own: false })
    expect(outcome.exit).toBe(1)
    const problems = report(outcome).checks.filter(({ state }) => state === 'problem')
    // One cause is one problem: nothing is said of what cannot be looked into.
    expect(problems.map(({ id, finding }) => [id, finding])).toEqual([
      ['home.directory', '~/bridge belongs to the user with the id 0, and this command runs as 65534'],
    ])
    expect(stateOf(outcome, 'bridge.daemon')).toBe('skipped')
  })
})

describe('with a daemon and a wired agent', () => {
  let machine: Machine
  beforeAll(async () => {
    machine = new Machine()
    machine.addProgram('claude', 'echo "2.1.332 (Claude Code)"')
    await machine.run(['up', '--port', '0'])
    await machine.run(['wire', 'claude'])
  })
  afterAll(() => machine[Symbol.asyncDispose]())

  test('everything is fine, and a hook was seen to arrive', async () => {
    const { stdout, stderr, exit } = await machine.run(['doctor', '--agent', 'claude'])
    expect({ stderr, exit }).toEqual({ stderr: '', exit: 0 })
    expect(stdout).toMatch(
      /\nClaude Code\n {2}✓ Version 2\.1\.332, ~\/bin\/claude\n {2}✓ 31 hooks in ~\/\.claude\/settings\.json\n {2}✓ A hook through the command in ~\/\.claude\/settings\.json arrived after \d+ ms\n\nNothing is wrong\.\n$/,
    )
    expect(stdout).not.toMatch(/[✗!]/)
    const status = await machine.run(['status', '--json'])
    expect(JSON.parse(status.stdout)).toMatchObject({ contacts: [{ agent: 'claude', status: 'offline' }] })
  })

  test('warnings do not fail it', async () => {
    machine.write('.claude/settings.local.json', '{}')
    machine.addProgram('gemini', 'echo nothing')
    const outcome = await machine.run(['doctor', '--json'])
    expect(outcome.exit).toBe(0)
    expect(report(outcome).ok).toBe(true)
    expect(stateOf(outcome, 'gemini.program')).toBe('warning')
  })

  test('--no-probe sends nothing', async () => {
    const events = async () => JSON.parse((await machine.run(['status', '--json'])).stdout).log.seq
    const before: unknown = await events()
    const outcome = await machine.run(['doctor', '--json', '--no-probe'])
    expect(outcome.exit).toBe(0)
    expect(stateOf(outcome, 'claude.probe')).toBe('skipped')
    expect(await events()).toBe(before)
  })

  test('no secret is printed, wherever it stands' + verifies('B54'), async () => {
    const secrets = {
      master: readFileSync(join(machine.path, 'token'), 'utf8').trim(),
      forward: /^token=(.+)$/m.exec(readFileSync(join(machine.path, 'forward'), 'utf8'))?.[1] ?? '-',
      environment: 'secret-of-the-environment',
      header: 'secret-in-a-header',
      settings: 'secret-in-the-settings',
      program: 'sk-ant-api03-secretsecretsecret',
      yaml: 'brt_' + 'ab'.repeat(32),
      password: 'secret-in-an-address',
    }
    const settings = join(machine.directory, '.claude/settings.json')
    const before = readFileSync(settings, 'utf8')
    const http = {
      type: 'http',
      url: `http://user:${secrets.password}@127.0.0.1:9/hooks/claude?token=${secrets.header}`,
      headers: { Authorization: `Bearer ${secrets.header}`, 'X-Bridge-Contact': '$BRIDGE_CONTACT' },
      allowedEnvVars: ['BRIDGE_CONTACT'],
    }
    const address = { ...http, url: `http://user:${secrets.password}@127.0.0.1:9/hooks/claude` }
    machine.write(
      '.claude/settings.json',
      JSON.stringify({
        env: { ANTHROPIC_AUTH_TOKEN: secrets.settings, BRIDGE_TOKEN: secrets.settings },
        hooks: {
          Stop: [{ hooks: [http] }],
          Notification: [{ hooks: [address] }],
          SessionStart: [
            {
              hooks: [
                {
                  type: 'command',
                  command: `echo ${secrets.program} $BRIDGE_TOKEN >&2; exit 1; exec perl ${resolve(main, '../../../bin/hook.pl')} claude # agent-bridge`,
                },
              ],
            },
          ],
        },
      }),
    )
    machine.addProgram('codex', `echo "${secrets.program}"; exit 1`)
    machine.write('bridge/bridged.yaml', `token: "${secrets.yaml}" "${secrets.yaml}"\n`)
    const env = {
      BRIDGE_TOKEN: secrets.environment,
      BRIDGE_URL: `http://user:${secrets.password}@127.0.0.1:9`,
    }
    let said = ''
    try {
      for (const args of [['doctor'], ['doctor', '--json']]) {
        for (const variables of [{}, env]) {
          const { stdout, stderr } = await machine.run(args, variables)
          expect(stdout.length).toBeGreaterThan(1_000)
          said += stdout
          for (const [where, secret] of Object.entries(secrets)) {
            expect([where, (stdout + stderr).includes(secret)]).toEqual([where, false])
          }
        }
      }
      // What was looked for was there to be said.
      expect(said).toContain('ended with 1: [redacted]')
    } finally {
      writeFileSync(settings, before)
      writeFileSync(join(machine.path, 'bridged.yaml'), '')
      machine.addProgram('codex', 'echo 0.171.0')
    }
  })

  test('a daemon that was killed is missed, and its lock is free', async () => {
    const { pid }: { pid: number } = JSON.parse(readFileSync(join(machine.path, 'daemon.json'), 'utf8'))
    process.kill(pid, 'SIGSTOP')
    try {
      const hung = await machine.run(['doctor', '--json'])
      expect(checkOf(hung, 'bridge.daemon')).toMatchObject({
        state: 'problem',
        finding: expect.stringContaining('did not finish within 2000 ms'),
        remedy: `bridge logs, then kill ${pid}`,
      })
      expect(stateOf(hung, 'bridge.lock')).toBe('problem')
      expect(stateOf(hung, 'claude.probe')).toBe('skipped')
    } finally {
      process.kill(pid, 'SIGKILL')
    }
    const gone = await machine.run(['doctor', '--json'])
    expect(gone.exit).toBe(1)
    expect(checkOf(gone, 'bridge.daemon')?.finding).toBe('No bridge runs on ~/bridge')
    expect(stateOf(gone, 'bridge.lock')).toBe('ok')
  })

  test('leaves no file behind in the home', () => {
    expect(readdirSync(machine.path).filter((name) => /doctor|tmp/.test(name))).toEqual([])
  })
})

/** Runs `bridge` as a user whom permissions stop; with `own` the whole machine is that user's. */
function asUser(machine: Machine, args: readonly string[], { own = true } = {}): Outcome {
  if (isRoot) {
    spawnSync('chown', [...(own ? ['-R'] : []), '65534:65534', machine.directory])
    chmodSync(machine.directory, 0o755)
  }
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...args], {
    cwd: machine.directory,
    env: machine.env,
    encoding: 'utf8',
    ...(isRoot && { uid: 65534, gid: 65534 }),
  })
  return { stdout, stderr, exit: status }
}
