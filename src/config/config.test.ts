import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { verifies } from '../../test/requirements.ts'
import { loadConfig, type Config } from './config.ts'
import { describeConfig } from './describe.ts'
import type { ConfigFlags } from './settings.ts'

let root: string
let home: string
let yamlPath: string
let envPath: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bridge-config-'))
  home = join(root, 'home')
  mkdirSync(home)
  yamlPath = join(home, 'bridged.yaml')
  envPath = join(root, '.env')
})

function load(env: Record<string, string | undefined> = {}, flags: ConfigFlags = {}): Config {
  const homeDir = join(root, 'ada')
  return loadConfig({ flags, env: { BRIDGE_HOME: home, ...env }, cwd: root, homeDir, packageRoot: root })
}

describe('with nothing set', () => {
  test('the defaults are those of the seed', () => {
    expect(load()).toEqual({
      home,
      host: '127.0.0.1',
      port: 8787,
      logLevel: 'info',
      url: 'http://127.0.0.1:8787',
      hookTimeoutMs: 500,
      allowedHosts: [],
      allowedOrigins: [],
      redact: true,
      retention: { maxEvents: 1_000_000, maxAgeDays: 30 },
      limits: { bodyBytes: 1_000_000, clientBufferBytes: 4_194_304 },
      agents: { claude: { transcriptRoots: [join(root, 'ada/.claude/projects')] } },
      sources: { home: 'BRIDGE_HOME' },
    })
  })

  test('the home is ~/.bridge', () => {
    expect(load({ BRIDGE_HOME: undefined }).home).toBe(join(root, 'ada/.bridge'))
  })

  test('everything is frozen', () => {
    const thawed = (value: unknown): unknown[] =>
      typeof value === 'object' && value !== null
        ? [...(Object.isFrozen(value) ? [] : [value]), ...Object.values(value).flatMap(thawed)]
        : []
    expect(thawed(load({ BRIDGE_DATABASE_URL: 'https://db.example', BRIDGE_AGENT_ID: 'a' }))).toEqual([])
  })
})

