import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { claudeFiles } from '../scripts/claude-files.ts'
import { findProgram } from '../src/agents/forwarder/command.ts'
import { wireClaude } from '../src/agents/claude/wire.ts'
import { wiredEvents } from '../src/agents/claude/wire-events.ts'
import { Home, HookServer } from './conformance/forwarder/forwarder.ts'
import { verifies } from './requirements.ts'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const hookBody = '{"session_id":"S1","hook_event_name":"Stop"}'

test.each(Object.entries(claudeFiles))('%s is what the code says', (path, render) => {
  expect(read(path)).toBe(render())
})

test(
  'the example is what wiring writes into an empty home' + verifies('A:examples.hooks-settings'),
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'example-'))
    try {
      const { path } = await wireClaude({
        homeDir: home,
        env: {},
        scope: 'user',
        bridgeHome: join(home, '.bridge'),
        forwarderDir: '/opt/agent-bridge/bin',
        perlPath: '/usr/bin/perl',
        nodePath: '/usr/bin/node',
      })
      expect(readFileSync(path, 'utf8')).toBe(read('examples/hooks-settings.json'))
    } finally {
      rmSync(home, { recursive: true })
    }
  },
)

describe('the Claude Code plugin', () => {
  test('has the version of the package' + verifies('A:plugin.manifest'), () => {
    const { version } = JSON.parse(read('package.json'))
    expect(JSON.parse(read('claude-plugin/.claude-plugin/plugin.json'))).toMatchObject({
      name: 'agent-bridge',
      version,
    })
  })

  test('wires every hook type of the adapter' + verifies('A:plugin.hooks'), () => {
    const { hooks } = JSON.parse(read('claude-plugin/hooks/hooks.json'))
    expect(Object.keys(hooks)).toEqual(wiredEvents)
  })

  test(
    'is offered by a marketplace, by a path that begins with ./' +
      verifies('A:plugin.marketplace', 'A:trouble.marketplace-source'),
    () => {
      const { plugins } = JSON.parse(read('.claude-plugin/marketplace.json'))
      expect(plugins).toMatchObject([{ name: 'agent-bridge', source: './claude-plugin' }])
      expect(readdirSync(join(root, plugins[0].source))).toContain('.claude-plugin')
    },
  )

  test('has hooks and nothing else: it starts no server' + verifies('A:plugin.hooks-only'), () => {
    expect(readdirSync(join(root, 'claude-plugin')).toSorted()).toEqual([
      '.claude-plugin',
      'README.md',
      'forwarder',
      'hooks',
    ])
    expect(readdirSync(join(root, 'claude-plugin/.claude-plugin'))).toEqual(['plugin.json'])
    expect(readdirSync(join(root, 'claude-plugin/forwarder')).toSorted()).toEqual(['hook.js', 'hook.pl'])
  })
})

test('a wired hook arrives, from the settings to the bridge' + verifies('A:wire.claude'), async () => {
  using home = new Home()
  await using server = await HookServer.open()
  home.writeForward(server.url)
  const { path } = await wireClaude({
    homeDir: home.path,
    env: {},
    scope: 'user',
    bridgeHome: home.path,
    forwarderDir: join(root, 'bin'),
    perlPath: findProgram('perl', process.env['PATH']),
    nodePath: process.execPath,
  })
  const { hooks } = JSON.parse(readFileSync(path, 'utf8'))
  const child = spawn('/bin/sh', ['-c', hooks.Stop[0].hooks[0].command], {
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.stdin.end(hookBody)
  expect(await new Promise((done) => child.on('close', done))).toBe(0)
  expect(server.received.map(({ url, body }) => [url, body.toString()])).toEqual([
    ['/hooks/claude', hookBody],
  ])
})

describe('an installed plugin, a copy in a folder with a space', () => {
  let home: Home
  let server: HookServer
  let plugin: string
  const nodes = [
    process.execPath,
    ...['/usr/bin/node', '/usr/local/bin/node'].filter((path) => findProgram('node', path.slice(0, -5))),
  ]

  beforeEach(async () => {
    home = new Home()
    server = await HookServer.open()
    home.writeForward(server.url)
    plugin = join(home.path, 'plugin cache', 'agent-bridge')
    cpSync(join(root, 'claude-plugin'), plugin, { recursive: true })
  })
  afterEach(async () => {
    await server[Symbol.asyncDispose]()
    home[Symbol.dispose]()
  })

  /** Runs the hook as Claude Code does, with only `programs` on the PATH. */
  async function runHook(
    programs: Readonly<Record<string, string>>,
  ): Promise<{ code: number | null; output: string }> {
    const path = mkdtempSync(join(home.path, 'path-'))
    for (const [name, target] of Object.entries(programs)) symlinkSync(target, join(path, name))
    const { hooks } = JSON.parse(readFileSync(join(plugin, 'hooks/hooks.json'), 'utf8'))
    const child = spawn('/bin/sh', ['-c', hooks.Stop[0].hooks[0].command], {
      env: { PATH: path, BRIDGE_HOME: home.path, CLAUDE_PLUGIN_ROOT: plugin },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    child.stdin.on('error', () => {
      // Nobody reads it where there is no program.
    })
    child.stdin.end(hookBody)
    const code = await new Promise<number | null>((done) => child.on('close', done))
    return { code, output }
  }

  test('posts with Perl', async () => {
    expect(await runHook({ perl: '/usr/bin/perl' })).toEqual({ code: 0, output: '' })
    expect(server.received.map(({ body }) => body.toString())).toEqual([hookBody])
  })

  test.each(nodes)('posts with %s where there is no Perl', async (node) => {
    expect(await runHook({ node })).toEqual({ code: 0, output: '' })
    expect(server.received.map(({ body }) => body.toString())).toEqual([hookBody])
  })

  test('is silent where there is neither, and once its files are gone', async () => {
    expect(await runHook({})).toEqual({ code: 0, output: '' })
    rmSync(join(plugin, 'forwarder'), { recursive: true })
    mkdirSync(join(plugin, 'forwarder'))
    expect(await runHook({ perl: '/usr/bin/perl' })).toEqual({ code: 0, output: '' })
    expect(server.received).toEqual([])
  })
})
