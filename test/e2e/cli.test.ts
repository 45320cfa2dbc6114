import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifies } from '../requirements.ts'
import { CommandHome, type Outcome } from './command.ts'

/** The seed whose session all of these tests know. */
const demo = ['demo', '--speed', '2000', '--seed', '7']

function recordOf(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

const fieldOf = (text: string, name: string) => recordOf(text)[name]

describe('without a daemon', () => {
  let home: CommandHome
  beforeAll(() => {
    home = new CommandHome()
  })
  afterAll(() => home[Symbol.asyncDispose]())

  test.each([['status'], ['tail'], ['demo'], ['token', 'list'], ['status', '--link']])(
    '%s %s fails with a line of what and a line of what to do',
    async (...args) => {
      const { stdout, stderr, exit } = await home.run(args)
      expect({ stdout, exit }).toEqual({ stdout: '', exit: 1 })
      expect(stderr).toBe(`bridge: No bridge runs on ${home.path}.\n        Start it with "bridge up".\n`)
    },
  )

  test('down is content, since nothing runs', async () => {
    expect(await home.run(['down'])).toEqual({ stdout: 'No bridge runs on ~/bridge.\n', stderr: '', exit: 0 })
    expect((await home.run(['down', '--json'])).stdout).toBe('{"stopped":null}\n')
  })

  test.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['status', '--nonsense'], "unknown option '--nonsense'"],
    [['tail', '--after', 'x', '--since-start'], 'cannot be used with'],
    [['logs', '-n', 'many'], 'It must be a whole number.'],
    [['demo', '--speed', '0'], 'It must be a number above 0'],
    [['token', 'create', 'x'], "required option '--scope"],
    [['token', 'create', 'x', '--scope', 'root'], 'There is no scope "root"'],
    [['tail', '--after', 'soon'], '--after takes a place in the log'],
    [['completion', 'tcsh'], 'There is no completion for "tcsh"'],
  ])('%j is a usage error', async (args, message) => {
    const { stdout, stderr, exit } = await home.run(args)
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 })
    expect(stderr).toContain(message)
    expect(stderr).toMatch(/^bridge: /)
  })

  test('help and version', async () => {
    const bare = await home.run([])
    expect(bare.exit).toBe(0)
    expect(bare.stdout).toContain('Usage: bridge')
    expect((await home.run(['help', 'tail'])).stdout).toContain('--since-start')
    expect((await home.run(['status', '--help'])).stdout).toContain('--link')
    const version = await home.run(['version'])
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect((await home.run(['--version'])).stdout).toBe(version.stdout)
  })

  test('bash completes commands, subcommands and options', async () => {
    const script = await home.run(['completion', 'bash'])
    const complete = (...words: string[]) => {
      const list = words.map((word) => `'${word}'`).join(' ')
      const probe = `${script.stdout}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _bridge; echo "\${COMPREPLY[@]}"`
      const { stdout, stderr } = spawnSync('bash', ['-c', probe], { encoding: 'utf8' })
      expect(stderr).toBe('')
      return stdout.trim().split(' ')
    }
    expect(complete('bridge', 'st')).toEqual(['status'])
    expect(complete('bridge', 'token', '')).toEqual(
      expect.arrayContaining(['list', 'create', 'rotate', 'revoke']),
    )
    expect(complete('bridge', 'token', 'create', 'phone', '--sc')).toEqual(['--scope'])
    expect(complete('bridge', 'wire', '--state', 'x', 'cl')).toEqual(['claude'])
  })

  test('wire and unwire edit the settings of Claude Code, and say what they did', async () => {
    const settings = join(home.directory, '.claude', 'settings.json')
    mkdirSync(join(home.directory, '.claude'))
    const original = '{\n  // mine\n  "model": "opus"\n}\n'
    writeFileSync(settings, original)
    const wired = await home.run(['wire', 'claude'])
    expect(wired).toMatchObject({ stderr: '', exit: 0 })
    expect(wired.stdout).toMatch(
      /^Claude Code reports \d+ kinds of hooks to the bridge: ~\/\.claude\/settings\.json\.$/m,
    )
    expect(wired.stdout).toMatch(/^The file as it was: ~\/bridge\/backups\//m)
    expect(readFileSync(settings, 'utf8')).toContain('/bin/hook.')
    expect((await home.run(['wire', 'claude'])).stdout).toContain('is wired already; nothing changed')
    const unwired = await home.run(['unwire', 'claude', '--json'])
    expect(JSON.parse(unwired.stdout)).toMatchObject({ path: settings, changed: true })
    expect(readFileSync(settings, 'utf8')).toBe(original)
    const project = await home.run(['wire', 'claude', '--project', '--json'])
    expect(fieldOf(project.stdout, 'path')).toBe(join(home.directory, '.claude', 'settings.local.json'))
    const other = await home.run(['wire', 'emacs'])
    expect(other).toEqual({
      stdout: '',
      stderr:
        'bridge: There is no agent named "emacs".\n        Known: claude, codex, cursor, opencode, gemini.\n',
      exit: 2,
    })
  })

  test('config check shows each value with its source, and refuses what is wrong', async () => {
    const checking = new CommandHome()
    await using _ = checking
    const good = await checking.run(['config', 'check'], { BRIDGE_PORT: '9001' })
    expect(good.stdout).toMatch(/^port +9001 +BRIDGE_PORT$/m)
    expect(good.stdout).toMatch(/^host +127\.0\.0\.1 +default$/m)
    const values: unknown = JSON.parse((await checking.run(['config', 'check', '--json'])).stdout)
    expect(values).toContainEqual({ name: 'port', value: 8787, source: 'default' })
    const bad = await checking.run(['config', 'check'], { BRIDGE_PORT: 'high' })
    expect(bad).toMatchObject({ stdout: '', exit: 78 })
    expect(bad.stderr).toContain('BRIDGE_PORT')
  })
})