describe('the variables of the seed', () => {
  test('BRIDGE_TOKEN is the master token', () => {
    expect(load({ BRIDGE_TOKEN: 'test' }).token).toBe('test')
  })

  test.each(['', ' ', 'two words', 'a\n', 'schlüssel'])('B54 BRIDGE_TOKEN %j stops the start', (token) => {
    expect(() => load({ BRIDGE_TOKEN: token })).toThrow('environment: BRIDGE_TOKEN: ')
  })

  test('an unusable token is in no message', () => {
    expect(() => load({ BRIDGE_TOKEN: 'my secret' })).toThrow(/^(?!.*my secret)/)
  })

  test('BRIDGE_PORT is the port, 0 any free one', () => {
    expect(load({ BRIDGE_PORT: '9000' }).port).toBe(9000)
    expect(load({ BRIDGE_PORT: '0' }).port).toBe(0)
  })

  test.each(['65536', '-1', '1.5', 'http', '0x10', '8787 '])('BRIDGE_PORT %j is refused', (port) => {
    expect(() => load({ BRIDGE_PORT: port })).toThrow(
      'environment: BRIDGE_PORT: must be a whole number from 0 to 65535',
    )
  })

  test('BRIDGE_HOST is the address to bind', () => {
    expect(load({ BRIDGE_HOST: '0.0.0.0' }).host).toBe('0.0.0.0')
    expect(load({ BRIDGE_HOST: '[::1]' }).host).toBe('::1')
    expect(() => load({ BRIDGE_HOST: '*' })).toThrow('or 0.0.0.0 for all interfaces')
  })

  test('BRIDGE_LOG_FILE is a path, relative to the working directory', () => {
    expect(load({ BRIDGE_LOG_FILE: 'log/a.log' }).logFile).toBe(join(root, 'log/a.log'))
    expect(load({ BRIDGE_LOG_FILE: '~/a.log' }).logFile).toBe(join(root, 'ada/a.log'))
    expect(load().logFile).toBeUndefined()
  })

  test('BRIDGE_LOG_LEVEL is one of six', () => {
    expect(load({ BRIDGE_LOG_LEVEL: 'debug' }).logLevel).toBe('debug')
    expect(() => load({ BRIDGE_LOG_LEVEL: 'loud' })).toThrow('must be one of silent, error, warn')
  })

  test('BRIDGE_DATABASE_URL and BRIDGE_AGENT_ID turn Firebase on', () => {
    const env = { BRIDGE_DATABASE_URL: 'https://db.example/', BRIDGE_AGENT_ID: 'desk' }
    expect(load(env).firebase).toEqual({ databaseUrl: 'https://db.example', agentId: 'desk' })
    expect(load({ BRIDGE_AGENT_ID: 'desk' }).firebase).toBeUndefined()
  })

  test('BRIDGE_DATABASE_URL without an id is an error' + verifies('A:env.agent-id-with-url'), () => {
    expect(() => load({ BRIDGE_DATABASE_URL: 'https://db.example' })).toThrow(
      'BRIDGE_DATABASE_URL: firebase.agent_id: is missing; a database URL needs it. Set BRIDGE_AGENT_ID',
    )
  })

  test.each(['a/b', 'a.b', '$a', '[a]', 'a#b', 'a\u0001'])('BRIDGE_AGENT_ID %j is no key', (id) => {
    expect(() => load({ BRIDGE_DATABASE_URL: 'https://db.example', BRIDGE_AGENT_ID: id })).toThrow(
      'BRIDGE_AGENT_ID',
    )
  })

  test('BRIDGE_URL is where forwarders post', () => {
    expect(load({ BRIDGE_URL: 'https://bridge.example/base/' }).url).toBe('https://bridge.example/base')
  })

  test.each([
    [{ BRIDGE_PORT: '9000' }, 'http://127.0.0.1:9000'],
    [{ BRIDGE_PORT: '0' }, 'http://127.0.0.1:8787'],
    [{ BRIDGE_HOST: '0.0.0.0' }, 'http://127.0.0.1:8787'],
    [{ BRIDGE_HOST: '::' }, 'http://[::1]:8787'],
    [{ BRIDGE_HOST: '192.168.1.10' }, 'http://192.168.1.10:8787'],
    [{ BRIDGE_HOST: '127.0.0.2' }, 'http://127.0.0.2:8787'],
    [{ BRIDGE_HOST: 'constructor' }, 'http://constructor:8787'],
  ])('without BRIDGE_URL, %j is reached at %s', (env, url) => {
    expect(load(env).url).toBe(url)
  })

  test.each(['bridge', 'ftp://bridge', 'http://u:p@bridge', 'http://bridge?token=x', 'http://bridge/#x'])(
    'BRIDGE_URL %j is refused',
    (url) => {
      expect(() => load({ BRIDGE_URL: url })).toThrow('environment: BRIDGE_URL: must be ')
    },
  )

  test('BRIDGE_HOOK_TIMEOUT_MS bounds a hook', () => {
    expect(load({ BRIDGE_HOOK_TIMEOUT_MS: '250' }).hookTimeoutMs).toBe(250)
    expect(() => load({ BRIDGE_HOOK_TIMEOUT_MS: '0' })).toThrow('from 1 to 60000')
  })

  test('one that is empty is not set, but for the token', () => {
    const names = [
      'PORT',
      'HOST',
      'LOG_FILE',
      'LOG_LEVEL',
      'DATABASE_URL',
      'AGENT_ID',
      'URL',
      'HOOK_TIMEOUT_MS',
    ]
    expect(load(Object.fromEntries(names.map((name) => [`BRIDGE_${name}`, ''])))).toEqual(load())
  })

  test('CLAUDE_CONFIG_DIR adds a root of transcripts', () => {
    const roots = [join(root, 'ada/.claude/projects'), '/srv/claude/projects']
    expect(load({ CLAUDE_CONFIG_DIR: '/srv/claude' }).agents.claude.transcriptRoots).toEqual(roots)
  })
})