describe('with a daemon', () => {
  let home: CommandHome
  let started: Outcome
  const daemonFile = (name: string) => fieldOf(readFileSync(join(home.path, 'daemon.json'), 'utf8'), name)
  const url = () => String(daemonFile('url'))

  beforeAll(async () => {
    home = new CommandHome()
    started = await home.run(['up', '--port', '0'])
  })
  afterAll(() => home[Symbol.asyncDispose]())

  test('up starts it in the background and says how to go on', async () => {
    expect({ stderr: started.stderr, exit: started.exit }).toEqual({ stderr: '', exit: 0 })
    expect(daemonFile('port')).toBeGreaterThan(0)
    expect(started.stdout).toContain(`runs on ${url()}, home ~/bridge`)
    for (const hint of ['bridge wire claude', 'bridge tail', 'bridge down'])
      expect(started.stdout).toContain(hint)
    expect((await fetch(`${url()}/api/health`)).status).toBe(200)
    expect(statSync(home.path).mode & 0o777).toBe(0o700)
    for (const name of ['bridge.sock', 'token', 'daemon.err', 'daemon.log']) {
      expect([name, statSync(join(home.path, name)).mode & 0o777]).toEqual([name, 0o600])
    }
  })

  test('the link it prints lets a browser in once', async () => {
    const ticket = /#ticket=(\S+)/.exec(started.stdout)?.[1]
    const redeem = () =>
      fetch(`${url()}/api/links/redeem`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ticket }),
      })
    const first = await redeem()
    expect(first.status).toBe(201)
    expect(await first.json()).toMatchObject({ token: { name: 'browser' } })
    expect((await redeem()).status).toBe(401)
    const link = await home.run(['status', '--link'])
    expect(link.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#ticket=\S+\n$/)
  })

  test.each([[['up', '--port', '0']], [['up', '--foreground', '--port', '0']]])(
    'a second one is refused: %j',
    async (args) => {
      const { stderr, exit } = await home.run(args)
      expect(exit).toBe(1)
      expect(stderr).toContain(
        `A bridge already runs on ${home.path} (process ${String(daemonFile('pid'))}).`,
      )
      expect(stderr).toContain('Stop it with "bridge down".')
    },
  )

  test('what keeps a daemon from starting in the background is said here', async () => {
    await using other = new CommandHome()
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    const { stdout, stderr, exit } = await other.run(['up', '--port', port])
    taken.close()
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 1 })
    expect(stderr).toBe(
      `bridge: Port ${port} on 127.0.0.1 is taken by another program.\n        Choose one with --port or BRIDGE_PORT.\n`,
    )
  })

  test('demo and tail show a whole session' + verifies('A:agents.simulator'), async () => {
    const people = home.start(['tail'])
    const programs = home.start(['tail', '--json'])
    const turns = home.start(['tail', '--json', '--kind', 'turn.ended'])
    await programs.until(({ lines }) => lines.length > 0)
    await turns.until(({ lines }) => lines.length > 0)
    // The one for people prints nothing before the first event, so its place is known by the daemon's clients.
    await waitForClients(3)
    const played = await home.run(demo)
    expect(played).toMatchObject({ stderr: '', exit: 0 })
    expect(played.stdout).toContain('The session is over.')
    await people.until(({ stdout }) => stdout.includes('session ended'))
    await programs.until(({ stdout }) => stdout.includes('"session.ended"'))
    await turns.until(({ lines }) => lines.length > 4)

    expect(people.stdout).toMatch(/^\d\d:\d\d:\d\d {2}\S+ +❯ Mend it, with a test\.$/m)
    expect(people.stdout).toMatch(/ ◆ asks Bash {2}npm test/)
    expect(people.stdout).toMatch(/ ✗ Bash {2}npm test -- parser {2}Exit code 1⏎ /)
    expect(people.stdout).not.toContain('\u001b')
    const frames = programs.lines.map(recordOf)
    expect(frames[0]).toMatchObject({ type: 'subscribed', resume: 'ok' })
    const seqs = frames.slice(1).map((frame) => Number(frame['seq']))
    expect(seqs).toEqual(seqs.map((_, index) => Number(seqs[0]) + index))
    expect(turns.lines.slice(1).every((line) => line.includes('"turn.ended"'))).toBe(true)
    for (const command of [people, programs, turns]) await command.stop('SIGTERM')
  })

  test('tail begins where it is told to, and follows one contact', async () => {
    const all = home.start(['tail', '--json', '--since-start'])
    await all.until(({ stdout }) => stdout.includes('"session.ended"'))
    const [subscribed = '', ...frames] = all.lines
    expect(fieldOf(subscribed, 'seq')).toBe(0)
    expect(fieldOf(frames[0] ?? '', 'seq')).toBe(1)
    await all.stop('SIGTERM')

    const cursor = `${String(fieldOf(subscribed, 'epoch'))}:${frames.length - 1}`
    const last = home.start(['tail', '--json', '--after', cursor])
    await last.until(({ lines }) => lines.length === 2)
    expect(fieldOf(last.lines[1] ?? '', 'seq')).toBe(frames.length)
    await last.stop('SIGTERM')

    const unknown = await home.run(['tail', '--contact', 'nobody'])
    expect(unknown).toMatchObject({ stdout: '', exit: 1 })
    expect(unknown.stderr).toContain('No contact has the id or name "nobody".')
  })

  test('status shows the contact, and all of it as JSON', async () => {
    const people = await home.run(['status'])
    expect(people.stdout).toMatch(/^Agent Bridge \d.* · [\d,]+ events/)
    expect(people.stdout).toMatch(/^○ {2}\S+ {2}offline {2}simulator/m)
    const status = await home.run(['status', '--json'])
    expect(JSON.parse(status.stdout)).toMatchObject({
      url: url(),
      pid: daemonFile('pid'),
      home: home.path,
      contacts: [{ agent: 'simulator', status: 'offline' }],
    })
    expect((await home.run(['status', '--state', join(home.path, 'any.yaml')])).exit).toBe(0)
  })

  test('status loads neither the schemas nor the command parser: prompts call it', async () => {
    const coverage = join(home.directory, 'coverage')
    expect((await home.run(['status'], { NODE_V8_COVERAGE: coverage })).exit).toBe(0)
    const [file = ''] = readdirSync(coverage)
    const loaded = readFileSync(join(coverage, file), 'utf8')
    expect(loaded).toContain('/cli/commands/status.ts')
    expect(loaded).not.toMatch(/node_modules\/|\/cli\/program\.ts/)
  })

  test('tail goes on after the daemon was killed and started again' + verifies('B26'), async () => {
    const people = home.start(['tail'])
    const programs = home.start(['tail', '--json'])
    await programs.until(({ lines }) => lines.length > 0)
    await waitForClients(2)
    process.kill(Number(daemonFile('pid')), 'SIGKILL')
    await people.until(({ stdout }) => stdout.includes('the bridge is away'))
    expect((await home.run(['up', '--port', '0'])).exit).toBe(0)
    expect((await home.run(demo)).exit).toBe(0)
    await people.until(({ stdout }) => stdout.includes('the bridge is back; nothing was missed'))
    await people.until(({ stdout }) => stdout.includes('session ended'))
    await programs.until(({ stdout }) => stdout.includes('"session.ended"'))
    const frames = programs.lines.map(recordOf)
    expect(frames.filter(({ type }) => type === 'subscribed').map(({ resume }) => resume)).toEqual([
      'ok',
      'ok',
    ])
    const seqs = frames.filter(({ type }) => type !== 'subscribed').map((frame) => Number(frame['seq']))
    expect(seqs).toEqual(seqs.map((_, index) => Number(seqs[0]) + index))
    await people.stop('SIGTERM')
    await programs.stop('SIGTERM')
  })

  test('tokens: made, shown once, listed, rotated and revoked', async () => {
    const created = await home.run(['token', 'create', 'phone', '--scope', 'read,send', '--expires', '30d'])
    const secret = created.stdout.trim()
    const check = async (token: string) =>
      (await fetch(`${url()}/api/state`, { headers: { authorization: `Bearer ${token}` } })).status
    expect(await check(secret)).toBe(200)
    const id = /the secret of (\S+)\./.exec(created.stderr)?.[1] ?? '-'
    const list = await home.run(['token', 'list'])
    expect(list.stdout).toMatch(new RegExp(`^${id} +phone +read,send +all +\\d{4}-\\d\\d-\\d\\d`, 'm'))
    expect(list.stdout).not.toContain(secret)
    const rotated = fieldOf((await home.run(['token', 'rotate', id, '--json'])).stdout, 'secret')
    expect([await check(secret), await check(String(rotated))]).toEqual([401, 200])
    expect((await home.run(['token', 'revoke', id])).stdout).toContain(`Revoked ${id}`)
    expect(await check(String(rotated))).toBe(401)
    const gone = await home.run(['token', 'revoke', id])
    expect(gone).toMatchObject({ stdout: '', exit: 1 })
  })

  test('logs show what the daemon reports', async () => {
    const logs = await home.run(['logs'])
    expect(logs.stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d info {2}listening on http/m)
    const json = await home.run(['logs', '--json', '-n', '1'])
    expect(fieldOf(json.stdout, 'msg')).toEqual(expect.any(String))
    const following = home.start(['logs', '-f', '-n', '1'])
    await following.until(({ lines }) => lines.length === 1)
    appendFileSync(join(home.path, 'daemon.log'), '{"level":40,"msg":"written meanwhile"}\n')
    await following.until(({ stdout }) => stdout.includes('warn  written meanwhile'))
    await following.stop('SIGTERM')
  })

  test('down stops it and waits; the audit is there without it, and a change in it is found', async () => {
    const pid = Number(daemonFile('pid'))
    expect(await home.run(['down'])).toEqual({
      stdout: `Stopped the bridge on ~/bridge (process ${pid}).\n`,
      stderr: '',
      exit: 0,
    })
    expect((await home.run(['status'])).exit).toBe(1)
    expect(() => readFileSync(join(home.path, 'daemon.json'))).toThrow('ENOENT')

    const audit = await home.run(['audit', '--action', 'token-created', '--json'])
    expect(fieldOf(audit.stdout.trim().split('\n').at(-1) ?? '', 'action')).toBe('token-created')
    expect((await home.run(['audit', '-n', '1'])).stdout).toContain('stopped')
    expect((await home.run(['audit', 'verify'])).stdout).toMatch(/^The audit holds: \d+ lines\.\n$/)
    const path = join(home.path, 'audit.log')
    writeFileSync(path, readFileSync(path, 'utf8').replace('token-created', 'token-erased!'))
    const broken = await home.run(['audit', 'verify'])
    expect(broken.exit).toBe(1)
    expect(broken.stderr).toMatch(/audit\.log:\d+: the chain of the audit breaks here/)
    expect(fieldOf((await home.run(['audit', 'verify', '--json'])).stdout, 'ok')).toBe(false)
  })

  async function waitForClients(count: number): Promise<void> {
    const deadline = Date.now() + 10_000
    while (Number(fieldOf((await home.run(['status', '--json'])).stdout, 'clients')) < count) {
      if (Date.now() > deadline) throw new Error(`fewer than ${count} clients came`)
    }
  }
})

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('in the foreground it runs until %s', async (signal) => {
  await using home = new CommandHome()
  const command = home.start(['up', '--foreground', '--port', '0'])
  await command.until(({ stdout }) => stdout.includes('Ctrl-C'))
  expect((await home.run(['status'])).exit).toBe(0)
  expect((await command.stop(signal)).exit).toBe(0)
  expect(command.stderr).toContain('listening on http')
  expect((await home.run(['status'])).exit).toBe(1)
})