describe('which source wins', () => {
  test('flags, environment, .env, file' + verifies('A:env.precedence', 'A:env-file.shell-wins'), () => {
    const ports: number[] = []
    writeFileSync(yamlPath, 'port: 1\n')
    ports.push(load().port)
    writeFileSync(envPath, 'BRIDGE_PORT=2\n')
    ports.push(load().port)
    ports.push(load({ BRIDGE_PORT: '3' }).port)
    ports.push(load({ BRIDGE_PORT: '3' }, { port: 4 }).port)
    expect(ports).toEqual([1, 2, 3, 4])
  })

  test('an exported empty variable takes that of .env away', () => {
    writeFileSync(envPath, 'BRIDGE_PORT=2\nBRIDGE_TOKEN=test\n')
    expect(load({ BRIDGE_PORT: '' }).port).toBe(8787)
    expect(() => load({ BRIDGE_TOKEN: '' })).toThrow('environment: BRIDGE_TOKEN: is empty')
  })

  test('every flag', () => {
    const flags = { host: '::1', port: '9000', logFile: 'a.log', logLevel: 'warn', url: 'http://b.example' }
    expect(load({ BRIDGE_PORT: '1', BRIDGE_URL: 'http://c.example' }, flags)).toMatchObject({
      ...flags,
      port: 9000,
      logFile: join(root, 'a.log'),
    })
    expect(load({}, { state: join(root, 'other/state.json') }).home).toBe(join(root, 'other'))
  })

  test('a flag is checked like the rest', () => {
    expect(() => load({}, { port: 'x' })).toThrow('command line: --port: must be a whole number')
    expect(() => load({}, { logFile: '' })).toThrow('command line: --log-file: is empty')
    expect(() => load({}, { port: 1.5 })).toThrow('command line: --port: must be a whole number')
  })

  test('an error in .env names its line', () => {
    writeFileSync(envPath, '# mine\nBRIDGE_PORT=x\n')
    expect(() => load()).toThrow(`${envPath}:2: BRIDGE_PORT: must be a whole number`)
  })

  test('a path in .env is relative to it', () => {
    writeFileSync(envPath, 'BRIDGE_LOG_FILE=a.log\n')
    const options = { env: { BRIDGE_HOME: home }, cwd: '/', homeDir: '/', packageRoot: root }
    expect(loadConfig(options).logFile).toBe(join(root, 'a.log'))
  })
})

describe('describeConfig', () => {
  test('shows each value with where it came from, and never the token', () => {
    writeFileSync(envPath, '\nBRIDGE_TOKEN=hunter2\n')
    writeFileSync(yamlPath, 'retention:\n  max_age_days: 7\nallowed_hosts: [a.example]\n')
    const described = describeConfig(load({ BRIDGE_HOST: '::1' }, { port: 9000 }))
    const rows = described.map(({ name, value, source }) => [name, value, source])
    expect(rows).toEqual([
      ['home', home, 'BRIDGE_HOME'],
      ['host', '::1', 'BRIDGE_HOST'],
      ['port', 9000, '--port'],
      ['token', 'set', `${envPath}:2`],
      ['log_file', null, 'default'],
      ['log_level', 'info', 'default'],
      ['url', 'http://[::1]:9000', 'default'],
      ['hook_timeout_ms', 500, 'default'],
      ['firebase.database_url', null, 'default'],
      ['firebase.agent_id', null, 'default'],
      ['allowed_hosts', ['a.example'], `${yamlPath}:3`],
      ['allowed_origins', [], 'default'],
      ['redact', true, 'default'],
      ['retention.max_events', 1_000_000, 'default'],
      ['retention.max_age_days', 7, `${yamlPath}:2`],
      ['limits.body_bytes', 1_000_000, 'default'],
      ['limits.client_buffer_bytes', 4_194_304, 'default'],
      ['agents.claude.transcript_roots', [join(root, 'ada/.claude/projects')], 'default'],
    ])
    expect(JSON.stringify(described)).not.toContain('hunter2')
  })
})
